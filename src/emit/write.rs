//! How a file comes to be: made where nobody looks, then put in its place by a rename.

use std::borrow::Cow;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::record::{self, Record, WHOLE};
use super::{Content, OutputFile, Plan, content, staging, sync};

/// Whether a file has to outlive a power cut from the moment that it has its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lasting {
    /// It is part of a tree that nobody has seen yet.
    No,
    /// It takes the place of another.
    Yes,
}

/// A file that was made.
pub(super) struct Made<'a> {
    /// What the port has in it, and the mode that the port gives it.
    pub(super) record: Record,
    /// Its bytes, where they were at hand: a file that is not too large.
    pub(super) bytes: Option<Cow<'a, [u8]>>,
}

/// Make a file of the plan at `to`, where nothing is. Its folder is there. `mode` goes before the
/// mode that the port gives it.
pub(super) fn make<'a>(
    plan: &Plan,
    file: &'a OutputFile,
    to: &Path,
    mode: Option<u32>,
    lasting: Lasting,
) -> io::Result<Made<'a>> {
    let own = record::mode_of(plan, file)?;
    let mode = mode.or(own);
    let bytes: Cow<'a, [u8]> = match &file.content {
        Content::Link(target) => {
            symlink(target, to)?;
            return Ok(Made {
                record: Record::Link(target.clone()),
                bytes: None,
            });
        }
        Content::Text(bytes) => bytes.into(),
        Content::Edited(_) => content::bytes(plan, file)?.into(),
        Content::Copy => {
            let mut from = File::open(record::source_of(plan, file)?)?;
            if from.metadata()?.len() > WHOLE {
                let mut out = OpenOptions::new().write(true).create_new(true).open(to)?;
                // The system copies, or shares blocks where the file system can.
                io::copy(&mut from, &mut out)?;
                finish(&out, mode, lasting)?;
                let hash = record::hash_file(to)?;
                return Ok(Made {
                    record: Record::File { hash, mode: own },
                    bytes: None,
                });
            }
            let mut bytes = Vec::new();
            io::Read::read_to_end(&mut from, &mut bytes)?;
            bytes.into()
        }
    };
    text(to, &bytes, mode, lasting)?;
    let hash = blake3::hash(&bytes);
    Ok(Made {
        record: Record::File { hash, mode: own },
        bytes: Some(bytes),
    })
}

/// Make a file of these bytes at `to`, where nothing is.
pub(super) fn text(to: &Path, bytes: &[u8], mode: Option<u32>, lasting: Lasting) -> io::Result<()> {
    let mut out = OpenOptions::new().write(true).create_new(true).open(to)?;
    out.write_all(bytes)?;
    finish(&out, mode, lasting)
}

fn finish(out: &File, mode: Option<u32>, lasting: Lasting) -> io::Result<()> {
    if let Some(mode) = mode {
        out.set_permissions(Permissions::from_mode(mode))?;
    }
    match lasting {
        Lasting::Yes => sync::file(out),
        Lasting::No => Ok(()),
    }
}

/// Put a file or link that is whole in its place below `root`, whatever file or link is there.
pub(super) fn install(staged: &Path, root: &Path, path: &Path) -> io::Result<()> {
    let folder = parent_below(root, path)?;
    let to = root.join(path);
    match fs::rename(staged, &to) {
        // A folder of the output may be another file system.
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            let near = staging::beside(&to);
            debug_assert_eq!(near.parent(), Some(folder.as_path()));
            remove_if_there(&near)?;
            if staged.symlink_metadata()?.is_symlink() {
                symlink(staged.read_link()?, &near)?;
            } else {
                fs::copy(staged, &near)?;
                sync::file(&File::open(&near)?)?;
            }
            fs::rename(&near, &to)
        }
        done => done,
    }
}

/// Write bytes to `to` in one step, by way of a temporary file beside it. `mode` gives the
/// permission bits; `None` for those of any new file.
pub(super) fn put(to: &Path, bytes: &[u8], overwrite: bool, mode: Option<u32>) -> io::Result<()> {
    if !overwrite && to.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let near = staging::beside(to);
    // What a run left that was cut short is of no use.
    remove_if_there(&near)?;
    let written = text(&near, bytes, mode, Lasting::Yes).and_then(|()| {
        if overwrite {
            return fs::rename(&near, to);
        }
        match fs::hard_link(&near, to) {
            // Not every file system has a second name for a file.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => fs::rename(&near, to),
            linked => linked,
        }
    });
    // Behind a rename nothing is there; behind a failure the first one counts.
    let removed = remove_if_there(&near);
    written.and(removed)
}

/// Remove a file or link, if one is there.
pub(super) fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The folder of `path` below `root`, made where it is missing. Refuses to go through a link.
fn parent_below(root: &Path, path: &Path) -> io::Result<PathBuf> {
    let mut at = root.to_owned();
    for part in path.parent().into_iter().flat_map(Path::components) {
        at.push(part);
        match fs::create_dir(&at) {
            Ok(()) => {}
            // Some systems tell first that nobody may write above it.
            Err(error) => {
                let found = at.symlink_metadata().map_err(|_| error)?;
                if !found.is_dir() {
                    return Err(io::Error::new(
                        io::ErrorKind::NotADirectory,
                        format!("{} is no folder of the output itself", at.display()),
                    ));
                }
            }
        }
    }
    Ok(at)
}

/// Remove a file and the folders that are empty without it.
pub(super) fn remove(root: &Path, path: &Path) -> io::Result<()> {
    remove_if_there(&root.join(path))?;
    prune(root, path);
    Ok(())
}

/// Remove the folders that are empty without a file that is gone.
pub(super) fn prune(root: &Path, path: &Path) {
    for folder in path.ancestors().skip(1) {
        // A folder that still holds something stays.
        if folder.as_os_str().is_empty() || fs::remove_dir(root.join(folder)).is_err() {
            break;
        }
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
