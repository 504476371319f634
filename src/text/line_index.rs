//! Converts byte offsets to the lines and columns that people and editors count.

use serde::{Deserialize, Serialize};

/// A place in a file as people count it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Position {
    /// 1-based line.
    pub line: usize,
    /// 1-based column, counted in Unicode scalars. A byte that is not part of valid UTF-8
    /// counts as one.
    pub column: usize,
}

/// The line starts of one file.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
    /// On long lines, offsets with the columns before them, so that no line is counted from its start over and over.
    marks: Vec<(usize, usize)>,
}

/// How many bytes of a line are counted at most for a column.
const STRETCH: usize = 4096;

impl LineIndex {
    /// Index the lines of `text`. A line ends at `\n`, whatever stands before it.
    pub fn new(text: &[u8]) -> Self {
        let mut starts = Vec::with_capacity(text.len() / 32 + 1);
        starts.push(0);
        starts.extend(memchr::memchr_iter(b'\n', text).map(|at| at + 1));
        let mut marks = Vec::new();
        let ends = starts.iter().skip(1).copied().chain([text.len()]);
        for (&start, end) in starts.iter().zip(ends) {
            let (mut from, mut column) = (start, 0);
            while end.saturating_sub(from) > STRETCH {
                // A character that goes over the end belongs to the stretch.
                let rest = text.get(from + STRETCH..end).unwrap_or_default();
                let more = rest.iter().take_while(|&&byte| byte & 0xc0 == 0x80);
                let to = from + STRETCH + more.count();
                column += scalars(text.get(from..to).unwrap_or_default());
                marks.push((to, column));
                from = to;
            }
        }
        Self { starts, marks }
    }

    /// The position of the byte at `offset` of `text`, the text that the index was made of.
    pub fn position(&self, text: &[u8], offset: usize) -> Position {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts.get(line.wrapping_sub(1)).copied().unwrap_or(0);
        let mark = self.marks.partition_point(|&(at, _)| at <= offset);
        let mark = mark.checked_sub(1).and_then(|at| self.marks.get(at));
        let (from, column) = mark
            .copied()
            .filter(|&(at, _)| at >= start)
            .unwrap_or((start, 0));
        let before = text.get(from..offset.min(text.len())).unwrap_or_default();
        Position {
            line: line.max(1),
            column: column + scalars(before) + 1,
        }
    }

    /// Where a 1-based line starts.
    pub fn start(&self, line: usize) -> Option<usize> {
        self.starts.get(line.wrapping_sub(1)).copied()
    }

    /// The bytes of a 1-based line of `text`, without its line end.
    pub fn line<'t>(&self, text: &'t [u8], line: usize) -> &'t [u8] {
        let Some(start) = self.start(line) else {
            return &[];
        };
        let end = self.start(line + 1).map_or(text.len(), |next| next - 1);
        let bytes = text.get(start..end).unwrap_or_default();
        bytes.strip_suffix(b"\r").unwrap_or(bytes)
    }
}

/// Where the line that holds an offset starts.
pub fn line_start(text: &[u8], offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or_default();
    memchr::memrchr(b'\n', before).map_or(0, |end| end + 1)
}

/// The 1-based line of the byte at `offset` of `text`, for whoever asks a text once.
pub fn line_of(text: &[u8], offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or(text);
    memchr::memchr_iter(b'\n', before).count() + 1
}

/// Unicode scalars in `bytes`, each undecodable byte counted as one.
fn scalars(bytes: &[u8]) -> usize {
    bytes
        .utf8_chunks()
        .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_long_lines_are_counted_alike() {
        let text = [
            b"\n".to_vec(),
            "a\u{e9}\u{4e2d}".repeat(3000).into_bytes(),
            vec![0xa9; 5000],
        ]
        .concat();
        let index = LineIndex::new(&text);
        for offset in (1..text.len()).step_by(997) {
            let column = scalars(&text[1..offset]) + 1;
            assert_eq!(index.position(&text, offset), Position { line: 2, column });
        }
    }

    #[test]
    fn columns_count_scalars_and_broken_bytes_count_one_each() {
        let text = "a\n\u{e9}\u{4e2d}x\n".as_bytes();
        let index = LineIndex::new(text);
        assert_eq!(index.position(text, 0), Position { line: 1, column: 1 });
        assert_eq!(index.position(text, 7), Position { line: 2, column: 3 });
        let broken = b"\xff\xfex";
        let index = LineIndex::new(broken);
        assert_eq!(index.position(broken, 2), Position { line: 1, column: 3 });
    }

    #[test]
    fn a_line_is_given_without_its_line_end() {
        let text = b"one\r\ntwo\nthree";
        let index = LineIndex::new(text);
        assert_eq!(index.line(text, 1), b"one");
        assert_eq!(index.line(text, 2), b"two");
        assert_eq!(index.line(text, 3), b"three");
        assert_eq!(index.line(text, 4), b"");
    }
}
