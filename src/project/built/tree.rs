//! The parts of a tree that tell what is built.

use crate::project::path_index::PathIndex;
use crate::project::python_builds::PythonBuilds;
use crate::project::source::Source;

/// The files of a tree.
#[derive(Clone, Copy)]
pub(in crate::project) struct Tree<'a> {
    /// All files.
    pub files: &'a [Source],
    /// Their paths.
    pub places: &'a PathIndex,
    /// What Python hands to compilers.
    pub(in crate::project) python: &'a PythonBuilds,
}
