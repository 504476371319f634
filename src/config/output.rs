//! The default place of a result, and whether a result can go there.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{ConfigError, absolute};
use crate::mapping::Rename;
use crate::mapping::knowledge::Knowledge;

/// `k.mu` for `k.cu`; a file whose ending stays gets `_musa` before it.
pub(super) fn ported_name(input: &Path, rename: Rename) -> OsString {
    let ending = input.extension().unwrap_or_default();
    let renamed = ending.to_str().filter(|_| rename != Rename::Never);
    let files = &Knowledge::builtin().files;
    let renamed = renamed.and_then(|ending| files.with_musa_ending(&format!(".{ending}")));
    let renamed = renamed
        .as_deref()
        .map(|ending| ending.trim_start_matches('.'));
    let mut name = input.file_stem().unwrap_or_default().to_owned();
    if renamed.is_none() {
        name.push("_musa");
    }
    let ending = renamed.map_or(ending, OsStr::new);
    if !ending.is_empty() {
        name.push(".");
        name.push(ending);
    }
    name
}

/// The folder that holds the input as the user named it: a link's own, not its target's.
pub(super) fn beside(named: &Path, real: &Path) -> Result<PathBuf, ConfigError> {
    let own = if named.file_name().is_some() {
        std::path::absolute(named).unwrap_or_else(|_| real.to_owned())
    } else {
        real.to_owned()
    };
    match own.parent() {
        Some(parent) => resolve_output(parent),
        None => Err(ConfigError::usage(
            "the file system's root has no place beside it",
            "name the output with -o",
        )),
    }
}

/// `NAME_musa` beside the input; for `.` and `..` the folder's real name.
pub(super) fn default_folder(named: &Path, real: &Path) -> Result<PathBuf, ConfigError> {
    let folder = beside(named, real)?;
    let mut name = named
        .file_name()
        .or_else(|| real.file_name())
        .unwrap_or(OsStr::new("root"))
        .to_owned();
    name.push("_musa");
    Ok(folder.join(name))
}

pub(super) fn resolve_output(output: &Path) -> Result<PathBuf, ConfigError> {
    absolute(output).map_err(|error| ConfigError::OutputParent {
        path: output.to_owned(),
        reason: error.to_string(),
    })
}

/// Make sure that a place for a file, which is no folder, is not written as one: `OUT/`.
pub(super) fn file_place(typed: &Path) -> Result<(), ConfigError> {
    if !typed.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Ok(());
    }
    Err(ConfigError::usage(
        format!("there is no folder {}", typed.display()),
        "make it first, or name the file with -o",
    ))
}

/// A tree is not written to where a link leads: the output's own, or one that lies in the input. Whoever made the
/// tree would say then where its port goes.
pub(super) fn refuse_links(output: &Path, input: &Path) -> Result<(), ConfigError> {
    let full = std::path::absolute(output).unwrap_or_else(|_| output.to_owned());
    for (at, path) in full.ancestors().enumerate() {
        let is_link = path
            .symlink_metadata()
            .is_ok_and(|found| found.is_symlink());
        let above = || path.parent().and_then(|above| above.canonicalize().ok());
        if is_link && (at == 0 || above().is_some_and(|above| above.starts_with(input))) {
            return Err(ConfigError::OutputParent {
                path: path.to_owned(),
                reason: "it is a link".to_owned(),
            });
        }
    }
    Ok(())
}

/// Whether the nearest folder above the output that is there can take it.
pub(super) fn output_is_possible(output: &Path) -> Result<(), ConfigError> {
    for parent in output.ancestors().skip(1) {
        match parent.metadata() {
            Ok(found) if found.is_dir() => return Ok(()),
            Ok(_) => {
                return Err(ConfigError::OutputParent {
                    path: parent.to_owned(),
                    reason: "it is not a folder".to_owned(),
                });
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => {
                return Err(ConfigError::OutputParent {
                    path: parent.to_owned(),
                    reason: error.to_string(),
                });
            }
        }
    }
    Ok(())
}
