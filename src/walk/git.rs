//! What git tracks, asked of git itself.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What git says of a tree. Paths are relative to the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Listing {
    /// Tracked files; a submodule that is not checked out is in it as its folder.
    pub(super) tracked: Vec<PathBuf>,
    /// What lies beside them, a folder with nothing tracked in it as one path.
    pub(super) others: Vec<PathBuf>,
}

/// Whether `root` lies in a git work tree, by the `.git` at or above it. Git need not be there.
pub(super) fn covers(root: &Path) -> bool {
    root.ancestors()
        .any(|folder| folder.join(".git").symlink_metadata().is_ok())
}

/// Ask git for the files of `root`.
///
/// # Errors
/// What git said, or why it could not be run.
pub(super) fn list(root: &Path) -> Result<Listing, String> {
    let tracked = ls_files(root, &["--cached", "--recurse-submodules"])?;
    let others = ls_files(root, &["--others", "--directory", "--no-empty-directory"])?;
    Ok(Listing { tracked, others })
}

fn ls_files(root: &Path, what: &[&str]) -> Result<Vec<PathBuf>, String> {
    let paths = asked(root, &[&["ls-files", "-z"], what].concat())?;
    Ok(paths
        .split(|&byte| byte == 0)
        .filter(|path| !path.is_empty())
        .map(|path| PathBuf::from(OsStr::from_bytes(path.strip_suffix(b"/").unwrap_or(path))))
        .collect())
}

/// What git answers in a folder.
///
/// # Errors
/// What git said, or why it could not be run.
pub(super) fn asked(folder: &Path, what: &[&str]) -> Result<Vec<u8>, String> {
    let mut command = Command::new("git");
    // A hook's variables point at another repository, and a repository's own configuration must
    // not make git run a program of its choice.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(variable);
    }
    command
        .env("LC_ALL", "C")
        .arg("-C")
        .arg(folder)
        .args(["-c", "core.fsmonitor=false"])
        .args(what);
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let first = said.lines().next().unwrap_or("it failed without a word");
        return Err(first.to_owned());
    }
    Ok(output.stdout)
}
