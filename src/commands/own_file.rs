//! Files that a command writes at a place that the user names: they take the place of nothing that another wrote.

use std::io::ErrorKind;
use std::path::Path;

use crate::config::{ConfigError, display_path};
use crate::files;
use crate::mapping::safety;

/// A place for a file, as an option names it.
#[derive(Clone, Copy)]
pub(super) struct OwnFile<'a> {
    /// The place.
    pub(super) path: &'a Path,
    /// The option that names it.
    pub(super) option: &'static str,
    /// Says of a file that is there and not of this kind what it is, behind "and": "no report of torchada's".
    pub(super) otherwise: &'static str,
}

impl OwnFile<'_> {
    /// Make sure that the file can be written, before any work is done: its folder is there, and where a file is at
    /// the place, it is one of this kind. Says whether one is.
    ///
    /// # Errors
    /// What is in the way.
    pub(super) fn check(self, is_ours: impl Fn(&[u8]) -> bool) -> Result<bool, ConfigError> {
        let shown = display_path(self.path);
        let help = format!("give another FILE to {}", self.option);
        let refuse = |message: String| Err(ConfigError::usage(message, help.clone()));
        if self.path.as_os_str() == "-" {
            return Err(ConfigError::usage(
                format!("`-` is no file that {} can name", self.option),
                format!("give a FILE to {}, or leave it out", self.option),
            ));
        }
        match self.path.symlink_metadata() {
            Ok(_) if self.path.is_dir() => refuse(format!("{shown} is a folder")),
            Ok(_) => {
                let text = files::read_named(self.path, safety::BYTES_REPORT);
                if text.is_ok_and(|text| is_ours(&text)) {
                    return Ok(true);
                }
                refuse(format!("{shown} is there, and {}", self.otherwise))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let folder = self.path.parent();
                let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
                match folder.filter(|folder| !folder.is_dir()) {
                    None => Ok(false),
                    Some(folder) => Err(ConfigError::usage(
                        format!("there is no folder {} for {shown}", display_path(folder)),
                        format!("make it first, or {help}"),
                    )),
                }
            }
            Err(error) => refuse(format!("can't write {shown}: {error}")),
        }
    }
}

/// Whether two paths lead to one file that is there.
pub(super) fn is_same_file(one: &Path, other: &Path) -> bool {
    let one = one.canonicalize();
    one.is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}
