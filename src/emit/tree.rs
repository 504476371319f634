//! A whole output tree.

use super::{EmitError, Emitted, Plan, Stamp};

/// Write the plan to its output, with manifest and report under `.torchada/`.
///
/// A new output is built aside and renamed into place once. Over the output of an earlier port
/// each file is replaced atomically, unchanged ones are not touched, and files that the plan no
/// longer has are removed.
///
/// # Errors
/// [`EmitError`]; all but one that has [`EmitError::begun`] leave the output as it was.
pub fn tree(_plan: &Plan, _stamp: &Stamp<'_>) -> Result<Emitted, EmitError> {
    unimplemented!()
}
