//! Writes one file so that it is never half written.

use std::io::ErrorKind;
use std::path::Path;

use super::{EmitError, write};

/// Write `bytes` to `path`, under a temporary name first. Without `overwrite` a file that is
/// there stays, and that is an error. `mode` gives the permission bits; `None` for those of any
/// new file.
///
/// # Errors
/// [`EmitError::Exists`], or what the system says.
pub fn file(
    path: &Path,
    bytes: &[u8],
    overwrite: bool,
    mode: Option<u32>,
) -> Result<(), EmitError> {
    write::put(path, bytes, overwrite, mode).map_err(|source| match source.kind() {
        ErrorKind::AlreadyExists => EmitError::Exists(path.to_owned()),
        ErrorKind::NotFound | ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            let folder = path
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            EmitError::Parent {
                path: folder.unwrap_or(Path::new(".")).to_owned(),
                source,
            }
        }
        _ => EmitError::early(path)(source),
    })
}
