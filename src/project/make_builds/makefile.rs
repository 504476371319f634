//! A makefile: its variables, and its rules with their recipes.

use std::collections::BTreeMap;

use torchada_syntax::script::{Notation, StatementKind, outside_references, statements};
use torchada_text::TextRange;

/// The directives that have another makefile read.
pub const INCLUDE: [&str; 3] = ["include", "-include", "sinclude"];

/// A rule.
#[derive(Debug)]
pub(super) struct Rule<'t> {
    /// What stands before its first colon, and where.
    pub(super) targets: &'t str,
    pub(super) head: TextRange,
    /// What stands behind the colon; for a static pattern with another colon in it.
    pub(super) prerequisites: &'t str,
    /// The commands of its recipe.
    pub(super) recipe: Vec<&'t str>,
}

/// What a file says.
#[derive(Default, Debug)]
pub(super) struct Makefile<'t> {
    /// The values of each variable, wherever it is given one, each with its place.
    pub(super) variables: BTreeMap<&'t str, Vec<(&'t str, TextRange)>>,
    pub(super) rules: Vec<Rule<'t>>,
    /// Other files that are read.
    pub(super) includes: Vec<&'t str>,
    /// Folders in which prerequisites are looked for.
    pub(super) folders: Vec<&'t str>,
}

impl<'t> Makefile<'t> {
    /// Read a text.
    pub(super) fn read(text: &'t [u8]) -> Self {
        let mut file = Self::default();
        let Ok(whole) = std::str::from_utf8(text) else {
            return file;
        };
        for statement in statements(text, Notation::Make) {
            let head = statement.head;
            let line = logical_line(whole, head.start);
            let Some(shown) = whole.get(line.start..line.end) else {
                continue;
            };
            // In front of all rules a tab is a blank.
            let is_recipe = shown.starts_with('\t') && !file.rules.is_empty();
            let behind = whole.get(head.end..line.end).unwrap_or_default();
            match statement.kind {
                StatementKind::Assignment if !is_recipe => {
                    let name = whole.get(head.start..head.end).unwrap_or_default();
                    let value = behind.split_once('=').map_or("", |(_, value)| value);
                    let values = file.variables.entry(name).or_default();
                    values.push((without_comment(value), head));
                }
                StatementKind::Rule if !is_recipe => {
                    let rest = whole.get(head.start..line.end).unwrap_or_default();
                    let Some((targets, prerequisites)) = split(without_comment(rest)) else {
                        continue;
                    };
                    file.rules.push(Rule {
                        targets,
                        head: TextRange::new(head.start, head.start + targets.trim_end().len()),
                        prerequisites: prerequisites.split(';').next().unwrap_or_default(),
                        recipe: Vec::new(),
                    });
                }
                StatementKind::Command if is_recipe => {
                    let (Some(first), Some(last)) =
                        (statement.words.first(), statement.words.last())
                    else {
                        continue;
                    };
                    let command = whole.get(first.range.start..last.range.end);
                    if let (Some(rule), Some(command)) = (file.rules.last_mut(), command) {
                        rule.recipe.push(command);
                    }
                }
                StatementKind::Instruction => {
                    let word = whole.get(head.start..head.end).unwrap_or_default();
                    match word {
                        _ if INCLUDE.contains(&word) => file.includes.push(behind),
                        "vpath" => {
                            let rest = behind.trim_start();
                            let folders = rest.split_once(char::is_whitespace);
                            file.folders.extend(folders.map(|(_, folders)| folders));
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        file
    }
}

/// The line around a place, with those that go on with it.
fn logical_line(text: &str, at: usize) -> TextRange {
    let bytes = text.as_bytes();
    let goes_on = |end: usize| {
        let line = bytes.get(..end).unwrap_or_default();
        line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\")
    };
    let mut start = at;
    loop {
        let before = bytes.get(..start).unwrap_or_default();
        match memchr::memrchr(b'\n', before) {
            Some(end) if goes_on(end) => start = end,
            Some(end) => {
                start = end + 1;
                break;
            }
            None => {
                start = 0;
                break;
            }
        }
    }
    let mut end = at;
    loop {
        let rest = bytes.get(end..).unwrap_or_default();
        match memchr::memchr(b'\n', rest) {
            Some(found) if goes_on(end + found) => end += found + 1,
            Some(found) => break TextRange::new(start, end + found),
            None => break TextRange::new(start, bytes.len()),
        }
    }
}

fn without_comment(text: &str) -> &str {
    let mut marks = text.match_indices('#').map(|(at, _)| at);
    let mark = marks.find(|&at| !text.get(..at).is_some_and(|front| front.ends_with('\\')));
    mark.and_then(|at| text.get(..at)).unwrap_or(text)
}

/// The two sides of the first colon that stands in no reference.
fn split(line: &str) -> Option<(&str, &str)> {
    let (at, _) = outside_references(line.as_bytes()).find(|(_, byte)| *byte == b':')?;
    let behind = line.get(at + 1..)?;
    Some((line.get(..at)?, behind.strip_prefix(':').unwrap_or(behind)))
}
