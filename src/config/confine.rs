//! Confines a configuration file that a tree brings along: its paths can't lead outside of its own folder.
//!
//! Architecture invariant: a file that nobody named on the command line can configure a run, and can't make it
//! read, write or list anything outside of the folder that the file lies in.

use std::path::{Component, Path, PathBuf};

use super::{ConfigError, Origin, Set, absolute};
use crate::mapping::safety;

/// A configuration file whose paths are checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConfinedFile<'a> {
    /// The folder that its paths are relative to, canonical.
    pub(super) base: &'a Path,
    /// Whether the user named the file on the command line: then it is the user's own word.
    pub(super) is_named: bool,
}

impl ConfinedFile<'_> {
    /// The whole path of one that the file has under a key.
    ///
    /// # Errors
    /// A path that leads out of the folder, or into what version control or this program keeps there.
    pub(super) fn path(
        &self,
        key: &str,
        path: &str,
        origin: &Origin,
    ) -> Result<PathBuf, ConfigError> {
        let full = self.base.join(path);
        if self.is_named {
            return Ok(full);
        }
        let refuse = |why: &str| {
            ConfigError::usage(
                format!("{origin}: `{key}` names {path}, which {why}"),
                "a configuration that comes with a tree stays in its folder; name the place on the command line, \
                 or the file with --config if you trust it",
            )
        };
        let real = absolute(&full);
        let inside = real
            .as_deref()
            .ok()
            .and_then(|real| real.strip_prefix(self.base).ok());
        match inside {
            None => Err(refuse("lies outside of the folder of the file")),
            Some(inside) if inside.iter().any(safety::is_reserved) => {
                Err(refuse("belongs to version control or to this program"))
            }
            Some(_) => Ok(full),
        }
    }

    /// The whole paths of a list that the file has under a key.
    ///
    /// # Errors
    /// See [`ConfinedFile::path`].
    pub(super) fn paths(
        &self,
        key: &str,
        paths: &Set<Vec<String>>,
    ) -> Result<Set<Vec<PathBuf>>, ConfigError> {
        let full = paths.value.iter();
        let full = full.map(|path| self.path(key, path, &paths.origin));
        Ok(Set {
            value: full.collect::<Result<_, _>>()?,
            origin: paths.origin.clone(),
        })
    }

    /// Whether a layout may write to a folder, relative to the root of the tree: one from which nothing on this
    /// machine takes what it runs.
    ///
    /// # Errors
    /// Why not.
    pub(super) fn may_write(
        &self,
        root: &Path,
        folder: &Path,
        origin: &Origin,
    ) -> Result<(), ConfigError> {
        if self.is_named {
            return Ok(());
        }
        let refuse = |why: &str| {
            ConfigError::usage(
                format!(
                    "{origin}: `layout` would write to {}, {why}",
                    folder.display()
                ),
                "say --layout FROM=TO on the command line if that is what you want",
            )
        };
        let mut at = PathBuf::new();
        for part in folder.components() {
            let Component::Normal(name) = part else {
                return Err(refuse("which leads out of the tree"));
            };
            at.push(name);
            if name.as_encoded_bytes().starts_with(b".") {
                return Err(refuse("a hidden folder"));
            }
            let is_installed = safety::INSTALLED
                .iter()
                .any(|own| name.eq_ignore_ascii_case(own));
            let is_marked = safety::INSTALLED_MARKS
                .iter()
                .any(|mark| root.join(&at).join(mark).symlink_metadata().is_ok());
            if is_installed || is_marked {
                return Err(refuse("from which programs are run"));
            }
        }
        Ok(())
    }
}
