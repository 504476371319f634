//! The parts of a tree that tell what is built.

use crate::python_builds::PythonBuilds;
use crate::tree::path_index::PathIndex;
use crate::tree::source::Source;

/// The files of a tree.
#[derive(Clone, Copy)]
pub(crate) struct Tree<'a> {
    /// All files.
    pub files: &'a [Source],
    /// Their paths.
    pub places: &'a PathIndex,
    /// What Python hands to compilers.
    pub(crate) python: &'a PythonBuilds,
}

impl Tree<'_> {
    /// A place as reports name it, of the index of a file and an offset in it: `setup.py:134`.
    pub(super) fn place(self, (file, offset): (usize, usize)) -> Option<String> {
        let file = self.files.get(file)?;
        let before = file.text.as_deref()?.get(..offset)?;
        let line = 1 + memchr::memchr_iter(b'\n', before).count();
        Some(format!("{}:{line}", file.path))
    }
}
