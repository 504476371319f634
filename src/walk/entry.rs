//! What a walk finds.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::diagnostic::Finding;

/// The input of a run.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// The input's root: absolute, without links.
    pub root: PathBuf,
    /// What is taken, sorted by the bytes of the paths.
    pub files: Vec<Entry>,
    /// What is left out, sorted by the bytes of the paths. A folder stands for all it holds.
    pub skipped: Vec<Skipped>,
    /// What the user should know of the listing itself.
    pub findings: Vec<Finding>,
}

/// One file or link of the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Relative to the root.
    pub path: PathBuf,
    /// What it is.
    pub kind: EntryKind,
    /// Permission bits; 0 for a link.
    pub mode: u32,
    /// Size in bytes; 0 for a link.
    pub size: u64,
}

/// What an entry is.
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
    /// Whether it is a folder that stands for everything in it.
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
    /// It belongs to version control itself.
    VersionControl,
    /// It is the output of this run or of an earlier one.
    Output,
    /// Git tracks it but it is not there.
    Missing,
    /// A submodule that is not checked out.
    Submodule,
    /// A pipe, socket or device.
    Special,
    /// It can't be read.
    Unreadable,
}

impl SkipReason {
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
        let bytes = path.as_os_str().as_bytes();
        self.files
            .binary_search_by(|entry| entry.path.as_os_str().as_bytes().cmp(bytes))
            .ok()
            .and_then(|at| self.files.get(at))
    }

    /// Whether `path`, or a folder above it, was left out by an ignore rule or because git does
    /// not track it: the reasons that a source which another file names overrides.
    pub fn was_skipped(&self, _path: &Path) -> Option<&Skipped> {
        unimplemented!()
    }

    /// Take a file that the rules left out because another file names it. Returns whether it is
    /// there now: `false` for one that is missing, special, excluded by the user or unreadable.
    pub fn pull_back(&mut self, _path: &Path) -> bool {
        unimplemented!()
    }
}
