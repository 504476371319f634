//! Writes a file: it is made under a temporary name, then renamed into place.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::bases::Frame;
use super::record::{self, FileRecord, WHOLE};
use super::{Content, OutputFile, Plan, staging, sync};
use crate::files::{self, Folder, PathKind};
use crate::mapping::safety;

/// Whether a file has to outlive a power cut from the moment that it has its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Durable {
    /// The file is part of a tree that nobody has seen yet.
    No,
    /// The file takes the place of another.
    Yes,
}

/// A file that was made.
pub(super) struct StagedFile<'a> {
    /// The record of the port's content, with the mode that the port gives it.
    pub(super) record: FileRecord,
    /// Its bytes, where they were at hand: a file that is not too large.
    pub(super) bytes: Option<Cow<'a, [u8]>>,
}

/// Make a file of the plan at `to` below a folder, where nothing is. The folder that it lies in is there.
/// `mode` goes before the mode that the port gives it.
pub(super) fn make<'a>(
    plan: &Plan,
    file: &'a OutputFile,
    folder: &Folder,
    to: &Path,
    mode: Option<u32>,
    durable: Durable,
) -> io::Result<StagedFile<'a>> {
    let (bytes, own): (Cow<'a, [u8]>, _) = match &file.content {
        Content::Link(target) => {
            folder.link(target, to)?;
            return Ok(StagedFile {
                record: FileRecord::Link(target.clone()),
                bytes: None,
            });
        }
        Content::Text(bytes) => (bytes.into(), record::mode_of(plan, file)?),
        Content::Edited(edited) => {
            let from = files::open(&record::source_of(plan, file)?)?;
            let source = from.bytes(safety::BYTES_SOURCE)?;
            (edited.apply(&source)?.into(), Some(from.mode()))
        }
        Content::Copy => {
            let mut from = files::open(&record::source_of(plan, file)?)?;
            let own = Some(from.mode());
            if from.found.len() > WHOLE {
                let mut out = folder.create(to)?;
                // The system copies, or shares blocks where the file system can.
                io::copy(&mut from.file, &mut out)?;
                finish(&out, mode.or(own), durable)?;
                let hash = folder.file(to)?.hash()?;
                return Ok(StagedFile {
                    record: FileRecord::File { hash, mode: own },
                    bytes: None,
                });
            }
            (from.bytes(u64::MAX)?.into(), own)
        }
    };
    text(folder, to, &bytes, mode.or(own), durable)?;
    let hash = match &file.content {
        Content::Edited(edited) => edited.result(),
        _ => blake3::hash(&bytes),
    };
    Ok(StagedFile {
        record: FileRecord::File { hash, mode: own },
        bytes: Some(bytes),
    })
}

impl StagedFile<'_> {
    /// The frame of its bytes, where they were at hand and are a text.
    pub(super) fn frame(&self) -> Option<Frame> {
        match (&self.record, &self.bytes) {
            (FileRecord::File { hash, .. }, Some(bytes)) => Frame::of(bytes, *hash),
            _ => None,
        }
    }
}

/// Make a file of these bytes at `to` below a folder, where nothing is.
pub(super) fn text(
    folder: &Folder,
    to: &Path,
    bytes: &[u8],
    mode: Option<u32>,
    durable: Durable,
) -> io::Result<()> {
    let mut out = folder.create(to)?;
    out.write_all(bytes)?;
    finish(&out, mode, durable)
}

fn finish(out: &File, mode: Option<u32>, durable: Durable) -> io::Result<()> {
    if let Some(mode) = mode {
        out.set_permissions(Permissions::from_mode(mode))?;
    }
    match durable {
        Durable::Yes => sync::file(out),
        Durable::No => Ok(()),
    }
}

/// Put a file or link that is whole in its place below `root`, whatever file or link is there.
pub(super) fn install(staged: &Folder, name: &Path, root: &Folder, path: &Path) -> io::Result<()> {
    root.make_above(path)?;
    match staged.rename(name, root, path) {
        // A folder of the output may be another file system.
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            let near = staging::temporary_name(path);
            root.remove(&near)?;
            match staged.look(name)? {
                PathKind::Link(target) => root.link(&target, &near)?,
                PathKind::File { mode, .. } => {
                    let mut out = root.create(&near)?;
                    io::copy(&mut staged.file(name)?.file, &mut out)?;
                    finish(&out, Some(mode), Durable::Yes)?;
                }
                _ => return Err(io::ErrorKind::InvalidInput.into()),
            }
            root.rename(&near, root, path)
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
    let above = to.parent().filter(|above| !above.as_os_str().is_empty());
    // The user typed the path, so links above the file are the user's.
    let above = above.unwrap_or(Path::new(".")).canonicalize()?;
    let folder = Folder::open(&above)?;
    let to = Path::new(to.file_name().unwrap_or(OsStr::new("")));
    let near = staging::temporary_name(to);
    // What a run left that was cut short is of no use.
    folder.remove(&near)?;
    let written = text(&folder, &near, bytes, mode, Durable::Yes).and_then(|()| {
        if overwrite {
            return folder.rename(&near, &folder, to);
        }
        match folder.also(&near, to) {
            // Not every file system has a second name for a file.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                folder.rename(&near, &folder, to)
            }
            linked => linked,
        }
    });
    // Behind a rename nothing is there; behind a failure the first one counts.
    let removed = folder.remove(&near);
    written.and(removed)
}

/// Remove a file and the folders that are empty without it.
pub(super) fn remove(root: &Folder, path: &Path) -> io::Result<()> {
    root.remove(path)?;
    prune(root, path);
    Ok(())
}

/// Remove the folders that are empty without a file that is gone.
pub(super) fn prune(root: &Folder, path: &Path) {
    for folder in path.ancestors().skip(1) {
        // A folder that still holds something stays.
        if folder.as_os_str().is_empty() || root.remove_folder(folder).is_err() {
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
