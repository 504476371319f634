//! Asks git about a work tree, in a way in which the tree can't make git run anything.
//!
//! Architecture invariant: git is asked for its index and its objects alone, never about the files of the work
//! tree: comparing these makes git run filters that the repository's own configuration names. This room reads
//! and hashes the files by itself. So it takes what lies in a folder as it lies there: where git would convert
//! a file by an attribute other than line ends, the file counts as changed.

mod ask;
mod changes;
mod clean;
mod compare;
mod listing;
mod object;
mod repository;

pub use ask::NO_GIT;
pub use changes::ChangedLines;
pub use clean::{WorkTreeState, work_tree_state};
pub use listing::{Listing, list};
pub use repository::{covers, top};
