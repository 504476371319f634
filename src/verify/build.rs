//! The same for build files.

use super::{Withdrawn, withdraw_errors};
use crate::edit::{Applied, EditSet, GroupId};

/// Counts the syntax errors of a text; `None` where it can't be parsed.
pub type CountErrors = fn(&[u8]) -> Option<usize>;

/// Apply the edits to a build file, taking out the groups that bring syntax errors. `count` counts those, where a
/// grammar tells.
pub fn apply_verified_build(
    text: &[u8],
    edits: &mut EditSet,
    count: Option<CountErrors>,
) -> (Applied, Vec<Withdrawn>) {
    let mut applied = edits.apply(text);
    let Some(count) = count else {
        return (applied, Vec::new());
    };
    let mut groups: Vec<GroupId> = edits.iter().map(|edit| edit.group).collect();
    groups.sort_unstable();
    groups.dedup();
    let withdrawn = withdraw_errors(text, edits, &applied.text, &groups, count);
    if !withdrawn.is_empty() {
        applied = edits.apply(text);
    }
    (applied, withdrawn)
}
