//! The files that git tracks in a folder, and those that it does not track.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::repository::{self, ObjectKind, Repository};
use crate::mapping::safety;

/// The files of a tree as git sees them. Paths are relative to the tree.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Tracked files; a submodule that is not checked out is in it as its folder.
    pub tracked: Vec<PathBuf>,
    /// The paths that git does not track; a folder with nothing tracked in it is one path.
    pub others: Vec<PathBuf>,
}

/// The files of `root`, whose path is canonical.
///
/// # Errors
/// Why git can't be run.
pub fn list(root: &Path) -> Result<Listing, String> {
    let mut tracked = Vec::new();
    let mut submodules = 0;
    Repository::containing(root)?;
    add(root, Path::new(""), &mut tracked, &mut submodules)?;
    let others = untracked(root, &tracked);
    Ok(Listing { tracked, others })
}

/// Add what the repository around a folder tracks, and each submodule that is checked out.
fn add(
    folder: &Path,
    above: &Path,
    tracked: &mut Vec<PathBuf>,
    submodules: &mut u64,
) -> Result<(), String> {
    for one in repository::index(folder)? {
        let path = above.join(&one.path);
        let inside = folder.join(&one.path);
        // A link or a folder without a repository is no checkout.
        let is_checked_out = one.kind == ObjectKind::Submodule
            && inside.symlink_metadata().is_ok_and(|found| found.is_dir())
            && inside.join(".git").symlink_metadata().is_ok();
        if !is_checked_out {
            tracked.push(path);
            continue;
        }
        *submodules += 1;
        if *submodules > safety::GIT_SUBMODULES {
            return Err(format!(
                "it has more than {} submodules",
                safety::GIT_SUBMODULES
            ));
        }
        Repository::containing(&inside)?;
        add(&inside, &path, tracked, submodules)?;
    }
    Ok(())
}

/// The paths of a folder that git does not track. An empty folder is left out.
fn untracked(root: &Path, tracked: &[PathBuf]) -> Vec<PathBuf> {
    let files: BTreeSet<&Path> = tracked.iter().map(PathBuf::as_path).collect();
    let folders: BTreeSet<&Path> = tracked
        .iter()
        .flat_map(|path| path.ancestors().skip(1))
        .collect();
    let mut others = Vec::new();
    let mut walk = WalkDir::new(root)
        .min_depth(1)
        .follow_links(false)
        .sort_by_file_name()
        .into_iter();
    while let Some(entry) = walk.next() {
        let Ok(entry) = entry else { continue };
        let Ok(path) = entry.path().strip_prefix(root) else {
            continue;
        };
        let is_folder = entry.file_type().is_dir();
        if entry.file_name() == ".git" || files.contains(path) {
            // The folder of a submodule that is not checked out is tracked as it is.
            if is_folder {
                walk.skip_current_dir();
            }
        } else if !is_folder {
            others.push(path.to_owned());
        } else if !folders.contains(path) {
            walk.skip_current_dir();
            if holds_something(entry.path()) {
                others.push(path.to_owned());
            }
        }
    }
    others
}

/// Whether a folder has anything in it, or below it, but folders.
fn holds_something(folder: &Path) -> bool {
    let below = WalkDir::new(folder).follow_links(false);
    below
        .into_iter()
        .filter_map(Result::ok)
        .any(|entry| !entry.file_type().is_dir())
}
