//! What the translation of one file may look at.

use std::ops::Deref;

use crate::project::python::{ModuleIndex, PinTrees};
use crate::project::{Context, Project, Source};
use crate::rules::build::TreeScripts;
use crate::rules::cpp::PastingPlans;
use crate::rules::python::Summaries;
use crate::rules::python::reach::Reaches;
use crate::rules::{RuleSettings, Unit};
use crate::text::LineIndex;

/// The answers that the translations of all files share.
#[derive(Clone, Copy)]
pub(super) struct SharedAnswers<'a> {
    /// The facts about the values of modules of Python.
    pub(super) summaries: &'a Summaries,
    /// Which of these modules MUSA reaches.
    pub(super) reaches: &'a Reaches,
    /// What all scripts share.
    pub(super) scripts: &'a TreeScripts,
    /// The plans for names that macros of C++ paste.
    pub(super) pasting_plans: &'a PastingPlans,
}

/// Everything that the translation of a file may look at besides the file.
#[derive(Clone, Copy)]
pub(super) struct TreeAnalysis<'a, 't> {
    /// All files.
    pub(super) project: &'a Project,
    /// The modules of Python.
    pub(super) modules: &'a ModuleIndex<'a>,
    /// The syntax trees of these modules.
    pub(super) trees: &'a (dyn PinTrees + 't),
    /// The answers that all translations share.
    pub(super) shared: SharedAnswers<'a>,
    /// The mapping tables, and what is known besides names.
    pub(super) context: Context<'a>,
    /// The settings of the rules.
    pub(super) settings: &'a RuleSettings,
}

/// A file that is translated. It derefs to what the translation may look at besides.
#[derive(Clone, Copy)]
pub(super) struct FileAnalysis<'a, 't> {
    /// Everything besides the file.
    pub(super) tree: TreeAnalysis<'a, 't>,
    /// The index of the file in the project.
    pub(super) index: usize,
    /// The file.
    pub(super) source: &'a Source,
    /// Its text.
    pub(super) text: &'a [u8],
}

impl<'a, 't> Deref for FileAnalysis<'a, 't> {
    type Target = TreeAnalysis<'a, 't>;

    fn deref(&self) -> &Self::Target {
        &self.tree
    }
}

impl<'a> FileAnalysis<'a, '_> {
    /// The unit that is the whole of a text: that of the file, or code in it that is translated by itself.
    pub(super) fn unit<'u, C>(&self, text: &'u [u8], lines: &'u LineIndex, code: C) -> Unit<'u, C>
    where
        'a: 'u,
    {
        Unit {
            file: self.source,
            index: self.index,
            file_text: text,
            lines,
            text,
            fragment: None,
            project: self.project,
            context: self.context,
            settings: self.settings,
            code,
        }
    }
}
