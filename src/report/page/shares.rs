//! The share of a port that is done, and its evidence.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::read::Document;
use super::rows::Load;
use crate::mapping::effort::Effort;

/// The reason by which references of a library that is left whole stay.
const VENDORED: &str = "vendored";

/// A part of the bar that says how much is done.
pub(super) struct BarSegment {
    pub(super) class: &'static str,
    pub(super) name: &'static str,
    pub(super) count: usize,
    /// Its share, in hundredths of a percent.
    pub(super) share: String,
}

/// A level of evidence.
pub(super) struct Level {
    pub(super) name: &'static str,
    pub(super) means: &'static str,
    pub(super) count: usize,
    pub(super) share: String,
    pub(super) codes: Vec<&'static str>,
}

/// A part of a whole, in percent with two decimals, as a style takes it.
pub(super) fn share(part: usize, whole: usize) -> String {
    let hundredths = (part * 10_000).checked_div(whole).unwrap_or(0);
    format!("{}.{:02}%", hundredths / 100, hundredths % 100)
}

/// The parts of the bar.
pub(super) fn segments(document: &Document, load: &Load) -> Vec<BarSegment> {
    let references = &document.summary.references;
    let parts = [
        ("sdk", "translated, in the SDK", references.sdk),
        ("confirmed", "translated, confirmed", references.confirmed),
        ("table", "translated, by a table", references.table),
        ("rule", "translated, by rule alone", references.rule),
        ("contested", "translated, contested", references.contested),
        ("warning", "warnings", load.warnings),
        ("error", "errors", load.errors),
    ];
    let whole: usize = parts.iter().map(|(_, _, count)| count).sum();
    parts
        .into_iter()
        .filter(|(_, _, count)| *count > 0)
        .map(|(class, name, count)| BarSegment {
            class,
            name,
            count,
            share: share(count, whole),
        })
        .collect()
}

/// The levels of evidence, strongest first.
pub(super) fn levels(document: &Document, scale: &'static Effort) -> Vec<Level> {
    let references = &document.summary.references;
    let whole = references.translated();
    let level = |name, means, count| Level {
        name,
        means,
        count,
        share: share(count, whole),
        codes: scale
            .codes_of(name)
            .iter()
            .map(String::as_str)
            .filter(|code| document.summary.findings.contains_key(*code))
            .collect(),
    };
    let mut levels = vec![
        level(
            "confirmed",
            "public MUSA code declares or uses the counterpart",
            references.confirmed,
        ),
        level(
            "table",
            "somebody's table of names says so",
            references.table,
        ),
        level(
            "rule",
            "only the rule of the family says so: look it up in the SDK's headers",
            references.rule,
        ),
        level(
            "contested",
            "something speaks against it, too: try it on hardware",
            references.contested,
        ),
    ];
    if references.sdk > 0 {
        let means = "the SDK that the port is for has the counterpart, as a facts file says";
        levels.insert(0, level("sdk", means, references.sdk));
    }
    levels
}

/// How much is done of all, with what stays in libraries that are left whole, in percent, and how many
/// references these have.
pub(super) fn with_libraries(
    document: &Document,
    translated: usize,
    open: usize,
) -> Option<(usize, usize)> {
    let count = *document.summary.kept.get(VENDORED)?;
    let percent = (translated * 100).checked_div(translated + open + count)?;
    Some((percent, count))
}

/// The folders with references that stay because of a library, the most first.
pub(super) fn vendored(document: &Document) -> Vec<(String, usize)> {
    let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
    for kept in document.kept.iter().filter(|kept| kept.reason == VENDORED) {
        let folder = kept.path.rsplit_once('/').map_or(".", |(folder, _)| folder);
        *folders.entry(folder).or_default() += 1;
    }
    let folders = folders.into_iter();
    let mut folders: Vec<(String, usize)> = folders
        .map(|(folder, count)| (folder.to_owned(), count))
        .collect();
    folders.sort_by_key(|(_, count)| Reverse(*count));
    folders
}
