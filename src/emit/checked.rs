//! Checks that a plan can be written at all, and only inside its output.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{EmitError, OutputFile, Plan};
use crate::config::display_path;
use crate::diagnostic::Finding;
use crate::diagnostic::codes::project::CASE_TWINS;
use crate::files::is_plain;
use crate::git;
use crate::mapping::safety;

/// The plan's files by path, once every path is known to stay inside the output and to be wanted
/// by one file only.
pub(super) fn check(plan: &Plan) -> Result<BTreeMap<&Path, &OutputFile>, EmitError> {
    let mut files: BTreeMap<&Path, &OutputFile> = BTreeMap::new();
    let mut folders: BTreeMap<&Path, &OutputFile> = BTreeMap::new();
    for file in &plan.files {
        let path = file.path.as_path();
        let refuse = |reason| EmitError::Unsafe {
            path: path.to_owned(),
            reason,
        };
        if path.as_os_str().is_empty() {
            return Err(refuse("the path is empty"));
        }
        if !is_plain(path) {
            return Err(refuse("the path leaves the output"));
        }
        if !is_possible(path) {
            return Err(refuse(
                "it lies in a folder of version control or of this program",
            ));
        }
        if let Some(other) = files.insert(path, file) {
            return Err(collision(path, other, file));
        }
        for folder in path.ancestors().skip(1) {
            let Entry::Vacant(slot) = folders.entry(folder) else {
                // What is above it came with it.
                break;
            };
            slot.insert(file);
        }
    }
    for (path, file) in &files {
        if let Some(other) = folders.get(path) {
            return Err(collision(path, file, other));
        }
    }
    Ok(files)
}

/// Whether a port may write to a path of its output: it leads nowhere else, and into no folder from which git
/// or this program take what they obey.
pub(super) fn is_possible(path: &Path) -> bool {
    is_plain(path) && !path.iter().any(safety::is_reserved)
}

/// Whether a folder lies in a git work tree in which no tracked file under it has changed, and which tracks each of
/// the files that are to be changed or removed: git can bring back nothing else.
///
/// # Errors
/// [`EmitError::NoWorkTree`], or [`EmitError::NotClean`] or [`EmitError::Untracked`] with what stands in the way.
pub(super) fn is_committed<'a>(
    folder: &Path,
    touched: impl Iterator<Item = &'a Path>,
) -> Result<(), EmitError> {
    let refuse = |reason: String| EmitError::NotClean {
        path: folder.to_owned(),
        reason,
    };
    if !git::covers(folder) {
        return Err(EmitError::NoWorkTree(folder.to_owned()));
    }
    let state = git::work_tree_state(folder);
    let state = state.map_err(|error| refuse(format!("git can't be asked ({error})")))?;
    let untracked: BTreeSet<&Path> = touched
        .filter(|path| !state.tracked.contains(*path))
        .collect();
    if !untracked.is_empty() {
        return Err(EmitError::Untracked {
            path: folder.to_owned(),
            files: untracked.into_iter().map(Path::to_owned).collect(),
        });
    }
    let Some(first) = state.uncommitted.first().map(|path| display_path(path)) else {
        return Ok(());
    };
    Err(refuse(match state.uncommitted.len() - 1 {
        0 => format!("{first} has changes that are not committed"),
        more => format!("{first} and {more} more have changes that are not committed"),
    }))
}

fn collision(path: &Path, first: &OutputFile, second: &OutputFile) -> EmitError {
    let named = |file: &OutputFile| file.source.clone().unwrap_or_else(|| file.path.clone());
    EmitError::Collision {
        path: path.to_owned(),
        first: named(first),
        second: named(second),
    }
}

/// A finding for each path that another one equals but for case: some file systems can't hold
/// both.
pub(super) fn case_twins(files: &BTreeMap<&Path, &OutputFile>) -> Vec<Finding> {
    let mut seen: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    for path in files.keys() {
        if let Some(text) = path.to_str() {
            let twins = seen.entry(text.to_lowercase()).or_default();
            twins.insert(path.to_path_buf());
        }
    }
    seen.into_values()
        .filter(|twins| twins.len() > 1)
        .flat_map(|twins| {
            let names: Vec<String> = twins.iter().map(|path| display_path(path)).collect();
            let message = format!("{} differ only by case", names.join(" and "));
            names.into_iter().map(move |name| {
                Finding::whole(CASE_TWINS, &name, message.clone())
                    .help("rename one of them if the port is used where case does not count")
            })
        })
        .collect()
}
