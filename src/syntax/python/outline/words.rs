//! Words, dotted names and lists in brackets, read from the start of a text.

use super::Parameter;
use crate::lines::skip;
use crate::python::lines::is_word;

/// The word at the start, and what follows.
pub(super) fn first_word(text: &str) -> (&str, &str) {
    split_where(text, |byte| !is_word(byte))
}

/// The dotted name at the start, and what follows.
pub(super) fn split_dotted(text: &str) -> (&str, &str) {
    split_where(text, |byte| !is_word(byte) && byte != b'.')
}

/// The dotted name at the start.
pub(super) fn dotted(text: &str) -> &str {
    split_dotted(text).0
}

fn split_where(text: &str, ends: impl Fn(u8) -> bool) -> (&str, &str) {
    text.split_at(text.bytes().position(ends).unwrap_or(text.len()))
}

/// The name behind `as`.
pub(super) fn after_as(text: &str) -> Option<&str> {
    let (word, rest) = first_word(text.trim_start());
    (word == "as").then(|| first_word(rest.trim_start()).0)
}

/// The lines of a text without their comments.
pub(super) fn without_comments(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(|line| line.split('#').next().unwrap_or_default())
}

/// The parts of the list in parentheses at the start of a text, split at its commas.
pub(super) fn arguments(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    // A list of type parameters may stand before that of the arguments.
    let mut at = 0;
    if bytes.first() == Some(&b'[') {
        at = closing(bytes, 0);
    }
    if bytes.get(at) != Some(&b'(') {
        return found;
    }
    at += 1;
    let mut from = at;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b')' => break,
            b',' => {
                found.extend(text.get(from..at));
                at += 1;
                from = at;
            }
            b'(' | b'[' | b'{' => at = closing(bytes, at),
            _ => at = skip(bytes, at),
        }
    }
    found.extend(text.get(from..at.min(text.len())));
    found
}

/// The place behind the bracket that closes the one at a place.
fn closing(bytes: &[u8], open: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = open;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {
                at = skip(bytes, at);
                continue;
            }
        }
        at += 1;
    }
    at
}

/// The parameters in the list in parentheses at the start of a text.
pub(super) fn parameters(text: &str) -> Vec<Parameter<'_>> {
    let mut found = Vec::new();
    for item in arguments(text) {
        let mut item = item.trim_start();
        while let Some(rest) = item.strip_prefix('#') {
            item = rest
                .split_once('\n')
                .map_or("", |(_, rest)| rest)
                .trim_start();
        }
        let starred = item.trim_start_matches('*').trim_start();
        let name = dotted(starred);
        let before = item.len() - starred.len();
        let written = item.get(..before + name.len()).unwrap_or_default();
        if !written.is_empty() || item.starts_with('/') {
            found.push(Parameter { written });
        }
    }
    found
}
