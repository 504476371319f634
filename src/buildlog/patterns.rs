//! All patterns of the table, compiled.

use regex::Regex;

use super::pattern::{Pattern, PatternSet, longest};
use crate::mapping::build_log::{BuildLogTable, LineRole, LogKind};

/// What a text with certain words is.
#[derive(Debug)]
pub(super) struct TextMeaning {
    /// What it is about.
    pub(super) kind: &'static LogKind,
    /// Whether a line is a message by these words alone.
    pub(super) is_bare: bool,
}

/// The patterns of `mappings/build_log.toml`.
#[derive(Debug)]
pub(super) struct LogPatterns {
    /// What stands before a program's own words.
    pub(super) prefixes: Vec<Regex>,
    /// Whole lines.
    pub(super) lines: PatternSet<LineRole>,
    /// The texts of messages.
    pub(super) texts: PatternSet<TextMeaning>,
    /// What follows from a message before it.
    pub(super) follow: PatternSet<()>,
    /// A compiler that gives up.
    pub(super) stopped: PatternSet<()>,
    /// Another name that a message suggests.
    pub(super) near: PatternSet<()>,
    /// The name that a note's message is about.
    pub(super) names: PatternSet<()>,
    /// Why a call does not fit, as a note says it.
    pub(super) why: PatternSet<()>,
}

impl LogPatterns {
    /// The patterns of a table.
    pub(super) fn new(table: &'static BuildLogTable) -> Self {
        let set = |patterns| PatternSet::new(parts_of_texts(patterns, || ()), table);
        let prefixes = table.prefixes.iter();
        Self {
            // Each compiles, as a test says.
            prefixes: prefixes.filter_map(|one| Regex::new(one).ok()).collect(),
            lines: lines(table),
            texts: texts(table),
            follow: set(&table.follow.says),
            stopped: set(&table.stopped.says),
            near: set(&table.near),
            names: set(&table.note.names),
            why: set(&table.note.why),
        }
    }
}

fn lines(table: &'static BuildLogTable) -> PatternSet<LineRole> {
    // A bare message has to have words of one, since the form of its line is that of many others.
    let bare: Vec<&str> = table
        .message
        .iter()
        .filter(|row| row.bare)
        .flat_map(|row| row.says.iter().map(|says| longest(says)))
        .collect();
    let lines = table.line.iter().flat_map(|row| {
        let words: &[&str] = match row.role {
            LineRole::Bare => &bare,
            _ => &[],
        };
        row.says.iter().map(move |says| Pattern {
            says,
            is_whole: true,
            words,
            means: row.role,
        })
    });
    PatternSet::new(lines, table)
}

fn texts(table: &'static BuildLogTable) -> PatternSet<TextMeaning> {
    let known = table.message.iter();
    // The table has each kind, or it is not loaded.
    let known = known.filter_map(|row| Some((row, table.kind(&row.kind)?)));
    let texts = known.flat_map(|(row, kind)| {
        let meaning = || TextMeaning {
            kind,
            is_bare: row.bare,
        };
        parts_of_texts(&row.says, meaning)
    });
    PatternSet::new(texts, table)
}

/// Patterns of parts of a text.
fn parts_of_texts<T>(
    patterns: &'static [String],
    meaning: impl Fn() -> T,
) -> impl Iterator<Item = Pattern<'static, T>> {
    patterns.iter().map(move |says| Pattern {
        says,
        is_whole: false,
        words: &[],
        means: meaning(),
    })
}
