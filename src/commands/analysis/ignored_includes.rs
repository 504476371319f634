//! Files that an ignore rule left out and a file of the input includes: they are input as well.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

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
    let ignored = walk.skipped.iter().filter(|one| is_ignored(one));
    let ignored: FxHashSet<&[u8]> = ignored.map(|one| one.path.as_os_str().as_bytes()).collect();
    // Of all the places where a header might be, almost none lies where a rule left something out.
    let names = ignored
        .iter()
        .filter_map(|path| path.rsplit(|byte| *byte == b'/').next());
    let names: FxHashSet<&[u8]> = names.collect();
    let is_named = |path: &str| {
        let mut parts = path.as_bytes().split(|byte| *byte == b'/');
        parts.any(|part| names.contains(part))
    };
    let below_include = is_named("include");
    let may_be = |path: &str| {
        let folders = memchr::memchr_iter(b'/', path.as_bytes());
        let mut fronts = folders.filter_map(|end| path.as_bytes().get(..end));
        fronts.any(|front| ignored.contains(front)) || ignored.contains(path.as_bytes())
    };
    let mut wanted: BTreeSet<PathBuf> = BTreeSet::new();
    for (folder, include) in missing {
        if !below_include && !is_named(folder) && !is_named(include) {
            continue;
        }
        let folders = std::iter::successors(Some(folder.as_str()), |folder| {
            (!folder.is_empty()).then(|| paths::folder(folder))
        });
        for folder in folders {
            for below in ["", "include/"] {
                let path = paths::join(folder, &format!("{below}{include}"));
                let path = path.filter(|path| may_be(path));
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
