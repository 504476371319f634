//! A person's edit and a new port of the same text, put together.
//!
//! Three texts: the *base*, which the last port wrote; *yours*, which a person made of it; and the
//! *port*, which would be written now. What only one side changed is taken from that side. Where both
//! changed the same lines otherwise, the place is marked as git does it, with names that tell the
//! program its own marks from anybody else's.

mod lines;
mod marks;

pub(super) use marks::{Sides, has_marks, places, resolve_conflicts};

use diffy::{IncompleteHunkStyle, MergeOptions};

use lines::{Ends, Style, three_ways};
use marks::MergePiece;

/// Whether the three are alike enough to be put together: what shares next to nothing takes long to
/// compare, and its merge would be one conflict.
pub(super) fn is_feasible(base: &[u8], yours: &[u8], port: &[u8]) -> bool {
    lines::are_comparable(base, yours) && lines::are_comparable(base, port)
}

/// The result of a merge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Merged {
    /// The text, with marks where both sides changed the same.
    pub(super) text: Vec<u8>,
    /// How many places are marked.
    pub(super) conflicts: usize,
}

/// Put the texts together. Places that both changed are decided by `sides`.
///
/// Line ends, and whether the last line has one, are merged by themselves: a file that somebody's
/// editor or git gave other line ends is not changed in each of its lines.
pub(super) fn merge(base: &[u8], yours: &[u8], port: &[u8], sides: Sides) -> Merged {
    let texts = [base, yours, port];
    let [base, yours, port] = texts.map(Style::of);
    let ends = Ends::merge(base.ends, yours.ends, port.ends);
    let has_last = three_ways(base.has_last, yours.has_last, port.has_last);
    // Where one of them mixes its line ends, they are a part of the lines.
    let plain: Vec<Vec<u8>> = texts
        .iter()
        .map(|text| lines::plain(text, ends.is_some()))
        .collect();
    let [base, yours, port] = plain.as_slice() else {
        return Merged {
            text: texts[1].to_vec(),
            conflicts: 0,
        };
    };
    let length = marks::unused_length(&[base, yours, port]);
    let merged = MergeOptions::new()
        .set_conflict_marker_length(length)
        .set_incomplete_hunk_style(IncompleteHunkStyle::Git)
        .merge_bytes(base, yours, port);
    let (text, conflicts) = match merged {
        Ok(text) => (text, 0),
        Err(text) => render(&marks::pieces(&text, length), sides),
    };
    let is_marked = text.ends_with(marks::LAST);
    Merged {
        text: lines::dressed(text, ends, has_last || is_marked),
        conflicts,
    }
}

fn render(pieces: &[MergePiece<'_>], sides: Sides) -> (Vec<u8>, usize) {
    let mut text = Vec::new();
    let mut conflicts = 0;
    for piece in pieces {
        conflicts += usize::from(piece.write(sides, &mut text));
    }
    (text, conflicts)
}

/// The permission bits that a file gets: what the port set last, with what either side changed
/// since. A bit has but two values, so the sides can't disagree.
pub(super) fn mode(base: Option<u32>, yours: Option<u32>, port: Option<u32>) -> Option<u32> {
    match (base, yours, port) {
        (Some(base), Some(yours), Some(port)) => Some(base ^ ((base ^ yours) | (base ^ port))),
        (_, yours, None) => yours,
        (_, _, port) => port,
    }
}

#[cfg(test)]
mod tests;
