//! The state of a file, as the manifest remembers it.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use blake3::Hash;

use super::{Content, OutputFile, Plan};
use crate::files::{self, Folder, PathKind};

/// Files up to this size are read whole; larger ones are copied by the system and hashed as a
/// stream, so that memory stays bounded.
pub(super) const WHOLE: u64 = 1 << 20;

/// A file's content or a link's target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum FileRecord {
    /// A regular file.
    File {
        /// The hash of its bytes.
        hash: Hash,
        /// Permission bits; `None` where any will do.
        mode: Option<u32>,
    },
    /// A symbolic link.
    Link(PathBuf),
}

impl FileRecord {
    /// Whether the two hold the same, whatever their modes.
    pub(super) fn same_content(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::File { hash: a, .. }, Self::File { hash: b, .. }) => a == b,
            (Self::Link(a), Self::Link(b)) => a == b,
            _ => false,
        }
    }

    /// Its permission bits, where they are known.
    pub(super) fn mode(&self) -> Option<u32> {
        match self {
            Self::File { mode, .. } => *mode,
            Self::Link(_) => None,
        }
    }

    /// The record of a file of the plan.
    ///
    /// # Errors
    /// When its source can't be read.
    pub(super) fn planned(plan: &Plan, file: &OutputFile) -> io::Result<Self> {
        let mode = mode_of(plan, file)?;
        Ok(match &file.content {
            Content::Link(target) => Self::Link(target.clone()),
            Content::Text(bytes) => Self::File {
                hash: blake3::hash(bytes),
                mode,
            },
            Content::Edited(edited) => Self::File {
                hash: edited.result(),
                mode,
            },
            Content::Copy => Self::File {
                hash: hash_file(&source_of(plan, file)?)?,
                mode,
            },
        })
    }
}

/// The source of a copy, or of edits.
pub(super) fn source_of(plan: &Plan, file: &OutputFile) -> io::Result<PathBuf> {
    match &file.source {
        Some(source) => Ok(plan.input.join(source)),
        None => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "what is made from a source needs one",
        )),
    }
}

/// The permission bits that a file of the plan gets; `None` for those of any new file.
pub(super) fn mode_of(plan: &Plan, file: &OutputFile) -> io::Result<Option<u32>> {
    match (&file.source, &file.content) {
        (None, _) | (_, Content::Link(_)) => Ok(None),
        (Some(source), _) => {
            let found = plan.input.join(source).symlink_metadata()?;
            Ok(found.is_file().then(|| found.permissions().mode() & 0o777))
        }
    }
}

/// The hash of a file's bytes.
pub(super) fn hash_file(path: &Path) -> io::Result<Hash> {
    files::open(path)?.hash()
}

/// The state of a path of the output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum OutputState {
    /// Nothing is at the path.
    Free,
    /// A file or a link.
    Taken(FileRecord),
    /// A folder.
    Folder,
    /// A pipe, socket or device.
    Special,
    /// Something above it is a link or a file, at this path.
    Behind(PathBuf),
}

/// Look at `path` below `root`, through no link.
pub(super) fn look(root: &Folder, path: &Path) -> io::Result<OutputState> {
    Ok(match root.look(path)? {
        PathKind::Nothing => OutputState::Free,
        PathKind::File { mode, .. } => OutputState::Taken(FileRecord::File {
            hash: root.file(path)?.hash()?,
            mode: Some(mode & 0o777),
        }),
        PathKind::Link(target) => OutputState::Taken(FileRecord::Link(target)),
        PathKind::Folder => OutputState::Folder,
        PathKind::Special => OutputState::Special,
        PathKind::Behind(at) => OutputState::Behind(at),
    })
}
