//! Places of a text as editors count them: lines, and UTF-16 units in them.

use lsp_types::{Position, Range};

use crate::text::TextRange;

/// Where the lines of a text start.
#[derive(Clone, Debug)]
pub(super) struct Lines(Vec<usize>);

impl Lines {
    /// The lines of a text. One ends at `\n`, `\r\n` or `\r`.
    pub(super) fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends = memchr::memchr2_iter(b'\n', b'\r', bytes);
        let starts = ends.filter_map(|at| {
            let is_half = bytes.get(at) == Some(&b'\r') && bytes.get(at + 1) == Some(&b'\n');
            (!is_half).then_some(at + 1)
        });
        Self(std::iter::once(0).chain(starts).collect())
    }

    /// The position of a byte of `text`.
    pub(super) fn position(&self, text: &str, offset: usize) -> Position {
        let offset = text.floor_char_boundary(offset.min(text.len()));
        let line = self.0.partition_point(|&start| start <= offset) - 1;
        let start = self.0.get(line).copied().unwrap_or(0);
        let before = text.get(start..offset).unwrap_or_default();
        Position {
            line: number(line),
            character: number(before.encode_utf16().count()),
        }
    }

    /// The byte of a position of `text`. One behind the end of a line is at its end.
    pub(super) fn offset(&self, text: &str, position: Position) -> usize {
        let line = position.line as usize;
        let Some(&start) = self.0.get(line) else {
            return text.len();
        };
        let end = self.0.get(line + 1).copied().unwrap_or(text.len());
        let line = text.get(start..end).unwrap_or_default();
        let line = line.trim_end_matches(['\n', '\r']);
        let mut units = position.character as usize;
        let behind = line.char_indices().find(|(_, letter)| {
            let is_behind = units < letter.len_utf16();
            units = units.saturating_sub(letter.len_utf16());
            is_behind
        });
        start + behind.map_or(line.len(), |(at, _)| at)
    }

    /// The range of some bytes of `text`.
    pub(super) fn range(&self, text: &str, range: TextRange) -> Range {
        Range {
            start: self.position(text, range.start),
            end: self.position(text, range.end),
        }
    }

    /// The bytes of a range of `text`.
    pub(super) fn bytes(&self, text: &str, range: Range) -> TextRange {
        let start = self.offset(text, range.start);
        TextRange::new(start, self.offset(text, range.end).max(start))
    }

    /// The byte at which the line of a position starts.
    pub(super) fn start(&self, line: u32) -> Option<usize> {
        self.0.get(line as usize).copied()
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_in_utf_16() {
        let text = "a\r\n\u{e9}\u{1f600}x\rlast";
        let lines = Lines::new(text);
        let at = |offset| {
            let position = lines.position(text, offset);
            (position.line, position.character)
        };
        assert_eq!(at(0), (0, 0));
        assert_eq!(at(text.find('x').expect("there")), (1, 3));
        assert_eq!(at(text.len()), (2, 4));
        let offset = |line, character| lines.offset(text, Position { line, character });
        assert_eq!(Some(offset(1, 3)), text.find('x'));
        assert_eq!(offset(1, 2), text.find('\u{1f600}').expect("there"));
        assert_eq!(Some(offset(1, 99)), text.find("\rlast"));
        assert_eq!(offset(9, 0), text.len());
    }
}
