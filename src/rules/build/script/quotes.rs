//! Quotes around the value of an option.
//!
//! A list falls apart at blanks, whatever stands around them, and marks behind a backslash are text to a shell: of
//! `-Xcompiler \"-Wall -fPIC\"` neither tells where the value ends.

use torchada_syntax::script::{Word, WordPart};
use torchada_text::TextRange;

/// A value in quotes.
pub(super) struct QuotedValue {
    /// The marks in front of it.
    pub(super) open: TextRange,
    /// The marks behind it.
    pub(super) close: TextRange,
    /// The value: its range has the marks, and its parts do not.
    pub(super) value: Word,
    /// The number of words of the list that the value spans.
    pub(super) words: usize,
}

/// The quotes around a value that begins in the first of some words; None where there are none, or they stay open.
pub(super) fn quoted(text: &[u8], words: &[Word], value: &Word) -> Option<QuotedValue> {
    let start = value.range.start;
    let is_mark = |byte: &&u8| matches!(byte, b'"' | b'\'' | b'\\');
    let before = text.get(..start)?.iter().rev().take_while(is_mark).count();
    let behind = text.get(start..)?.iter().take_while(is_mark).count();
    let open = TextRange::new(start - before, start + behind);
    let closing = closing(open.of(text))?;
    let limit = words.last()?.range.end + closing.len();
    let rest = text.get(open.end..limit.min(text.len()))?;
    let escapes = closing.starts_with(b"\\");
    let at = memchr::memmem::find_iter(rest, &closing).find(|&at| {
        let slash = at.checked_sub(1).and_then(|at| rest.get(at)) == Some(&b'\\');
        escapes || !slash
    })?;
    let close = TextRange::new(open.end + at, open.end + at + closing.len());
    let more = words.iter().take_while(|one| one.range.start < close.start);
    let count = more.clone().count();
    let all = std::iter::once(value).chain(more.skip(1));
    let mut parts = Vec::new();
    for part in all.flat_map(|word| &word.parts) {
        match *part {
            WordPart::Text(range) => {
                let from = range.start.max(open.end);
                let to = range.end.min(close.start);
                if from < to {
                    parts.push(WordPart::Text(TextRange::new(from, to)));
                }
            }
            other => parts.push(other),
        }
    }
    let range = TextRange::new(open.start, close.end);
    (!parts.is_empty()).then_some(QuotedValue {
        open,
        close,
        value: Word { range, parts },
        words: count,
    })
}

/// The closing marks for opening marks: the last first, each with its backslashes.
fn closing(open: &[u8]) -> Option<Vec<u8>> {
    let mut marks: Vec<&[u8]> = Vec::new();
    let mut from = 0;
    for (at, byte) in open.iter().enumerate() {
        if *byte != b'\\' {
            marks.push(open.get(from..=at)?);
            from = at + 1;
        }
    }
    marks.reverse();
    (from == open.len() && !marks.is_empty()).then(|| marks.concat())
}

#[cfg(test)]
mod tests {
    use super::closing;

    #[test]
    fn marks_close_from_the_inside_out() {
        let closes = |open: &[u8]| closing(open);
        assert_eq!(closes(b"\"").as_deref(), Some(&b"\""[..]));
        assert_eq!(closes(b"'\"").as_deref(), Some(&b"\"'"[..]));
        assert_eq!(closes(b"\"\\\"").as_deref(), Some(&b"\\\"\""[..]));
        assert_eq!(closes(b"\\"), None);
        assert_eq!(closes(b""), None);
    }
}
