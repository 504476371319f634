//! What two texts of one file have in common: the port as it was written, and as somebody changed it.

use std::ops::Range;

use crate::syntax::identifier_at;
use crate::text::{TextRange, stretches};

/// If both sides of a changed stretch have more words than this, the whole stretch counts as new.
const WORDS: usize = 4000;

/// A stretch that two texts have.
pub(super) struct Same {
    /// Its place in the older text.
    pub(super) old: TextRange,
    /// Its place in the newer one.
    pub(super) new: TextRange,
}

/// The stretches that both texts have: whole lines, and words of lines that differ.
pub(super) fn same(old: &[u8], new: &[u8]) -> Vec<Same> {
    let (old_lines, new_lines) = (cut(old, line), cut(new, line));
    let mut found: Vec<Same> = Vec::new();
    let mut push = |old: TextRange, new: TextRange| match found.last_mut() {
        Some(last) if last.old.end == old.start && last.new.end == new.start => {
            last.old.end = old.end;
            last.new.end = new.end;
        }
        _ => found.push(Same { old, new }),
    };
    let compared = stretches(texts(&old_lines, old), texts(&new_lines, new));
    for one in compared {
        let (from, to) = (span(&old_lines, one.old), span(&new_lines, one.new));
        if one.is_same {
            push(from, to);
            continue;
        }
        let part = |text: &[u8], range: TextRange| -> Vec<TextRange> {
            let words = cut(range.of(text), word).into_iter();
            words.map(|one| one.shifted(range.start)).collect()
        };
        let (before, after) = (part(old, from), part(new, to));
        if before.len() > WORDS || after.len() > WORDS {
            continue;
        }
        for one in stretches(texts(&before, old), texts(&after, new)) {
            if one.is_same {
                push(span(&before, one.old), span(&after, one.new));
            }
        }
    }
    found
}

/// The bytes of each range.
fn texts<'t>(ranges: &[TextRange], text: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
    ranges.iter().map(|range| range.of(text))
}

fn span(ranges: &[TextRange], of: Range<usize>) -> TextRange {
    let of = ranges.get(of).unwrap_or_default();
    match (of.first(), of.last()) {
        (Some(first), Some(last)) => TextRange::new(first.start, last.end),
        _ => TextRange::new(0, 0),
    }
}

/// Cut a text into pieces, each as long as `len` says of the rest.
fn cut(text: &[u8], len: fn(&[u8]) -> usize) -> Vec<TextRange> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let end = at + len(rest).clamp(1, rest.len());
        found.push(TextRange::new(at, end));
        at = end;
    }
    found
}

fn line(rest: &[u8]) -> usize {
    memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1)
}

fn word(rest: &[u8]) -> usize {
    identifier_at(rest, 0).len()
}
