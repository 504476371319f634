//! The codes of the findings on what a walk leaves.

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

/// Files that git tracks and that are not there.
pub const TRACKED_MISSING: Code = Code {
    id: "PRJ016",
    severity: Severity::Note,
    title: "tracked files are missing",
};

/// CUDA sources that git does not track in a tree that it tracks.
pub const UNTRACKED: Code = Code {
    id: "PRJ055",
    severity: Severity::Warning,
    title: "CUDA sources left out that git does not track",
};

/// Sources that ignore files name in a tree without git.
pub const IGNORED: Code = Code {
    id: "PRJ057",
    severity: Severity::Warning,
    title: "sources left out that ignore files name, in a tree without git",
};

/// The tree lies in a git work tree that tracks none of it.
pub const NOTHING_TRACKED: Code = Code {
    id: "PRJ017",
    severity: Severity::Note,
    title: "git tracks nothing here",
};

/// All codes of this room.
pub const CODES: &[Code] = &[
    LINK_LEAVES_TREE,
    UNREADABLE,
    SPECIAL_FILE,
    EMPTY_SUBMODULE,
    EARLIER_OUTPUT,
    GIT_UNAVAILABLE,
    TRACKED_MISSING,
    NOTHING_TRACKED,
    UNTRACKED,
    IGNORED,
];
