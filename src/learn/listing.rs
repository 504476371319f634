//! Lists the files below folders of an SDK.

use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::mapping::learn::LearnLimits;

/// A folder whose files are listed.
#[derive(Clone, Debug)]
pub(super) struct Root {
    /// The folder.
    pub(super) folder: PathBuf,
    /// The folder that a link to another folder must not lead out of.
    pub(super) within: PathBuf,
    /// What its files' paths begin with in messages.
    pub(super) shown: String,
    /// What stands before a file's path below the folder where code includes it.
    pub(super) front: String,
}

/// A file below a folder.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    /// Its path.
    pub(super) path: PathBuf,
    /// Its path below the folder, as an include line has it.
    pub(super) below: String,
    /// Its path in messages.
    pub(super) shown: String,
    /// Its size in bytes.
    pub(super) size: u64,
}

/// The files below some folders, sorted within each, and what could not be listed. A link to a folder is followed if it
/// stays in the SDK and does not lead to a folder around.
pub(super) fn files(roots: &[Root], limits: &LearnLimits, unread: &mut Vec<String>) -> Vec<Listed> {
    let mut found = Vec::new();
    let mut entries = 0;
    for root in roots {
        let walk = WalkDir::new(&root.folder)
            .follow_links(true)
            .max_depth(limits.depth)
            .sort_by_file_name()
            .into_iter();
        let mut astray = Vec::new();
        let kept = walk.filter_entry(|entry| {
            let leads = !leads_astray(root, entry);
            if !leads {
                astray.push(shown(root, entry.path()));
            }
            leads
        });
        for entry in kept {
            entries += 1;
            if entries > limits.files {
                let folder = root.folder.display();
                unread.push(format!("{folder}: more than {} files", limits.files));
                return found;
            }
            match entry {
                Ok(entry) if entry.file_type().is_file() => {
                    let size = entry.metadata().map_or(0, |found| found.len());
                    found.extend(listed(root, entry.path(), size));
                }
                Ok(_) => {}
                // `leads_astray` has left out links to folders around.
                Err(error) if error.loop_ancestor().is_some() => {}
                Err(error) => {
                    let at = error.path().unwrap_or(&root.folder);
                    let at = shown(root, at);
                    let why = error.io_error();
                    let why = why.map_or_else(|| error.to_string(), ToString::to_string);
                    unread.push(format!("{at}: {why}"));
                }
            }
        }
        let outside = "a link out of the SDK, or to a folder around it";
        unread.extend(astray.iter().map(|at| format!("{at}: {outside}")));
    }
    found
}

/// Whether an entry is a link to a folder outside of the SDK, or to one that the listed folder lies in.
fn leads_astray(root: &Root, entry: &DirEntry) -> bool {
    if entry.depth() == 0 || !entry.path_is_symlink() || !entry.file_type().is_dir() {
        return false;
    }
    let real = |path: &Path| path.canonicalize().ok();
    let (Some(target), Some(folder), Some(within)) =
        (real(entry.path()), real(&root.folder), real(&root.within))
    else {
        return true;
    };
    !target.starts_with(&within) || folder.starts_with(&target)
}

fn shown(root: &Root, path: &Path) -> String {
    let below = path.strip_prefix(&root.folder).unwrap_or(path);
    format!("{}{}", root.shown, below.display())
}

/// A file whose path is text; others are no headers that code could include.
fn listed(root: &Root, path: &Path, size: u64) -> Option<Listed> {
    let below = path.strip_prefix(&root.folder).ok()?.to_str()?.to_owned();
    Some(Listed {
        path: path.to_owned(),
        shown: format!("{}{below}", root.shown),
        below: format!("{}{below}", root.front),
        size,
    })
}
