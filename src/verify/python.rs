//! Verification of Python: the tree shows what an edit broke.

use super::words::is_word_for_word;
use super::{Withdrawn, errors_in, withdraw_errors};
use crate::edit::{Applied, EditSet, GroupId};
use crate::syntax::python::{is_sound_line, logical_lines};
use crate::syntax::python_errors;

/// Words that are no names everywhere: the Python Language Reference, "Keywords" and "Soft Keywords", and the
/// statements of Python 2 that the grammar knows.
const KEYWORDS: &str = "False None True _ and as assert async await break case class continue def del elif else \
    except exec finally for from global if import in is lambda lazy match nonlocal not or pass print raise return \
    try type while with yield";

/// The letters that say before a quote how a string is read: the Python Language Reference, "String and Bytes
/// literals".
const PREFIXES: &[u8] = b"bBfFrRtTuU";

/// Take out the groups that bring syntax errors into a module. Where only words change, or lines that are sound by
/// themselves, it is parsed only if `all` asks for it.
pub fn withdraw_broken_python(text: &[u8], edits: &mut EditSet, all: bool) -> Vec<Withdrawn> {
    // Most modules only have names put for names, and words for words in strings: the tokens are of the same kinds
    // then, and the tree is the same. To parse again takes as long as all the rest.
    if !all
        && edits
            .iter()
            .all(|edit| is_word_for_word(text, edit, is_fixed))
    {
        return Vec::new();
    }
    let applied = edits.apply(text);
    if !all && lines_are_sound(text, edits, &applied).is_some() {
        return Vec::new();
    }
    let mut groups: Vec<GroupId> = edits.iter().map(|edit| edit.group).collect();
    groups.dedup();
    let Some(errors) = errors_in(&applied.text, python_errors) else {
        return Vec::new();
    };
    withdraw_errors(text, edits, errors, &groups, python_errors)
}

/// See that each edit that changes more than words lies in a logical line which is sound with all edits in it: then nothing
/// around that line is read otherwise. `None` where a line is not sound by itself, or where an edit makes lines or lies in
/// none.
fn lines_are_sound(text: &[u8], edits: &EditSet, applied: &Applied) -> Option<()> {
    let mut lines = logical_lines(std::str::from_utf8(text).ok()?);
    let mut line = lines.next()?;
    let mut sound = None;
    let changes_more = edits
        .iter()
        .filter(|edit| !is_word_for_word(text, edit, is_fixed));
    for edit in changes_more {
        while line.end < edit.range.end {
            line = lines.next()?;
        }
        // A text that is put in front of a line is no part of the line.
        let is_outside = edit.range.start < line.start || edit.range.end == line.start;
        if is_outside || edit.replacement.contains(&b'\n') {
            return None;
        }
        if sound != Some(line) {
            let place = |at: usize| applied.map.to_output(at);
            let new = applied.text.get(place(line.start)..place(line.end))?;
            sound = is_sound_line(new).then_some(line);
            sound?;
        }
    }
    Some(())
}

fn is_fixed(word: &[u8]) -> bool {
    KEYWORDS.split(' ').any(|known| known.as_bytes() == word)
        || (word.len() <= 2 && word.iter().all(|byte| PREFIXES.contains(byte)))
}
