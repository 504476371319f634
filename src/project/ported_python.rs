//! What the Python of a tree hands to compilers, and what that of its port does.

use std::borrow::Cow;

use super::python_builds::{PythonBuilds, PythonTree};
use super::{Disposition, PathIndex, Project};
use crate::classify::FileKind;
use crate::mapping::knowledge::Knowledge;

impl Project {
    /// What Python hands to compilers.
    pub fn python_builds(&self) -> &PythonBuilds {
        &self.python_builds
    }

    pub(super) fn read_python_builds(&self, knowledge: &Knowledge) -> PythonBuilds {
        let texts = self.files.iter().map(|file| {
            let is_plain = file.class.kind == FileKind::Python && file.python.is_none();
            file.text.as_deref().filter(|_| is_plain).map(Cow::Borrowed)
        });
        PythonBuilds::of(
            &PythonTree::new(&self.places, texts.collect(), knowledge),
            knowledge,
        )
    }

    /// The same in the port, whose texts `text` gives by the indices of files.
    pub fn python_builds_of_port(
        &self,
        text: &dyn Fn(usize) -> Vec<u8>,
        knowledge: &Knowledge,
    ) -> PythonBuilds {
        let places = PathIndex::new(self.files.iter().map(|file| file.output.as_str()));
        let texts = self.files.iter().enumerate().map(|(index, file)| {
            let is_plain = file.class.kind == FileKind::Python && file.python.is_none();
            let old = file.text.as_deref().filter(|_| is_plain)?;
            Some(if file.disposition == Disposition::Ported {
                Cow::Owned(text(index))
            } else {
                Cow::Borrowed(old)
            })
        });
        PythonBuilds::of(
            &PythonTree::new(&places, texts.collect(), knowledge),
            knowledge,
        )
    }
}
