//! The same for Python, which has no tokens of its own here: the tree says what an edit broke.

use super::{Withdrawn, withdraw_errors};
use crate::edit::{Applied, EditSet, GroupId};
use crate::syntax::python_errors;

/// Apply the edits to a module, taking out the groups that bring syntax errors.
pub fn apply_verified_python(text: &[u8], edits: &mut EditSet) -> (Applied, Vec<Withdrawn>) {
    let applied = edits.apply(text);
    let mut groups: Vec<GroupId> = edits.iter().map(|edit| edit.group).collect();
    groups.dedup();
    let withdrawn = withdraw_errors(text, edits, &applied.text, &groups, python_errors);
    if withdrawn.is_empty() {
        (applied, withdrawn)
    } else {
        (edits.apply(text), withdrawn)
    }
}
