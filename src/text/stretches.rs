//! What two lists of lines, words or tokens have in common, and where they differ.

use std::hash::Hash;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput, Interner, NoSliderHeuristic, Token};

/// A part of two lists, which is the same in both or differs as a whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stretch {
    /// Its items in the older list.
    pub old: Range<usize>,
    /// Its items in the newer list.
    pub new: Range<usize>,
    /// Whether both have the same items there.
    pub is_same: bool,
}

/// The stretches of two lists in their order. Together they hold all items of both, and of two neighbours one is the
/// same in both lists and one is not.
pub fn stretches<T: Eq + Hash>(
    old: impl IntoIterator<Item = T>,
    new: impl IntoIterator<Item = T>,
) -> Vec<Stretch> {
    let mut input = InternedInput {
        before: Vec::new(),
        after: Vec::new(),
        interner: Interner::new(0),
    };
    input.update_before(old.into_iter());
    input.update_after(new.into_iter());
    compare(&input.before, &input.after, input.interner.num_tokens())
}

fn compare(old: &[Token], new: &[Token], different: u32) -> Vec<Stretch> {
    let mut diff = Diff::default();
    diff.compute_with(Algorithm::Histogram, old, new, different);
    diff.postprocess_with(old, new, NoSliderHeuristic);
    let mut found = Vec::new();
    let (mut old_at, mut new_at) = (0, 0);
    let mut push = |old: Range<usize>, new: Range<usize>, is_same: bool| {
        if !old.is_empty() || !new.is_empty() {
            found.push(Stretch { old, new, is_same });
        }
    };
    for hunk in diff.hunks() {
        let before = hunk.before.start as usize..hunk.before.end as usize;
        let after = hunk.after.start as usize..hunk.after.end as usize;
        push(old_at..before.start, new_at..after.start, true);
        (old_at, new_at) = (before.end, after.end);
        push(before, after, false);
    }
    push(old_at..old.len(), new_at..new.len(), true);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_and_changed_stretches_take_turns() {
        let found = stretches("abcxyd".chars(), "abzcd".chars());
        let shown = found.iter().map(|one| {
            (
                one.old.start..one.old.end,
                one.new.start..one.new.end,
                one.is_same,
            )
        });
        let wanted = [
            (0..2, 0..2, true),
            (2..2, 2..3, false),
            (2..3, 3..4, true),
            (3..5, 4..4, false),
            (5..6, 4..5, true),
        ];
        assert_eq!(shown.collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn empty_lists_have_no_stretches() {
        assert_eq!(stretches::<u8>([], []), []);
    }
}
