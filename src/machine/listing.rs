//! A digest of what folders list: paths, sizes and times of their files.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The digest of everything below these folders of a root, sorted; no link below them is followed.
///
/// # Errors
/// What the system says, or that there are more than `limit` entries.
pub(super) fn digest(root: &Path, folders: &[PathBuf], limit: usize) -> io::Result<blake3::Hash> {
    let mut lines = Vec::new();
    let mut open: Vec<PathBuf> = folders.to_vec();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let path = entry.path();
            let found = entry.metadata()?;
            if lines.len() >= limit {
                let many = format!("{} has more than {limit} files", root.display());
                return Err(io::Error::new(ErrorKind::FileTooLarge, many));
            }
            lines.push(line(root, &path, &found)?);
            if found.is_dir() {
                open.push(path);
            }
        }
    }
    lines.sort();
    let mut hasher = blake3::Hasher::new();
    for line in lines {
        hasher.update(&(line.len() as u64).to_le_bytes());
        hasher.update(&line);
    }
    Ok(hasher.finalize())
}

/// One entry. The time and size of a folder say nothing that its entries don't.
fn line(root: &Path, path: &Path, found: &Metadata) -> io::Result<Vec<u8>> {
    let below = path.strip_prefix(root).unwrap_or(path);
    let mut line = below.as_os_str().as_bytes().to_vec();
    line.push(0);
    if found.is_symlink() {
        line.extend(fs::read_link(path)?.as_os_str().as_bytes());
    } else if !found.is_dir() {
        let (size, seconds, nanoseconds) = (found.size(), found.mtime(), found.mtime_nsec());
        line.extend(format!("{size} {seconds} {nanoseconds}").into_bytes());
    }
    Ok(line)
}
