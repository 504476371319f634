//! The parsed `CMake` files of a tree.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use crate::syntax::cmake::Cmake;

/// The parsed files of `CMake`'s.
#[derive(Default, Debug)]
pub(super) struct CmakeFiles {
    pub(super) read: Vec<OnceLock<Cmake>>,
    pub(super) made: OnceLock<FxHashSet<Vec<u8>>>,
    pub(super) modules: OnceLock<FxHashSet<String>>,
}

impl CmakeFiles {
    /// Room for the parsed form of so many files, none of which is read yet.
    pub(super) fn new(files: usize) -> Self {
        Self {
            read: std::iter::repeat_with(OnceLock::new).take(files).collect(),
            made: OnceLock::new(),
            modules: OnceLock::new(),
        }
    }
}
