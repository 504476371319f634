//! One file, written so that it is never half there.

use std::path::Path;

use super::EmitError;

/// Write `bytes` to `path`, under a temporary name first. Without `overwrite` a file that is
/// there stays, and that is an error. `mode` gives the permission bits; `None` for those of the
/// file that is replaced, or of any new file.
///
/// # Errors
/// [`EmitError::Exists`], or what the system says.
pub fn file(
    _path: &Path,
    _bytes: &[u8],
    _overwrite: bool,
    _mode: Option<u32>,
) -> Result<(), EmitError> {
    unimplemented!()
}
