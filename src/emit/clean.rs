//! Has git everything safe that a run is about to change?

use std::path::Path;
use std::process::Command;

use super::EmitError;

/// Whether `folder` lies in a git work tree in which no tracked file under it has changed.
///
/// # Errors
/// [`EmitError::NotClean`] with what stands in the way.
pub(super) fn check(folder: &Path) -> Result<(), EmitError> {
    let refuse = |reason: String| EmitError::NotClean {
        path: folder.to_owned(),
        reason,
    };
    let mut command = Command::new("git");
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(variable);
    }
    let output = command
        .env("LC_ALL", "C")
        .arg("-C")
        .arg(folder)
        .args(["-c", "core.fsmonitor=false"])
        .args([
            "status",
            "--porcelain",
            "-z",
            "--untracked-files=no",
            "--",
            ".",
        ])
        .output()
        .map_err(|error| refuse(format!("git can't be asked ({error})")))?;
    if !output.status.success() {
        return Err(refuse("it does not lie in a git work tree".to_owned()));
    }
    let entries = output.stdout.split(|&byte| byte == 0);
    let changed: Vec<_> = entries.filter(|entry| !entry.is_empty()).collect();
    match changed.first() {
        None => Ok(()),
        Some(first) => {
            let path = String::from_utf8_lossy(first.get(3..).unwrap_or_default());
            Err(refuse(match changed.len() - 1 {
                0 => format!("{path} has changes that are not committed"),
                more => format!("{path} and {more} more have changes that are not committed"),
            }))
        }
    }
}
