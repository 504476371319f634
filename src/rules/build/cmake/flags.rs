//! Options of nvcc's in a run of words, and what mcc takes in their place.

use crate::mapping::stub::StubKnowledge;
use crate::mapping::{Relation, Row, Section, Tables};
use crate::project::Context;

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

/// The words of a text with flags, each with its start. Marks behind a backslash and single ones hold a word together:
/// `-Xcompiler \"-Wall -fPIC\"`.
pub(super) fn split(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut start = None;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii_whitespace() || byte == b';' {
            found.extend(start.take().map(|from| (from, at)));
            at += 1;
            continue;
        }
        let opens = start.is_none() || bytes.get(at.wrapping_sub(1)) == Some(&b'=');
        let from = *start.get_or_insert(at);
        let mark = mark_at(bytes, at).filter(|mark| opens || mark.len() > 1 || from == at);
        let behind = at + mark.map_or(1, <[u8]>::len);
        let rest = bytes.get(behind..).unwrap_or_default();
        let len =
            mark.and_then(|mark| memchr::memmem::find(rest, mark).map(|len| len + mark.len()));
        at = behind + len.unwrap_or(0);
    }
    found.extend(start.map(|from| (from, bytes.len())));
    let words = found.into_iter();
    words
        .filter_map(|(from, to)| Some((from, text.get(from..to)?)))
        .collect()
}

/// The mark of a quote at a place: `'`, or `"` with the backslashes before it.
fn mark_at(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let rest = bytes.get(at..)?;
    let slashes = rest.iter().take_while(|&&byte| byte == b'\\').count();
    match rest.get(slashes) {
        Some(b'"') if slashes > 0 => rest.get(..=slashes),
        Some(b'\'') if slashes == 0 => rest.get(..1),
        _ => None,
    }
}

/// Whether an option takes the next word as its value.
pub(super) fn takes_value(option: &str) -> bool {
    let known = StubKnowledge::builtin();
    known.flags.with_values.iter().any(|one| one == option)
}

/// Whether mcc takes an option of nvcc's otherwise, or not at all.
pub(super) fn differs(context: Context<'_>, option: &str) -> bool {
    row(context.tables, option).is_some_and(|row| row.relation != Relation::Same)
}

/// Whether an option is nvcc's alone, and no other compiler's.
pub(super) fn is_nvccs(context: Context<'_>, option: &str) -> bool {
    let shared = &context.knowledge.builds.scripts.shared_flags;
    let row = row(context.tables, option).filter(|row| row.relation != Relation::Same);
    row.is_some_and(|row| {
        let known = context.knowledge.builds.scripts.arch_values.iter();
        let value = option.split_once('=').map_or("", |(_, value)| value);
        let names_gpu = known.clone().any(|front| value.starts_with(front.as_str()));
        names_gpu || !shared.iter().any(|one| *one == *row.cuda)
    })
}

/// The options in what is for the host's compiler: blanks and commas part them, but for those behind `-Wl,`.
fn options_in<'h>(known: &[String], host: &'h str) -> Vec<&'h str> {
    let mut found = Vec::new();
    for word in host.split_ascii_whitespace() {
        let handed = known.iter().filter_map(|front| word.find(front.as_str()));
        let from = handed.min().unwrap_or(word.len());
        let (front, rest) = word.split_at(from);
        found.extend(front.split(',').chain([rest]).filter(|one| !one.is_empty()));
    }
    found
}

/// What is for the host's compiler is for mcc, a clang: which takes an option of nvcc's no better for that it stood
/// behind `-Xcompiler`.
fn handed_on(tables: &Tables, known: &[String], host: &str) -> (Became, Option<String>) {
    let mut kept: Vec<String> = Vec::new();
    let mut sure = true;
    let mut advice = None;
    for word in options_in(known, host) {
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
    let known = StubKnowledge::builtin();
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
        let host = value.unwrap_or_default().trim_matches(['"', '\'', '\\']);
        let (became, advice) = handed_on(tables, &known.flags.hands_on, host);
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
    if is_gpu && value.is_none() {
        // `set(FLAG "-arch")`: its value stands elsewhere.
        return Some(Step { is_gpu, ..same(1) });
    }
    Some(Step {
        words: count,
        became,
        shown,
        advice,
        is_gpu,
    })
}
