//! The sources of a tree that nobody added to git.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::ignore_rules::{IgnoreFiles, Rules, is_ignored};

/// The endings of CUDA's own sources.
const SOURCES: [&str; 2] = ["cu", "cuh"];

/// CUDA's sources among paths that git does not track, and in folders that are such paths, without what the tree's ignore
/// files name. Git is not asked: it would read whatever has the name of an ignore file, a pipe, too.
pub(super) fn sources_not_ignored(root: &Path, others: &[PathBuf]) -> Vec<PathBuf> {
    let is_source = |path: &Path| {
        let ending = path.extension();
        SOURCES
            .iter()
            .any(|one| ending.is_some_and(|ending| ending == *one))
    };
    let mut found = Vec::new();
    for other in others {
        let whole = root.join(other);
        let is_folder = whole.symlink_metadata().is_ok_and(|found| found.is_dir());
        if !is_folder && !is_source(other) {
            continue;
        }
        let Some(mut rules) = rules_above(root, other, is_folder) else {
            continue;
        };
        let depth = rules.len();
        let walk = WalkDir::new(&whole);
        let mut walk = walk
            .follow_links(false)
            .follow_root_links(false)
            .into_iter();
        while let Some(entry) = walk.next() {
            let Ok(entry) = entry else { continue };
            let is_folder = entry.file_type().is_dir();
            rules.truncate(depth + entry.depth());
            if is_ignored(&rules, entry.path(), is_folder) {
                if is_folder {
                    walk.skip_current_dir();
                }
            } else if is_folder {
                rules.push(Rules::of(
                    entry.path(),
                    IgnoreFiles::On,
                    &rules,
                    &mut |_, _| {},
                ));
            } else if is_source(entry.path())
                && let Ok(path) = entry.path().strip_prefix(root)
            {
                found.push(path.to_owned());
            }
        }
    }
    found
}

/// The rules of the folders from the root to the one that has a path; `None` where they name one of these folders, or the
/// path.
fn rules_above(root: &Path, path: &Path, is_folder: bool) -> Option<Vec<Rules>> {
    let mut rules = Vec::new();
    let mut folders: Vec<&Path> = path.ancestors().skip(1).collect();
    folders.reverse();
    for folder in folders {
        let folder = root.join(folder);
        if is_ignored(&rules, &folder, true) {
            return None;
        }
        rules.push(Rules::of(&folder, IgnoreFiles::On, &rules, &mut |_, _| {}));
    }
    (!is_ignored(&rules, &root.join(path), is_folder)).then_some(rules)
}
