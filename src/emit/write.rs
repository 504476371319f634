//! The two ways in which a file comes to be: fresh in a folder that nobody sees yet, or in the
//! place of another, by rename.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use blake3::Hash;
use tempfile::Builder;

use super::record::{self, Record, WHOLE};
use super::{Content, OutputFile, Plan};

/// What the names of files and folders begin with until they are whole.
pub(super) const TEMPORARY: &str = ".torchada-tmp-";

/// Make a file of the plan at `to`, where nothing is. Its folder is there.
pub(super) fn fresh(plan: &Plan, file: &OutputFile, to: &Path) -> io::Result<Record> {
    let mode = record::mode_of(plan, file)?;
    let hash = match &file.content {
        Content::Link(target) => {
            symlink(target, to)?;
            return Ok(Record::Link(target.clone()));
        }
        Content::Text(bytes) => {
            let mut out = OpenOptions::new().write(true).create_new(true).open(to)?;
            out.write_all(bytes)?;
            set_mode(&out, mode)?;
            blake3::hash(bytes)
        }
        Content::Copy => {
            let source = record::source_of(plan, file)?;
            let mut out = OpenOptions::new().write(true).create_new(true).open(to)?;
            let hash = copy(&source, &mut out, to)?;
            set_mode(&out, mode)?;
            hash
        }
    };
    Ok(Record::File { hash, mode })
}

/// Put a file of the plan in its place below `root`, whatever file or link is there.
pub(super) fn replace(plan: &Plan, file: &OutputFile, root: &Path) -> io::Result<Record> {
    let to = root.join(&file.path);
    let folder = parent_below(root, &file.path)?;
    let mode = record::mode_of(plan, file)?;
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY);
    let hash = match &file.content {
        Content::Link(target) => {
            let link = builder.make_in(&folder, |path| symlink(target, path))?;
            link.persist(&to).map_err(|error| error.error)?;
            return Ok(Record::Link(target.clone()));
        }
        Content::Text(bytes) => {
            put(&to, &folder, bytes, true, mode)?;
            blake3::hash(bytes)
        }
        Content::Copy => {
            let source = record::source_of(plan, file)?;
            builder.permissions(Permissions::from_mode(0o666));
            let mut temporary = builder.tempfile_in(&folder)?;
            let path = temporary.path().to_owned();
            let hash = copy(&source, temporary.as_file_mut(), &path)?;
            set_mode(temporary.as_file(), mode)?;
            temporary.persist(&to).map_err(|error| error.error)?;
            hash
        }
    };
    Ok(Record::File { hash, mode })
}

/// Write bytes to `to` in one step, by way of a temporary file in `folder`.
pub(super) fn put(
    to: &Path,
    folder: &Path,
    bytes: &[u8],
    overwrite: bool,
    mode: Option<u32>,
) -> io::Result<()> {
    let mut temporary = Builder::new()
        .prefix(TEMPORARY)
        // The umask takes its part of these, as of any new file's.
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)?;
    temporary.write_all(bytes)?;
    set_mode(temporary.as_file(), mode)?;
    let persisted = if overwrite {
        temporary.persist(to)
    } else {
        temporary.persist_noclobber(to)
    };
    persisted.map(drop).map_err(|error| error.error)
}

/// The folder of `path` below `root`, made where it is missing. Refuses to go through a link.
pub(super) fn parent_below(root: &Path, path: &Path) -> io::Result<PathBuf> {
    let mut at = root.to_owned();
    for part in path.parent().into_iter().flat_map(Path::components) {
        at.push(part);
        match fs::create_dir(&at) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if !at.symlink_metadata()?.is_dir() {
                    return Err(io::Error::new(
                        io::ErrorKind::NotADirectory,
                        format!("{} is no folder of the output itself", at.display()),
                    ));
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(at)
}

/// Remove a file and the folders that are empty without it.
pub(super) fn remove(root: &Path, path: &Path) -> io::Result<()> {
    fs::remove_file(root.join(path))?;
    for folder in path.ancestors().skip(1) {
        // A folder that still holds something stays.
        if folder.as_os_str().is_empty() || fs::remove_dir(root.join(folder)).is_err() {
            break;
        }
    }
    Ok(())
}

/// Copy a file's bytes into `out`, which is open at `to`, and hash them.
fn copy(source: &Path, out: &mut File, to: &Path) -> io::Result<Hash> {
    let mut from = File::open(source)?;
    if from.metadata()?.len() <= WHOLE {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut from, &mut bytes)?;
        out.write_all(&bytes)?;
        return Ok(blake3::hash(&bytes));
    }
    // The system copies, or shares blocks where the file system can.
    io::copy(&mut from, out)?;
    record::hash_file(to)
}

fn set_mode(file: &File, mode: Option<u32>) -> io::Result<()> {
    match mode {
        Some(mode) => file.set_permissions(Permissions::from_mode(mode)),
        None => Ok(()),
    }
}

/// Whether an error means that no other file can be written either.
pub(super) fn is_fatal(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::ReadOnlyFilesystem
    )
}
