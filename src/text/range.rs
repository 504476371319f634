//! A half-open range of byte offsets.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A half-open range of byte offsets into one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct TextRange {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset one past the last byte.
    pub end: usize,
}

impl TextRange {
    /// The range `start..end`. `end` must not be smaller than `start`.
    #[inline]
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end, "a range must not end before it starts");
        Self { start, end }
    }

    /// Length in bytes.
    #[inline]
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the range covers no byte.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `offset` lies inside the range.
    #[inline]
    pub fn contains(self, offset: usize) -> bool {
        self.start <= offset && offset < self.end
    }

    /// Whether `other` lies wholly inside the range.
    pub fn covers(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two ranges share a byte, or are the same empty place.
    pub fn overlaps(self, other: Self) -> bool {
        (self.start < other.end && other.start < self.end) || self == other
    }

    /// The bytes of `text` that the range covers; empty where the range lies outside `text`.
    #[inline]
    pub fn of(self, text: &[u8]) -> &[u8] {
        text.get(self.start..self.end).unwrap_or_default()
    }

    /// The range moved `by` bytes towards the end.
    #[must_use]
    pub fn shifted(self, by: usize) -> Self {
        Self::new(self.start + by, self.end + by)
    }
}

impl From<Range<usize>> for TextRange {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

impl From<TextRange> for Range<usize> {
    fn from(range: TextRange) -> Self {
        range.start..range.end
    }
}

/// Whether a word stands somewhere in a text.
pub fn contains(text: &[u8], word: impl AsRef<[u8]>) -> bool {
    memchr::memmem::find(text, word.as_ref()).is_some()
}
