//! From byte offsets to the lines and columns of a report.

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

    /// 1-based line and column of an offset. A column is a Unicode scalar, or a byte that is
    /// part of none.
    pub(crate) fn at(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self
            .starts
            .get(line.saturating_sub(1))
            .copied()
            .unwrap_or(0);
        let before = self.text.get(start..offset).unwrap_or_default();
        let column = if before.is_ascii() {
            before.len()
        } else {
            let chunks = before.utf8_chunks();
            chunks
                .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
                .sum()
        };
        (line, column + 1)
    }
}
