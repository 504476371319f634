//! The results of a walk: files, and paths that were left out.

use std::fs::Metadata;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::diagnostic::Finding;

/// The input of a run.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// The input's root: absolute, without links.
    pub root: PathBuf,
    /// The files and links that are taken, sorted by the bytes of their paths.
    pub files: Vec<Entry>,
    /// The paths that are left out, sorted by their bytes. A folder stands for all that it contains.
    pub skipped: Vec<Skipped>,
    /// Findings about the listing itself.
    pub findings: Vec<Finding>,
}

/// One file or link of the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Relative to the root.
    pub path: PathBuf,
    /// A file, a link or another kind of entry.
    pub kind: EntryKind,
    /// Permission bits; 0 for a link.
    pub mode: u32,
    /// Size in bytes; 0 for a link.
    pub size: u64,
    /// What the file system notes when somebody writes the file; nothing for a link.
    pub trace: Trace,
}

/// The notes of the file system about a file, which change when somebody writes to it or puts another in its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Trace {
    /// When its bytes changed: seconds and nanoseconds.
    pub modified: (i64, i64),
    /// When anything about it changed; nobody can set that back.
    pub changed: (i64, i64),
    /// The number of the file in its file system.
    pub inode: u64,
}

impl Trace {
    fn of(found: &Metadata) -> Self {
        Self {
            modified: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
            inode: found.ino(),
        }
    }
}

/// The kinds of entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A symbolic link with the target as it is written in the link.
    Link(PathBuf),
}

/// One file or folder that is left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// Relative to the root.
    pub path: PathBuf,
    /// Why.
    pub reason: SkipReason,
    /// Whether the path is a folder that stands for everything in it.
    pub folder: bool,
}

/// Why something is left out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SkipReason {
    /// Git does not track it.
    Untracked,
    /// An ignore file of the tree names it.
    Ignored,
    /// The configuration's `exclude` names it.
    Excluded,
    /// The path belongs to version control itself.
    VersionControl,
    /// The path is the output of this run or of an earlier one.
    Output,
    /// Git tracks it but it is not there.
    Missing,
    /// A submodule that is not checked out.
    Submodule,
    /// A pipe, socket or device.
    Special,
    /// The path can't be read.
    Unreadable,
}

impl SkipReason {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Untracked,
        Self::Ignored,
        Self::Excluded,
        Self::VersionControl,
        Self::Output,
        Self::Missing,
        Self::Submodule,
        Self::Special,
        Self::Unreadable,
    ];

    /// The words that reports show.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Untracked => "not tracked by git",
            Self::Ignored => "named by an ignore file",
            Self::Excluded => "excluded by the configuration",
            Self::VersionControl => "version control",
            Self::Output => "output of a port",
            Self::Missing => "missing",
            Self::Submodule => "submodule not checked out",
            Self::Special => "pipe, socket or device",
            Self::Unreadable => "unreadable",
        }
    }
}

impl Walk {
    /// The taken entry at `path`.
    pub fn get(&self, path: &Path) -> Option<&Entry> {
        let at = self.taken_at(path).ok()?;
        self.files.get(at)
    }

    /// Take an entry, unless its path is taken.
    pub fn take(&mut self, entry: Entry) {
        if let Err(at) = self.taken_at(&entry.path) {
            self.files.insert(at, entry);
        }
    }

    /// Leave out files that were taken.
    pub fn leave_out(&mut self, reason: SkipReason, is_out: impl Fn(&Path) -> bool) {
        let (out, files) = std::mem::take(&mut self.files)
            .into_iter()
            .partition(|entry| is_out(&entry.path));
        self.files = files;
        let out: Vec<Entry> = out;
        self.skipped.extend(out.into_iter().map(|entry| Skipped {
            path: entry.path,
            reason,
            folder: false,
        }));
        let by_bytes = |one: &Skipped| one.path.as_os_str().as_bytes().to_vec();
        self.skipped.sort_by_cached_key(by_bytes);
    }

    /// What `path` fell under when it was left out: itself, or a folder above it.
    pub fn was_skipped(&self, path: &Path) -> Option<&Skipped> {
        path.ancestors()
            .filter(|part| !part.as_os_str().is_empty())
            .find_map(|part| {
                let at = self.skipped_at(part).ok()?;
                let skipped = self.skipped.get(at)?;
                (skipped.folder || part == path).then_some(skipped)
            })
    }

    /// Take a file that git or an ignore file left out, because another file names it. Returns
    /// whether it is input now: a path that the user excluded, that is no file or link, or that lies
    /// behind a link stays out.
    pub fn pull_back(&mut self, path: &Path) -> bool {
        let by_rule = self.was_skipped(path).is_some_and(|skipped| {
            matches!(skipped.reason, SkipReason::Untracked | SkipReason::Ignored)
        });
        if !by_rule || !self.is_plain_place(path) {
            return self.get(path).is_some();
        }
        let Ok(Some(entry)) = Entry::look(&self.root, path) else {
            return false;
        };
        if let Ok(at) = self.skipped_at(path) {
            self.skipped.remove(at);
        }
        self.take(entry);
        true
    }

    /// Whether every folder above `path` is a folder of the tree itself and no link.
    fn is_plain_place(&self, path: &Path) -> bool {
        let plain = path
            .components()
            .all(|component| matches!(component, Component::Normal(_)));
        plain
            && path
                .ancestors()
                .skip(1)
                .filter(|part| !part.as_os_str().is_empty())
                .all(|part| {
                    self.root
                        .join(part)
                        .symlink_metadata()
                        .is_ok_and(|found| found.is_dir())
                })
    }

    fn taken_at(&self, path: &Path) -> Result<usize, usize> {
        let bytes = path.as_os_str().as_bytes();
        self.files
            .binary_search_by(|entry| entry.path.as_os_str().as_bytes().cmp(bytes))
    }

    fn skipped_at(&self, path: &Path) -> Result<usize, usize> {
        let bytes = path.as_os_str().as_bytes();
        self.skipped
            .binary_search_by(|skipped| skipped.path.as_os_str().as_bytes().cmp(bytes))
    }
}

impl Entry {
    /// The file or link at `path` below `root`; `None` for anything else that is there.
    ///
    /// # Errors
    /// What the system says.
    pub fn look(root: &Path, path: &Path) -> io::Result<Option<Self>> {
        let full = root.join(path);
        let found = full.symlink_metadata()?;
        let (kind, mode, size, trace) = if found.is_file() {
            let mode = found.permissions().mode() & 0o7777;
            (EntryKind::File, mode, found.len(), Trace::of(&found))
        } else if found.is_symlink() {
            (EntryKind::Link(full.read_link()?), 0, 0, Trace::default())
        } else {
            return Ok(None);
        };
        Ok(Some(Self {
            path: path.to_owned(),
            kind,
            mode,
            size,
            trace,
        }))
    }
}
