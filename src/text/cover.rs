//! An index that finds the ranges which cover a place, without a look at each range.

use super::TextRange;

/// Ranges by their starts, as a balanced search tree that lies in a list: the root of a part is its middle.
#[derive(Clone, Default, Debug)]
pub struct Cover {
    /// Each with what the caller calls it.
    ranges: Vec<(TextRange, usize)>,
    /// For each root, the furthest end in its part.
    furthest: Vec<usize>,
}

impl Cover {
    /// The ranges, each with a number of the caller's.
    pub fn new(ranges: impl IntoIterator<Item = (TextRange, usize)>) -> Self {
        let mut ranges: Vec<(TextRange, usize)> = ranges.into_iter().collect();
        ranges.sort_unstable_by_key(|&(range, number)| (range.start, number));
        let mut cover = Self {
            furthest: vec![0; ranges.len()],
            ranges,
        };
        cover.measure(0, cover.ranges.len());
        cover
    }

    /// Whether `is_it` accepts one of the ranges that cover all of `place`. They are visited in the order of their starts.
    pub fn any(&self, place: TextRange, mut is_it: impl FnMut(usize) -> bool) -> bool {
        self.visit(place, 0, self.ranges.len(), &mut is_it)
    }

    fn measure(&mut self, from: usize, to: usize) -> usize {
        if from >= to {
            return 0;
        }
        let root = from.midpoint(to);
        let below = self.measure(from, root).max(self.measure(root + 1, to));
        let own = self.ranges.get(root).map_or(0, |(range, _)| range.end);
        let furthest = below.max(own);
        if let Some(slot) = self.furthest.get_mut(root) {
            *slot = furthest;
        }
        furthest
    }

    fn visit(
        &self,
        place: TextRange,
        from: usize,
        to: usize,
        is_it: &mut impl FnMut(usize) -> bool,
    ) -> bool {
        let root = from.midpoint(to);
        let Some(&(range, number)) = self.ranges.get(root) else {
            return false;
        };
        if from >= to || self.furthest.get(root).is_none_or(|&end| end < place.end) {
            return false;
        }
        self.visit(place, from, root, is_it)
            || range.start <= place.start
                && (range.covers(place) && is_it(number) || self.visit(place, root + 1, to, is_it))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_cover_a_place_are_visited() {
        let ranges: Vec<TextRange> = (0..40_usize)
            .map(|at| TextRange::new(at * 7 % 31, at * 7 % 31 + at * 5 % 17))
            .collect();
        let cover = Cover::new(ranges.iter().copied().zip(0..));
        for start in 0..50 {
            let place = TextRange::new(start, start + 2);
            let mut visited = Vec::new();
            assert!(!cover.any(place, |number| {
                visited.push(number);
                false
            }));
            visited.sort_unstable();
            let all = ranges.iter().zip(0..);
            let covering = all.filter(|(range, _)| range.covers(place));
            let expected: Vec<usize> = covering.map(|(_, number)| number).collect();
            assert_eq!(visited, expected, "{start}");
        }
    }
}
