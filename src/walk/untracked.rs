//! The sources of a tree that nobody added to git.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::ignore_rules::{IgnoreFiles, Rules, is_ignored};
use crate::mapping::knowledge::Knowledge;

/// CUDA's sources among paths that git does not track, and in folders that are such paths, without what the tree's ignore
/// files name. Git is not asked: it would read whatever has the name of an ignore file, a pipe, too.
pub(super) fn sources_not_ignored(root: &Path, others: &[PathBuf]) -> Vec<PathBuf> {
    let endings = &Knowledge::builtin().files.rename;
    let is_source = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut endings = endings.keys();
        endings.any(|ending| name.ends_with(ending.as_str()))
    };
    let mut found = Vec::new();
    // The folders above the last path, from the root on, and their rules: each ignore file is read once for all paths.
    let mut above: Vec<&Path> = Vec::new();
    let mut rules: Vec<Rules> = Vec::new();
    for other in others {
        let whole = root.join(other);
        let is_folder = whole.symlink_metadata().is_ok_and(|found| found.is_dir());
        if !is_folder && !is_source(other) {
            continue;
        }
        let mut folders: Vec<&Path> = other.ancestors().skip(1).collect();
        folders.reverse();
        let common = above.iter().zip(&folders).take_while(|(a, b)| a == b);
        let common = common.count();
        above.truncate(common);
        rules.truncate(common);
        for folder in folders.into_iter().skip(common) {
            rules.push(rules_of(&root.join(folder), &rules));
            above.push(folder);
        }
        if is_below_ignored(root, &above, &rules) {
            continue;
        }
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
                rules.push(rules_of(entry.path(), &rules));
            } else if is_source(entry.path())
                && let Ok(path) = entry.path().strip_prefix(root)
            {
                found.push(path.to_owned());
            }
        }
    }
    found
}

/// The rules of a folder. What an ignore file says wrongly is passed over: then more sources are named.
fn rules_of(folder: &Path, above: &[Rules]) -> Rules {
    Rules::of(folder, IgnoreFiles::On, above, &mut |_, _| {})
}

/// Whether a rule names one of some folders, each of which is in the one before.
fn is_below_ignored(root: &Path, folders: &[&Path], rules: &[Rules]) -> bool {
    let mut inner = folders.iter().enumerate().skip(1);
    inner.any(|(depth, folder)| {
        let above = rules.get(..depth).unwrap_or_default();
        is_ignored(above, &root.join(folder), true)
    })
}
