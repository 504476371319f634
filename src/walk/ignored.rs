//! The sources that ignore files name in a tree without git: in what somebody downloaded they may be the project's own.

use crate::mapping::has;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::mapping::knowledge::Knowledge;

/// How many entries of folders are looked at in all.
const ENTRIES: usize = 20_000;

/// The sources and build files among `left`, which ignore files name, and in folders that are such paths. Folders that a
/// tool fills are none of the project's.
pub(super) fn sources(root: &Path, left: &[(PathBuf, bool)]) -> Vec<PathBuf> {
    let files = &Knowledge::builtin().files;
    let is_filled = |folder: &Path| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let mut marks = files.filled.marks.iter();
        name.starts_with('.')
            || has(&files.filled.folders, name.as_bytes())
            || marks.any(|mark| folder.join(mark).symlink_metadata().is_ok())
    };
    let is_copy = |path: &Path| {
        let mut above = path.parent().into_iter().flat_map(Path::components);
        above.any(|folder| {
            let name = folder.as_os_str().to_string_lossy();
            has(&files.filled.copies, name.as_bytes())
        })
    };
    let is_source = |path: &Path| {
        let name = path.to_string_lossy();
        let is_python = || files.is_python(&name) && !is_copy(path);
        files.is_code(&name) || files.language(&name).is_some() || is_python()
    };
    let mut found = Vec::new();
    let mut room = ENTRIES;
    for (path, is_folder) in left {
        if !is_folder {
            found.extend(is_source(path).then(|| path.clone()));
            continue;
        }
        let walk = WalkDir::new(root.join(path)).sort_by_file_name();
        let walk = walk.follow_links(false).follow_root_links(false);
        let walk = walk
            .into_iter()
            .filter_entry(|entry| !entry.file_type().is_dir() || !is_filled(entry.path()));
        for entry in walk.flatten() {
            let Some(left) = room.checked_sub(1) else {
                return found;
            };
            room = left;
            if entry.file_type().is_file()
                && let Ok(path) = entry.path().strip_prefix(root)
                && is_source(path)
            {
                found.push(path.to_owned());
            }
        }
    }
    found
}
