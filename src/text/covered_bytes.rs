//! A set of ranges that answers quickly whether one of them touches a place.

use std::collections::{BTreeMap, BTreeSet};

use super::TextRange;

/// Ranges in any order, as the stretches that they cover together.
#[derive(Clone, Default, Debug)]
pub struct CoveredBytes {
    /// The end of each stretch, by its start. Stretches share no byte.
    stretches: BTreeMap<usize, usize>,
    /// Empty ranges.
    points: BTreeSet<usize>,
}

impl CoveredBytes {
    /// Add a range.
    pub fn insert(&mut self, range: TextRange) {
        if range.is_empty() {
            self.points.insert(range.start);
            return;
        }
        let (mut start, mut end) = (range.start, range.end);
        while let Some((&from, &to)) = self.stretches.range(..end).next_back() {
            if to <= start {
                break;
            }
            self.stretches.remove(&from);
            start = start.min(from);
            end = end.max(to);
        }
        self.stretches.insert(start, end);
    }

    /// Whether one of the ranges overlaps `range`.
    pub fn touch(&self, range: TextRange) -> bool {
        if range.is_empty() && self.points.contains(&range.start) {
            return true;
        }
        let inside = range.start + 1..range.end.max(range.start + 1);
        self.points.range(inside).next().is_some()
            || self
                .stretches
                .range(..range.end)
                .next_back()
                .is_some_and(|(_, &end)| end > range.start)
    }
}

impl Extend<TextRange> for CoveredBytes {
    fn extend<I: IntoIterator<Item = TextRange>>(&mut self, ranges: I) {
        for range in ranges {
            self.insert(range);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_say_what_a_look_at_each_range_says() {
        let ranges = [(3, 7), (5, 9), (12, 12), (9, 11), (20, 30), (22, 24)];
        let ranges = ranges.map(|(start, end)| TextRange::new(start, end));
        let mut places = CoveredBytes::default();
        places.extend(ranges);
        for start in 0..35 {
            for end in start..35 {
                let range = TextRange::new(start, end);
                let slow = ranges.iter().any(|one| one.overlaps(range));
                assert_eq!(places.touch(range), slow, "{range:?}");
            }
        }
    }
}
