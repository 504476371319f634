//! Where the places of a text lie after one stretch of it was replaced.

use super::TextRange;

/// The one stretch in which two versions of a text differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moved {
    /// Where the stretch starts in both.
    pub start: usize,
    /// Where it ends in the old text.
    pub old_end: usize,
    /// Where it ends in the new text.
    pub new_end: usize,
}

impl Moved {
    /// The stretch between what two texts share at their starts and at their ends.
    pub fn between(old: &[u8], new: &[u8]) -> Self {
        let same = |(a, b): &(&u8, &u8)| a == b;
        let start = old.iter().zip(new).take_while(same).count();
        let behind = old.get(start..).unwrap_or_default().iter().rev();
        let rest = new.get(start..).unwrap_or_default().iter().rev();
        let end = behind.zip(rest).take_while(same).count();
        Self {
            start,
            old_end: old.len() - end,
            new_end: new.len() - end,
        }
    }

    /// Where a range of the old text lies in the new one; `None` where its text changed.
    pub fn kept(self, range: TextRange) -> Option<TextRange> {
        if range.end <= self.start {
            return Some(range);
        }
        let is_behind = range.start >= self.old_end;
        is_behind.then(|| TextRange::new(self.offset(range.start), self.offset(range.end)))
    }

    /// Where a range of the old text lies in the new one, which may also have the whole stretch inside.
    pub fn stretched(self, range: TextRange) -> Option<TextRange> {
        let has_it = range.start <= self.start && self.old_end <= range.end;
        self.kept(range)
            .or_else(|| has_it.then(|| TextRange::new(range.start, self.offset(range.end))))
    }

    /// Where a place behind the stretch lies in the new text.
    fn offset(self, old: usize) -> usize {
        old - self.old_end + self.new_end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_move_with_the_text_behind_an_edit() {
        let moved = Moved::between(b"one two three", b"one 2 + 2 three");
        let kept = |start, end| moved.kept(TextRange::new(start, end));
        assert_eq!(kept(0, 3), Some(TextRange::new(0, 3)));
        assert_eq!(kept(8, 13), Some(TextRange::new(10, 15)));
        assert_eq!(kept(4, 7), None);
        let whole = moved.stretched(TextRange::new(0, 13));
        assert_eq!(whole, Some(TextRange::new(0, 15)));
    }

    #[test]
    fn texts_that_are_the_same_move_nothing() {
        let moved = Moved::between(b"aaa", b"aaa");
        assert_eq!(moved.kept(TextRange::new(0, 3)), Some(TextRange::new(0, 3)));
        let longer = Moved::between(b"aaa", b"aaaa");
        assert_eq!(
            longer.kept(TextRange::new(0, 3)),
            Some(TextRange::new(0, 3))
        );
    }
}
