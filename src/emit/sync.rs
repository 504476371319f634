//! Flushes files to the disk before the next step is taken, so that a power cut can't leave half of a step.
//!
//! Whatever ends the process, files are whole without this: the system has their bytes. A power cut
//! may keep the new name of a file and lose its bytes, so what a run builds upon is written through.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::Path;

use crate::files::Folder;
use crate::parallel;

/// Write a file's bytes through.
pub(super) fn file(file: &File) -> io::Result<()> {
    file.sync_all()
}

/// Write the names through that changed in the folders of these files.
pub(super) fn folders_of<'a>(
    root: &Folder,
    files: impl Iterator<Item = &'a Path>,
) -> io::Result<()> {
    let folders: BTreeSet<&Path> = files.filter_map(Path::parent).collect();
    let synced = parallel::map(folders, |path| match folder(root, path) {
        // With the last of its files a folder goes, too.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    });
    synced.into_iter().collect()
}

/// Write the names in a folder through, where the file system knows of such a thing. An empty path is the root.
pub(super) fn folder(root: &Folder, path: &Path) -> io::Result<()> {
    let file = if path.as_os_str().is_empty() {
        root.as_file()
    } else {
        root.folder(path)?.as_file()
    };
    match file?.sync_all() {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
            ) =>
        {
            Ok(())
        }
        done => done,
    }
}
