//! The parts of a tree that tell what is built.

use crate::python_builds::PythonBuilds;
use crate::tree::path_index::PathIndex;
use crate::tree::source::Source;
use crate::tree::words::TreeWords;
use torchada_classify::FileKind;
use torchada_text::line_of;

/// The files of a tree.
#[derive(Clone, Copy)]
pub(crate) struct Tree<'a> {
    /// All files.
    pub files: &'a [Source],
    /// Their paths.
    pub places: &'a PathIndex,
    /// What Python hands to compilers.
    pub(crate) python: &'a PythonBuilds,
    /// Which files have which words of Python.
    pub(crate) words: &'a TreeWords,
}

impl Tree<'_> {
    /// The files that may have some words by themselves: those of Python that have one, and all others.
    pub(super) fn may_have<'w>(self, words: impl Iterator<Item = &'w [u8]>) -> Vec<bool> {
        // Of a notebook the index has the Python alone.
        let is_other = |file: &Source| file.class.kind != FileKind::Python || file.python.is_some();
        let mut may_have: Vec<bool> = self.files.iter().map(is_other).collect();
        for file in words.flat_map(|word| self.words.files_with(word)) {
            if let Some(one) = may_have.get_mut(file as usize) {
                *one = true;
            }
        }
        may_have
    }

    /// A place as reports name it, of the index of a file and an offset in it: `setup.py:134`.
    pub(super) fn place(self, (file, offset): (usize, usize)) -> Option<String> {
        let file = self.files.get(file)?;
        let line = line_of(file.text.as_deref()?, offset);
        Some(format!("{}:{line}", file.path))
    }
}
