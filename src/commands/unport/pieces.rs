//! The text of a file after the patch, in pieces: text that the tree's file has, too, and text that the patch added.

use crate::commands::same_text::{Same, same};
use crate::edit::Edit;
use crate::text::TextRange;

/// A piece of the text after the patch, by its place there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PatchPiece {
    /// Comes from the tree's file: its place there.
    Old(TextRange),
    /// Is new.
    New(TextRange),
}

/// The text of a file after the patch.
#[derive(Default, Debug)]
pub(super) struct Pieces {
    /// Its pieces in order.
    pub(super) all: Vec<PatchPiece>,
    /// Where a part of what an edit wrote is left, and the range of that edit in the tree's file.
    pub(super) torn: Vec<(TextRange, TextRange)>,
}

impl Pieces {
    fn push(&mut self, piece: PatchPiece) {
        match (self.all.last_mut(), piece) {
            (Some(PatchPiece::New(last)), PatchPiece::New(next)) if last.end == next.start => {
                last.end = next.end;
            }
            (_, piece) => self.all.push(piece),
        }
    }
}

/// Take the text of the port after the patch apart. `edits` made `ported` of the tree's file.
pub(super) fn pieces(ported: &[u8], patched: &[u8], edits: &[Edit]) -> Pieces {
    let mut found = Pieces::default();
    let mut at = 0;
    let moved = moved(edits);
    for same in same(ported, patched) {
        if at < same.new.start {
            found.push(PatchPiece::New(TextRange::new(at, same.new.start)));
        }
        old(&same, &moved, &mut found);
        at = same.new.end;
    }
    if at < patched.len() {
        found.push(PatchPiece::New(TextRange::new(at, patched.len())));
    }
    found
}

/// Each edit's place in the tree's file and in the port.
fn moved(edits: &[Edit]) -> Vec<(TextRange, TextRange)> {
    let mut shift = 0_isize;
    let mut found = Vec::new();
    for edit in edits {
        let start = edit.range.start.saturating_add_signed(shift);
        let end = start + edit.replacement.len();
        found.push((edit.range, TextRange::new(start, end)));
        shift += edit.replacement.len().cast_signed() - edit.range.len().cast_signed();
    }
    found
}

/// The pieces of one stretch that both texts have. A whole edit is undone; the text of a part of an edit counts as new.
fn old(same: &Same, moved: &[(TextRange, TextRange)], found: &mut Pieces) {
    let (mut start, mut end) = (same.old.start, same.old.end);
    let to_new = |at: usize| at - same.old.start + same.new.start;
    let inside = |at: usize| {
        let next = moved.partition_point(|(_, new)| new.start < at);
        let near = next.checked_sub(1).and_then(|near| moved.get(near));
        near.filter(|(_, new)| at < new.end).copied()
    };
    if let Some((edit, cut)) = inside(start) {
        start = cut.end.min(end);
        let place = TextRange::new(same.new.start, to_new(start));
        found.torn.push((place, edit));
        found.push(PatchPiece::New(place));
    }
    let mut behind = None;
    if let Some((edit, cut)) = inside(end).filter(|(_, cut)| cut.start >= start && start < end) {
        let place = TextRange::new(to_new(cut.start), same.new.end);
        found.torn.push((place, edit));
        behind = Some(place);
        end = cut.start;
    }
    if start < end {
        found.push(PatchPiece::Old(TextRange::new(
            back(start, moved, start == 0),
            back(end, moved, false),
        )));
    }
    if let Some(place) = behind {
        found.push(PatchPiece::New(place));
    }
}

/// The place in the tree's file of one in the port that is in no edit. `first`: before what the port left out there.
fn back(at: usize, moved: &[(TextRange, TextRange)], first: bool) -> usize {
    let next = moved.partition_point(|(_, new)| {
        new.start < at || (new.start == at && !first && new.is_empty())
    });
    match next.checked_sub(1).and_then(|last| moved.get(last)) {
        None => at,
        Some((old, new)) => old.end + (at - new.end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{EditSet, GroupId};

    fn edited(text: &str, changes: &[(&str, &str)]) -> (Vec<u8>, Vec<Edit>) {
        let mut set = EditSet::default();
        for (old, new) in changes {
            let start = text.find(old).expect("there");
            let range = TextRange::new(start, start + old.len());
            let edit = Edit::rewrite(range, new, "test", None, GroupId(0));
            set.insert(edit).expect("free");
        }
        (
            set.apply(text.as_bytes()).text,
            set.iter().cloned().collect(),
        )
    }

    fn shown(text: &str, changes: &[(&str, &str)], patched: &str) -> String {
        let (ported, edits) = edited(text, changes);
        let pieces = pieces(&ported, patched.as_bytes(), &edits).all;
        let piece = |piece: &PatchPiece| match piece {
            PatchPiece::Old(range) => {
                String::from_utf8_lossy(range.of(text.as_bytes())).into_owned()
            }
            PatchPiece::New(range) => format!(
                "[{}]",
                String::from_utf8_lossy(range.of(patched.as_bytes()))
            ),
        };
        pieces.iter().map(piece).collect()
    }

    #[test]
    fn what_the_patch_leaves_comes_from_the_tree() {
        let text = "one cudaA(x);\ntwo\nthree cudaB\n";
        let changes = [("cudaA", "musaA"), ("cudaB", "musaB")];
        assert_eq!(
            shown(text, &changes, "one musaA(x, y);\nnew\ntwo\nthree musaB\n"),
            "one cudaA(x[, y]);\n[new\n]two\nthree cudaB\n"
        );
        assert_eq!(
            shown(text, &changes, "one musaA(x);\ntwo\n"),
            "one cudaA(x);\ntwo\n"
        );
    }

    #[test]
    fn what_the_port_left_out_or_put_in_stays_where_it_was() {
        let text = "a\ngone\nb\nc\n";
        let changes = [("gone\n", ""), ("c", "put in\nc")];
        assert_eq!(
            shown(text, &changes, "a\nb\nput in\nc\nnew\n"),
            "a\ngone\nb\nc\n[new\n]"
        );
        assert_eq!(
            shown(text, &changes, "a\nnew\nb\nput in\nc\n"),
            "a\ngone\n[new\n]b\nc\n"
        );
    }

    #[test]
    fn a_part_of_what_the_port_wrote_is_new() {
        assert_eq!(
            shown("f(x)\n", &[("x", "p, q")], "f(p, r)\n"),
            "f([p, r])\n"
        );
    }
}
