//! What the Python of a tree hands to compilers, and what that of its port does.

use std::borrow::Cow;

use super::python_builds::{PythonBuilds, PythonTree};
use super::{Disposition, PathIndex, Project};
use torchada_classify::FileKind;
use torchada_mapping::knowledge::Knowledge;
use torchada_text::WordIndex;

impl Project {
    /// What Python hands to compilers.
    pub fn python_builds(&self) -> &PythonBuilds {
        &self.python_builds
    }

    pub(super) fn read_python_builds(&self, knowledge: &Knowledge) -> PythonBuilds {
        let texts = self.files.iter().map(|file| {
            let is_plain = file.class.kind == FileKind::Python && file.python.is_none();
            let text = file.text.as_deref().filter(|_| is_plain)?;
            Some((Cow::Borrowed(text), Cow::Borrowed(&file.words)))
        });
        PythonBuilds::of(
            &PythonTree::new(&self.places, texts.collect(), knowledge),
            knowledge,
        )
    }

    /// The same in the port. `text` gives the texts of the files that it changes, by their indices.
    pub fn python_builds_of_port(
        &self,
        text: &dyn Fn(usize) -> Option<Vec<u8>>,
        knowledge: &Knowledge,
    ) -> PythonBuilds {
        let places = PathIndex::new(self.files.iter().map(|file| file.output.as_str()));
        let texts = self.files.iter().enumerate().map(|(index, file)| {
            let is_plain = file.class.kind == FileKind::Python && file.python.is_none();
            let old = file.text.as_deref().filter(|_| is_plain)?;
            let new = (file.disposition == Disposition::Ported).then(|| text(index));
            Some(match new.flatten() {
                Some(new) => (Cow::Owned(new), Cow::Owned(WordIndex::default())),
                None => (Cow::Borrowed(old), Cow::Borrowed(&file.words)),
            })
        });
        PythonBuilds::of(
            &PythonTree::new(&places, texts.collect(), knowledge),
            knowledge,
        )
    }
}
