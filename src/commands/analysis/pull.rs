//! Files that an ignore rule left out and a file of the input includes: they are input as well.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::project::paths;
use crate::walk::{SkipReason, Skipped, Walk};

/// Whether an ignore rule left anything out.
pub(super) fn is_possible(walk: &Walk) -> bool {
    walk.skipped.iter().any(is_ignored)
}

fn is_ignored(skipped: &Skipped) -> bool {
    skipped.reason == SkipReason::Ignored
}

/// Take what `missing` names, each as the folder of a file and the path that it includes, and an
/// ignore rule left out. Returns the paths that are input now, and those that would be if something
/// were there.
pub(super) fn pull_back(
    walk: &mut Walk,
    missing: &BTreeSet<(String, String)>,
) -> (BTreeSet<PathBuf>, BTreeSet<PathBuf>) {
    let mut wanted: BTreeSet<PathBuf> = BTreeSet::new();
    for (folder, include) in missing {
        let folders = std::iter::successors(Some(folder.as_str()), |folder| {
            (!folder.is_empty()).then(|| paths::folder(folder))
        });
        for folder in folders {
            for below in ["", "include/"] {
                let path = paths::join(folder, &format!("{below}{include}"));
                wanted.extend(path.map(PathBuf::from));
            }
        }
    }
    let was_ignored = |walk: &Walk, path: &Path| {
        walk.get(path).is_none() && walk.was_skipped(path).is_some_and(is_ignored)
    };
    wanted.retain(|path| was_ignored(walk, path));
    wanted.into_iter().partition(|path| walk.pull_back(path))
}
