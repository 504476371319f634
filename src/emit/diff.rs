//! Unified diffs that `git apply` takes.

use std::io::{self, Write};
use std::path::Path;

/// One file before and after.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// The path before, relative to the root; `None` for a file that is added.
    pub old_path: Option<&'a Path>,
    /// The path after, relative to the root.
    pub new_path: &'a Path,
    /// The bytes before.
    pub old: &'a [u8],
    /// The bytes after.
    pub new: &'a [u8],
    /// Permission bits of the file.
    pub mode: u32,
    /// Whether it is a symbolic link, the bytes being its target.
    pub link: bool,
}

/// Write one file's diff; nothing where nothing changes.
///
/// # Errors
/// When `out` can't take it.
pub fn diff(_change: &Change<'_>, _out: &mut dyn Write) -> io::Result<()> {
    unimplemented!()
}
