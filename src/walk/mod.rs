//! The input listing: which files a run takes, and why it left the others.
//!
//! In a git work tree the input is what git tracks, whatever `.gitignore` says. Elsewhere the
//! ignore files of the tree hold. Nothing is followed through a link, and the order is that of
//! the path bytes, whatever the locale and the order of the folders say.

mod entry;

pub use entry::{Entry, EntryKind, SkipReason, Skipped, Walk};

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::diagnostic::{Code, Severity};

/// A link that points out of the tree; it is kept and not followed.
pub const LINK_LEAVES_TREE: Code = Code {
    id: "PRJ010",
    severity: Severity::Note,
    title: "link leaves the tree",
};

/// A file or folder that can't be read.
pub const UNREADABLE: Code = Code {
    id: "PRJ011",
    severity: Severity::Warning,
    title: "unreadable file or folder left out",
};

/// A pipe, socket or device.
pub const SPECIAL_FILE: Code = Code {
    id: "PRJ012",
    severity: Severity::Note,
    title: "special file left out",
};

/// A submodule that is not checked out.
pub const EMPTY_SUBMODULE: Code = Code {
    id: "PRJ013",
    severity: Severity::Warning,
    title: "submodule is not checked out",
};

/// A folder that an earlier port wrote.
pub const EARLIER_OUTPUT: Code = Code {
    id: "PRJ014",
    severity: Severity::Note,
    title: "output of an earlier port left out",
};

/// Git tracks the tree but could not be asked.
pub const GIT_UNAVAILABLE: Code = Code {
    id: "PRJ015",
    severity: Severity::Warning,
    title: "git could not list the tree",
};

/// A file that git tracks and that is not there.
pub const TRACKED_MISSING: Code = Code {
    id: "PRJ016",
    severity: Severity::Note,
    title: "tracked file is missing",
};

/// What decides which files are taken.
#[derive(Clone, Debug)]
pub struct WalkOptions<'a> {
    /// The input's root folder.
    pub root: &'a Path,
    /// Where the output goes, which is never input.
    pub output: Option<&'a Path>,
    /// The user's exclusion globs, written as in a `.gitignore` at `exclude_base`.
    pub exclude: &'a [String],
    /// The folder that the globs are relative to.
    pub exclude_base: &'a Path,
    /// Whether git and ignore files have no say.
    pub no_ignore: bool,
}

/// Why a tree can't be listed at all.
#[derive(Debug, Error)]
pub enum WalkError {
    /// The root is missing or can't be read.
    #[error("can't read the input {}: {source}", path.display())]
    Root {
        /// The root as it was asked for.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// An exclusion glob is malformed.
    #[error("bad glob `{glob}` in `exclude`: {message}")]
    Glob {
        /// The glob.
        glob: String,
        /// What is wrong with it.
        message: String,
    },
}

/// List the input.
///
/// # Errors
/// When the root can't be read or a glob is malformed. Anything below the root that can't be
/// read becomes a finding of the result.
pub fn walk(_options: &WalkOptions<'_>) -> Result<Walk, WalkError> {
    unimplemented!()
}
