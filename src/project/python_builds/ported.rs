//! What the Python of a tree hands to compilers, and what that of its port does.

use std::borrow::Cow;

use super::tree::{PortTexts, PortedText};
use super::{ModuleText, PythonBuilds, PythonTree};
use crate::tree::file_text::FileText;
use crate::tree::source::Source;
use crate::{Disposition, PathIndex, Project};
use torchada_classify::FileKind;
use torchada_mapping::knowledge::Knowledge;

impl Project {
    /// What Python hands to compilers.
    pub fn python_builds(&self) -> &PythonBuilds {
        &self.python_builds
    }

    /// What Python hands to compilers in a port.
    pub fn python_builds_of_port(
        &self,
        port: &dyn PortTexts,
        knowledge: &Knowledge,
    ) -> PythonBuilds {
        let places = PathIndex::new(self.files.iter().map(|file| file.output.clone()));
        let texts = self.files.iter().enumerate().map(|(index, file)| {
            let text = file.python_file().filter(|_| file.python.is_none())?;
            let is_new = file.disposition == Disposition::Ported && port.is_changed(index);
            Some(if is_new {
                ModuleText::Ported(PortedText::new(index, port))
            } else {
                ModuleText::Saved(text)
            })
        });
        let tree = PythonTree::new(&places, texts.collect(), &self.python_words, knowledge);
        PythonBuilds::of(&tree, knowledge)
    }
}

impl Source {
    /// The text of the file, if it is one of Python.
    fn python_file(&self) -> Option<&FileText> {
        let text = self.text.as_ref();
        text.filter(|_| self.class.kind == FileKind::Python)
    }

    /// The Python of the file, if it is one of Python, for somebody who looks at it once.
    pub(crate) fn python_once(&self) -> Option<Cow<'_, [u8]>> {
        let text = self.python_file()?;
        Some(match &self.python {
            Some(python) => Cow::Borrowed(python.text()),
            None => text.once(),
        })
    }

    /// The Python of the file, if it is one of Python.
    pub(crate) fn python_text(&self) -> Option<&[u8]> {
        let text = self.python_file()?;
        Some(match &self.python {
            Some(python) => python.text(),
            None => text,
        })
    }
}
