//! Limits that keep a tree from harming its reader: `mappings/safety.toml`, as constants that the build makes.

pub use built::*;

// The build writes numbers as they come.
#[allow(clippy::unreadable_literal)]
mod built {
    include!(concat!(env!("OUT_DIR"), "/safety.rs"));
}

/// Whether a component of a path names a folder of version control, or the folder of this program.
/// Some file systems take `.GIT` for `.git`.
pub fn is_reserved(name: &std::ffi::OsStr) -> bool {
    let is_same = |reserved: &&str| name.eq_ignore_ascii_case(reserved);
    VERSION_CONTROL.iter().any(is_same) || is_same(&STATE)
}
