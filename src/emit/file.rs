//! One file, written so that it is never half there.

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
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    write::put(path, folder, bytes, overwrite, mode).map_err(|source| match source.kind() {
        ErrorKind::AlreadyExists => EmitError::Exists(path.to_owned()),
        ErrorKind::NotFound | ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            EmitError::Parent {
                path: folder.to_owned(),
                source,
            }
        }
        _ => EmitError::early(path, source),
    })
}

/// Whether a folder could be written, before the work is done whose result it is to take: makes
/// and removes a temporary folder in the nearest folder above `output` that is there.
///
/// # Errors
/// [`EmitError::Parent`].
pub fn probe(output: &Path) -> Result<(), EmitError> {
    let parents = output.ancestors().skip(1);
    let Some(folder) = parents
        .filter(|parent| !parent.as_os_str().is_empty())
        .find(|parent| parent.is_dir())
    else {
        return Ok(());
    };
    tempfile::Builder::new()
        .prefix(write::TEMPORARY)
        .tempdir_in(folder)
        .map(drop)
        .map_err(|source| EmitError::Parent {
            path: folder.to_owned(),
            source,
        })
}
