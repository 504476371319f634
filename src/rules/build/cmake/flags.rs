//! Options of nvcc's in a run of words, and what mcc takes in their place.

use crate::mapping::stub::StubKnowledge;
use crate::mapping::{Relation, Row, Section, Tables};

/// The family of the options that name GPUs, in `mappings/flags.toml`.
const GPU_FAMILY: &str = "arch";

/// What became of one option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Became {
    /// It stays.
    Same,
    /// Others stand in its place.
    Other(String),
    /// It is left out; whether that is known to be right.
    Gone(bool),
}

/// One option with its value, where that stands apart.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// How many words it takes.
    pub(super) words: usize,
    /// What became of it.
    pub(super) became: Became,
    /// How it is written.
    pub(super) shown: String,
    /// What to do about it.
    pub(super) advice: Option<String>,
    /// Whether it names GPUs.
    pub(super) is_gpu: bool,
}

/// The row for an option.
fn row<'t>(tables: &'t Tables, option: &str) -> Option<&'t Row> {
    let whole = tables.get(Section::Flags, option.as_bytes());
    let name = option.split_once('=').map(|(name, _)| name);
    whole.or_else(|| tables.get(Section::Flags, name?.as_bytes()))
}

/// What is for the host's compiler is for mcc, a clang: which takes an option of nvcc's no better for that it stood
/// behind `-Xcompiler`.
fn handed_on(tables: &Tables, host: &str) -> (Became, Option<String>) {
    let mut kept: Vec<String> = Vec::new();
    let mut sure = true;
    let mut advice = None;
    for word in host.split(',').filter(|word| !word.is_empty()) {
        let row = row(tables, word).filter(|row| row.family.as_deref() != Some(GPU_FAMILY));
        match row.map(|row| (row.relation, row)) {
            None | Some((Relation::Same, _)) => kept.push(word.to_owned()),
            Some((Relation::Renamed, row)) => kept.extend(row.to.as_deref().map(str::to_owned)),
            Some((relation, row)) => {
                sure &= relation == Relation::Absent;
                advice = row.advice.as_deref().or(row.note.as_deref());
            }
        }
    }
    let became = if kept.is_empty() {
        Became::Gone(sure)
    } else {
        Became::Other(kept.join(" "))
    };
    (became, advice.map(str::to_owned))
}

/// What becomes of the option that begins a run of words.
pub(super) fn step(tables: &Tables, words: &[&str]) -> Option<Step> {
    let known = StubKnowledge::builtin().ok()?;
    let (&first, rest) = words.split_first()?;
    let same = |words| Step {
        words,
        became: Became::Same,
        shown: first.to_owned(),
        advice: None,
        is_gpu: false,
    };
    let (name, value) = first
        .split_once('=')
        .map_or((first, None), |(name, value)| (name, Some(value)));
    let takes_value = known.flags.with_values.iter().any(|one| one == first);
    // `-x cu` is an option of two words in the table.
    let apart = rest.first().filter(|_| takes_value && value.is_none());
    if let Some(next) = rest.first()
        && let Some(row) = tables.get(Section::Flags, format!("{first} {next}").as_bytes())
    {
        return Some(Step {
            words: 2,
            became: Became::Other(row.to.as_deref().unwrap_or_default().to_owned()),
            shown: format!("{first} {next}"),
            advice: None,
            is_gpu: false,
        });
    }
    let Some(row) = row(tables, first) else {
        return Some(same(1));
    };
    let count = 1 + usize::from(apart.is_some());
    let value = value.or(apart.copied());
    let shown = words.get(..count).unwrap_or_default().join(" ");
    if known.flags.for_the_host.iter().any(|one| one == name) {
        let host = value.unwrap_or_default().trim_matches(['"', '\'']);
        let (became, advice) = handed_on(tables, host);
        return Some(Step {
            words: count,
            became,
            shown,
            advice,
            is_gpu: false,
        });
    }
    let became = match row.relation {
        Relation::Same => Became::Same,
        Relation::Renamed => Became::Other(row.to.as_deref().unwrap_or_default().to_owned()),
        Relation::Absent => Became::Gone(true),
        Relation::Unknown => Became::Gone(false),
    };
    let advice = row
        .advice
        .as_deref()
        .or(row.note.as_deref())
        .map(str::to_owned);
    let is_gpu = row.family.as_deref() == Some(GPU_FAMILY);
    Some(Step {
        words: count,
        became,
        shown,
        advice,
        is_gpu,
    })
}
