//! The codes of the findings on what a walk leaves.

use crate::diagnostic::Code;

/// A link that points out of the tree; it is kept and not followed.
pub const LINK_LEAVES_TREE: Code = Code::note("PRJ010", "link leaves the tree");

/// A file or folder that can't be read.
pub const UNREADABLE: Code = Code::warning("PRJ011", "unreadable file or folder left out");

/// A pipe, socket or device.
pub const SPECIAL_FILE: Code = Code::note("PRJ012", "special file left out");

/// A submodule that is not checked out.
pub const EMPTY_SUBMODULE: Code = Code::warning("PRJ013", "submodule is not checked out");

/// A folder that an earlier port wrote.
pub const EARLIER_OUTPUT: Code = Code::note("PRJ014", "output of an earlier port left out");

/// Git tracks the tree but could not be asked.
pub const GIT_UNAVAILABLE: Code = Code::warning("PRJ015", "git could not list the tree");

/// Files that git tracks and that are not there.
pub const TRACKED_MISSING: Code = Code::note("PRJ016", "tracked files are missing");

/// CUDA sources that git does not track in a tree that it tracks.
pub const UNTRACKED: Code =
    Code::warning("PRJ055", "CUDA sources left out that git does not track");

/// Sources that ignore files name in a tree without git.
pub const IGNORED: Code = Code::warning(
    "PRJ057",
    "sources left out that ignore files name, in a tree without git",
);

/// The tree lies in a git work tree that tracks none of it.
pub const NOTHING_TRACKED: Code = Code::note("PRJ017", "git tracks nothing here");

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
