//! Into a folder that is there already.

use super::{EmitError, Emitted, Plan, Stamp};

/// Write the plan into a tree that holds other files as well, as `--layout` does: the plan lists
/// what is added or changed, and all else stays. The manifest under `.torchada/` remembers what
/// was written, so that the next run can replace it.
///
/// A file of the plan that takes the place of its own source is an edit of the input, which
/// needs a clean git work tree or `force`.
///
/// # Errors
/// [`EmitError`]; all but one that has [`EmitError::begun`] leave the tree as it was.
pub fn beside(_plan: &Plan, _stamp: &Stamp<'_>, _force: bool) -> Result<Emitted, EmitError> {
    unimplemented!()
}
