//! A digest of everything that decides which files are a run's input, apart from the files' contents.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::mapping::safety;
use crate::walk::{EntryKind, Walk};
use crate::{files, stub};

/// A digest of everything that decided which files are input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::commands) struct ListingDigest {
    /// The hash of the input paths, of the paths that are left out with their reasons, and of the walk's findings. It
    /// changes when git or an ignore file decides otherwise.
    pub(in crate::commands) listing: [u8; 32],
    /// Files that would be input if they were there, because an ignored file of their name is
    /// included.
    pub(in crate::commands) absent: BTreeSet<PathBuf>,
    /// Whether the tree has the package for run time.
    pub(in crate::commands) stubbed: bool,
}

impl ListingDigest {
    /// The digest of a listing of `root`.
    pub(in crate::commands) fn new(walk: &Walk, root: &Path) -> Self {
        let mut hasher = blake3::Hasher::new();
        let mut add = |kind: u8, parts: &[&[u8]]| {
            hasher.update(&[kind]);
            for part in parts {
                hasher.update(&(part.len() as u64).to_le_bytes());
                hasher.update(part);
            }
        };
        // Python may import the tree by the name of its folder.
        let folder = walk.root.file_name().unwrap_or_default();
        add(5, &[folder.as_bytes()]);
        for entry in &walk.files {
            let path = entry.path.as_os_str().as_bytes();
            match &entry.kind {
                EntryKind::File => add(0, &[path]),
                EntryKind::Link(target) => add(1, &[path, target.as_os_str().as_bytes()]),
            }
        }
        for skipped in &walk.skipped {
            let path = skipped.path.as_os_str().as_bytes();
            let reason = skipped.reason.as_str().as_bytes();
            add(2 + u8::from(skipped.folder), &[path, reason]);
        }
        for finding in &walk.findings {
            let (path, message) = (finding.path.as_bytes(), finding.message.as_bytes());
            add(4, &[finding.code.id.as_bytes(), path, message]);
        }
        Self {
            listing: *hasher.finalize().as_bytes(),
            absent: BTreeSet::new(),
            stubbed: is_stubbed(root),
        }
    }
}

/// Whether a tree has the package for run time, written by a port before.
pub fn is_stubbed(root: &Path) -> bool {
    let tables = root.join(stub::FOLDER).join(stub::TABLES);
    files::read(&tables, safety::BYTES_TABLE).is_ok_and(|text| stub::is_ours(&text))
}
