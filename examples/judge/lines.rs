//! From byte offsets to lines and columns, as the reports count them.

use std::fmt::Write;

/// The line starts of a file.
pub(crate) struct Lines<'t> {
    text: &'t [u8],
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// Find the lines of `text`.
    pub(crate) fn new(text: &'t [u8]) -> Self {
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1));
        Self {
            text,
            starts: starts.collect(),
        }
    }

    /// 1-based line and column of an offset; a column is a Unicode scalar, or a byte that is
    /// part of none.
    pub(crate) fn at(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts.get(line.saturating_sub(1)).copied();
        let before = self.text.get(start.unwrap_or(0)..offset);
        let chunks = before.unwrap_or_default().utf8_chunks();
        let column: usize = chunks
            .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
            .sum();
        (line, column + 1)
    }

    /// The lines around a line, each with its number, the line itself marked.
    pub(crate) fn around(&self, line: usize, context: usize) -> String {
        let text = String::from_utf8_lossy(self.text);
        let first = line.saturating_sub(context + 1);
        let shown = text.lines().enumerate().skip(first);
        let mut out = String::new();
        for (at, text) in shown.take(line - first + context) {
            let mark = if at + 1 == line { '>' } else { ' ' };
            // A line of data is no help to a reader.
            let short: String = text.chars().take(220).collect();
            // Writing to a string can't fail.
            let _ = writeln!(out, "{mark}{:5} | {short}", at + 1);
        }
        out
    }
}
