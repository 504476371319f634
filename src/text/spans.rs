//! A set of stretches that answers quickly whether one of them contains a byte.

use std::collections::BTreeMap;

use super::TextRange;

/// Stretches of a text, in the order in which they were added. They may overlap.
#[derive(Clone, Default, Debug)]
pub struct Spans {
    all: Vec<TextRange>,
    /// The union of the stretches: the start of each run of bytes, with its end.
    covered: BTreeMap<usize, usize>,
}

impl Spans {
    /// Add one.
    pub fn push(&mut self, span: TextRange) {
        self.all.push(span);
        let TextRange { mut start, mut end } = span;
        while let Some((&other, &its_end)) = self.covered.range(..=end).next_back()
            && its_end >= start
        {
            start = start.min(other);
            end = end.max(its_end);
            self.covered.remove(&other);
        }
        self.covered.insert(start, end);
    }

    /// Whether one of them holds the byte at `offset`.
    pub fn contains(&self, offset: usize) -> bool {
        let before = self.covered.range(..=offset).next_back();
        before.is_some_and(|(_, &end)| offset < end)
    }

    /// Whether one of them shares a byte with a range that is not empty.
    pub fn overlaps(&self, range: TextRange) -> bool {
        let before = self.covered.range(..range.end).next_back();
        before.is_some_and(|(_, &end)| range.start < end)
    }

    /// The first that was added of those that hold the byte at `offset`.
    pub fn find(&self, offset: usize) -> Option<TextRange> {
        let mut all = self.all.iter().copied();
        self.contains(offset)
            .then(|| all.find(|span| span.contains(offset)))?
    }
}

impl Extend<TextRange> for Spans {
    fn extend<T: IntoIterator<Item = TextRange>>(&mut self, spans: T) {
        for span in spans {
            self.push(span);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_is_held_by_what_covers_it() {
        let mut spans = Spans::default();
        for (start, end) in [(10, 20), (30, 40), (15, 18), (18, 25), (50, 50), (5, 60)] {
            let before: Vec<TextRange> = spans.all.clone();
            for offset in 0..70 {
                let one = before.iter().copied().find(|span| span.contains(offset));
                assert_eq!(spans.find(offset), one, "{offset}");
                assert_eq!(spans.contains(offset), one.is_some(), "{offset}");
            }
            spans.push(TextRange::new(start, end));
        }
    }
}
