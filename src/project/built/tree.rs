//! The parts of a tree that tell what is built.

use crate::mapping::files::BuildLanguage;
use crate::project::cmake_files::CmakeFiles;
use crate::project::path_index::PathIndex;
use crate::project::python_builds::PythonBuilds;
use crate::project::source::Source;
use crate::syntax::cmake::Cmake;

/// The files of a tree.
#[derive(Clone, Copy)]
pub(in crate::project) struct Tree<'a> {
    /// All files.
    pub files: &'a [Source],
    /// Their paths.
    pub places: &'a PathIndex,
    /// The parsed files of `CMake`'s.
    pub(in crate::project) cmake: &'a CmakeFiles,
    /// What Python hands to compilers.
    pub(in crate::project) python: &'a PythonBuilds,
}

impl<'a> Tree<'a> {
    /// The commands of the file at `index`; `None` for what has no text.
    pub(super) fn cmake(&self, index: usize) -> Option<&'a Cmake> {
        let text = self.files.get(index)?.text.as_deref()?;
        let slot = self.cmake.read.get(index)?;
        Some(slot.get_or_init(|| Cmake::read(text)))
    }

    /// The texts of all files of `CMake`'s, with the files' places.
    pub(super) fn cmake_texts(&self) -> impl Iterator<Item = (usize, &'a [u8])> + use<'a> {
        let files = self.files.iter().enumerate();
        files.filter_map(|(index, file)| {
            let is_one = file.class.language == Some(BuildLanguage::CMake);
            Some((index, file.text.as_deref().filter(|_| is_one)?))
        })
    }
}
