//! Finds files of a folder whose content git does not have.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::ask::ask;
use super::compare::is_kept;
use super::repository::{self, Indexed, ObjectKind, Repository};
use crate::parallel;

/// What git has of a folder. Paths are relative to the folder.
#[derive(Clone, Debug, Default)]
pub struct WorkTreeState {
    /// The files that git tracks, those of submodules that are checked out among them.
    pub tracked: BTreeSet<PathBuf>,
    /// The tracked files that no commit has as they lie there.
    ///
    /// A file that git would convert by more than its line ends (a filter, an encoding) counts as one of them: nobody
    /// can say without running a program that the repository names.
    pub uncommitted: BTreeSet<PathBuf>,
}

/// What git has of a folder.
///
/// # Errors
/// Why git can't be run.
pub fn work_tree_state(folder: &Path) -> Result<WorkTreeState, String> {
    let folder = folder.canonicalize().map_err(|error| error.to_string())?;
    let repository = Repository::containing(&folder)?;
    let mut state = WorkTreeState::default();
    look(&repository, &folder, Path::new(""), &mut state)?;
    Ok(state)
}

fn look(
    repository: &Repository,
    folder: &Path,
    above: &Path,
    state: &mut WorkTreeState,
) -> Result<(), String> {
    let index = repository::index(folder)?;
    // Before the first commit nothing is safe.
    let committed = match repository.commit("HEAD") {
        Ok(commit) => repository::tree(folder, &commit)?,
        Err(_) => Vec::new(),
    };
    let committed: BTreeMap<PathBuf, _> = committed
        .into_iter()
        .map(|(path, id, kind)| (path, (id, kind)))
        .collect();
    let is_changed = |one: &Indexed| {
        let kept = committed.get(&one.path);
        let is_committed = kept.is_some_and(|(id, kind)| *id == one.id && *kind == one.kind);
        if one.is_conflict || !is_committed {
            return true;
        }
        if one.kind == ObjectKind::Submodule {
            return false;
        }
        let path = folder.join(&one.path);
        let is_missing = path.symlink_metadata().is_err();
        if one.is_left_out && is_missing {
            return false;
        }
        !is_kept(&one.id, &path, one.kind).unwrap_or(false)
    };
    let changed = parallel::map(&index, is_changed);
    for (one, is_changed) in index.iter().zip(changed) {
        let path = above.join(&one.path);
        state.tracked.insert(path.clone());
        if is_changed {
            state.uncommitted.insert(path);
        } else if one.kind == ObjectKind::Submodule {
            let inside = folder.join(&one.path);
            // One that is not checked out has nothing to lose.
            if inside.join(".git").symlink_metadata().is_err() {
                continue;
            }
            let own = Repository::containing(&inside)?;
            let head = ask(&inside, &["rev-parse", "--verify", "HEAD"]);
            let is_there =
                head.is_ok_and(|head| head.trim_ascii() == one.id.to_string().as_bytes());
            if is_there {
                look(&own, &inside, &path, state)?;
            } else {
                state.uncommitted.insert(path);
            }
        }
    }
    Ok(())
}
