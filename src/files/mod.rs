//! Opens the files that a tree or an output brings: regular files only, of a bounded size, and below a folder through
//! no link.
//!
//! Architecture invariant: every room that reads something which the user did not name on the command
//! line reads it through this one, so a pipe, a device or a link that a tree brings along stops nothing
//! and leads nowhere.

mod change;
mod folder;
mod look;
mod own;
mod read;
mod unpacked;

pub use folder::{Folder, is_plain};
pub use look::PathKind;
pub use own::{OwnState, Seal};
pub use read::{
    OpenFile, Stamp, open, open_named, read, read_from, read_named, read_stamped, read_text,
};
