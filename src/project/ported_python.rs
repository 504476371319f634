//! What the Python of a tree hands to compilers, and what that of its port does.

use std::borrow::Cow;

use super::python_builds::{PythonBuilds, PythonTree};
use super::source::{PythonCode, Source};
use super::tree_words::TreeWords;
use super::{Disposition, PathIndex, Project};
use torchada_classify::FileKind;
use torchada_mapping::knowledge::Knowledge;
use torchada_text::WordIndex;

impl Project {
    /// What Python hands to compilers.
    pub fn python_builds(&self) -> &PythonBuilds {
        &self.python_builds
    }

    pub(super) fn read_python_words(&self) -> TreeWords {
        let texts: Vec<Option<&[u8]>> = self.files.iter().map(Source::python_text).collect();
        TreeWords::of(&texts)
    }

    pub(super) fn read_python_builds(&self, knowledge: &Knowledge) -> PythonBuilds {
        let texts = self.files.iter().map(|file| {
            let text = file.python_text().filter(|_| file.python.is_none())?;
            Some((Cow::Borrowed(text), Cow::Borrowed(&file.words)))
        });
        let tree = PythonTree::new(&self.places, texts.collect(), &self.python_words, knowledge);
        PythonBuilds::of(&tree, knowledge)
    }

    /// The same in the port. `text` gives the texts of the files that it changes, by their indices.
    pub fn python_builds_of_port(
        &self,
        text: &dyn Fn(usize) -> Option<Vec<u8>>,
        knowledge: &Knowledge,
    ) -> PythonBuilds {
        let places = PathIndex::new(self.files.iter().map(|file| file.output.as_str()));
        let texts = self.files.iter().enumerate().map(|(index, file)| {
            let old = file.python_text().filter(|_| file.python.is_none())?;
            let new = (file.disposition == Disposition::Ported).then(|| text(index));
            Some(match new.flatten() {
                Some(new) => (Cow::Owned(new), Cow::Owned(WordIndex::default())),
                None => (Cow::Borrowed(old), Cow::Borrowed(&file.words)),
            })
        });
        let tree = PythonTree::new(&places, texts.collect(), &self.python_words, knowledge);
        PythonBuilds::of(&tree, knowledge)
    }
}

impl Source {
    /// The Python of the file, if it is one of Python.
    pub(super) fn python_text(&self) -> Option<&[u8]> {
        let text = self.text.as_deref();
        let text = text.filter(|_| self.class.kind == FileKind::Python)?;
        Some(self.python.as_ref().map_or(text, PythonCode::text))
    }
}
