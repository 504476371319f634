//! A port in the input's own place.

use super::{EmitError, Emitted, Plan};

/// Write the plan into the input itself: changed files atomically one by one, files under a new
/// name first and their old names removed once everything is written. Files whose bytes and
/// place do not change are not touched. No manifest is left. `plan.output` is `plan.input`.
///
/// # Errors
/// [`EmitError::NotClean`] unless the input lies in a git work tree without changes to tracked
/// files, or `force` is set; nothing is written then.
pub fn in_place(_plan: &Plan, _force: bool) -> Result<Emitted, EmitError> {
    unimplemented!()
}
