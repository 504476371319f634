//! What a cause is called.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::key::{CauseKey, Symptom, quoted};

/// How many names a cause's title shows.
const NAMES: usize = 2;

/// The title of a cause with these findings: the message of the only one, or what they have in common. `own` is the title
/// that the table of causes has.
pub(super) fn title<'a, I: Iterator<Item = &'a Symptom<'a>>>(
    key: &CauseKey<'_>,
    findings: impl Fn() -> I,
    own: Option<&str>,
) -> String {
    let messages: BTreeSet<&str> = findings().map(|one| one.message).collect();
    let library = match key {
        CauseKey::Library(title) => Some(*title),
        CauseKey::Code(_) | CauseKey::Text(..) => None,
    };
    if let (1, Some(message), None) = (messages.len(), messages.first(), library) {
        return (*message).to_owned();
    }
    // Findings of several codes are called after the weightiest.
    let weight = findings().map(|one| one.severity).max();
    let weightiest = findings().filter(|one| Some(one.severity) == weight);
    let what = most_frequent(weightiest.map(|one| one.title)).unwrap_or_default();
    let what = own.unwrap_or(what);
    let what = match library {
        Some(library) => format!("{library}: {what}"),
        None => what.to_owned(),
    };
    let names: Vec<&str> = by_frequency(findings().filter_map(|one| quoted(one.message)));
    let shown = names.iter().take(NAMES).map(|name| format!("`{name}`"));
    let shown = shown.collect::<Vec<_>>().join(", ");
    match names.len() {
        0 => what,
        count if count > NAMES => format!("{what}: {shown} and {} more", count - NAMES),
        _ => format!("{what}: {shown}"),
    }
}

/// Texts without repetitions, the most frequent first; among equals the one that comes first.
fn by_frequency<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (at, text) in texts.enumerate() {
        counts.entry(text).or_insert((0, at)).0 += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, (count, first))| (Reverse(*count), *first));
    counts.into_iter().map(|(text, _)| text).collect()
}

/// The most frequent of some texts; among equals the one that comes first.
pub(super) fn most_frequent<'a>(texts: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    by_frequency(texts).into_iter().next()
}
