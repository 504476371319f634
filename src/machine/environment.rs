//! What the environment says: variables, and the folder that all usual places lie below.

use std::collections::BTreeMap;
use std::env::JoinPathsError;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

/// The architecture of the processor that this program is made for.
pub const ARCHITECTURE: &str = std::env::consts::ARCH;

/// The variables of a process, and where its machine's folders begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
    root: PathBuf,
}

impl Environment {
    /// What this process was started with. Only `main` asks.
    pub fn of_process() -> Self {
        Self {
            variables: std::env::vars_os().collect(),
            root: PathBuf::from("/"),
        }
    }

    /// A machine of its own: these variables, and usual places such as `/usr/local/musa` below `root`.
    pub fn made(variables: &[(&str, &str)], root: &Path) -> Self {
        let variables = variables.iter();
        Self {
            variables: variables
                .map(|(name, value)| (OsString::from(name), OsString::from(value)))
                .collect(),
            root: root.to_owned(),
        }
    }

    /// A machine without variables, and with nothing in any usual place.
    pub fn none() -> Self {
        Self::made(&[], Path::new("/dev/null"))
    }

    /// The value of a variable; `None` where it is empty, too, as programs of MUSA's take it.
    pub fn variable(&self, name: &str) -> Option<&OsStr> {
        let value = self.variables.get(OsStr::new(name))?;
        (!value.is_empty()).then_some(value.as_os_str())
    }

    /// The value of a variable as text.
    pub fn text(&self, name: &str) -> Option<String> {
        let value = self.variable(name)?;
        Some(value.to_string_lossy().into_owned())
    }

    /// The folders that a variable lists, such as PATH.
    pub fn folders(&self, name: &str) -> Vec<PathBuf> {
        let value = self.variable(name);
        value.map_or_else(Vec::new, |value| std::env::split_paths(value).collect())
    }

    /// What a variable that lists folders says with one more before them; what it says if that is the first already.
    ///
    /// # Errors
    /// The folder's name can't stand in a list.
    pub fn with_folder(&self, name: &str, folder: &Path) -> Result<OsString, JoinPathsError> {
        let mut list = std::env::join_paths([folder])?;
        if let Some(before) = self.variable(name) {
            if self.folders(name).first().is_some_and(|own| own == folder) {
                return Ok(before.to_owned());
            }
            list.push(":");
            list.push(before);
        }
        Ok(list)
    }

    /// This environment with another value of a variable.
    #[must_use]
    pub fn with(&self, name: &str, value: &str) -> Self {
        let mut other = self.clone();
        other.variables.insert(name.into(), value.into());
        other
    }

    /// All variables, by name.
    pub fn variables(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        let variables = self.variables.iter();
        variables.map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }

    /// A usual place, which a table writes as an absolute path.
    pub fn place(&self, usual: &str) -> PathBuf {
        self.root.join(usual.trim_start_matches('/'))
    }

    /// A program by its name, as a shell finds it on the PATH; a name with a `/` is a path already. A relative folder
    /// on the PATH is left out: it would let the folder that the program was started in bring programs.
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        if name.contains('/') {
            let path = PathBuf::from(name);
            return is_program(&path).then_some(path);
        }
        self.folders("PATH")
            .into_iter()
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join(name))
            .find(|path| is_program(path))
    }
}

/// Whether a path is a file that this user may run.
pub(super) fn is_program(path: &Path) -> bool {
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
}
