//! The knowledge that is there before any file is read: tables, knowledge base, hazards.

use crate::python::EntryHints;
use torchada_hazards::Hazards;
use torchada_mapping::knowledge::Knowledge;
use torchada_mapping::python::entry_words::EntryWords;
use torchada_mapping::python::triton::Triton;
use torchada_mapping::{Row, Section, Tables, has};
use torchada_ptx::Translator;
use torchada_syntax::Macro;
use torchada_syntax::python::any_in_code;

/// The knowledge that rules have from the start.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Names and their counterparts.
    pub tables: &'a Tables,
    /// Vendors, kinds of files, calls.
    pub knowledge: &'a Knowledge,
    /// The hazards to look for.
    pub hazards: &'a Hazards<'a>,
    /// What translates inline assembly; `None` where that stays.
    pub ptx: Option<Translator<'a>>,
    /// The version of CUDA's that is written in place of its macros, major and minor.
    pub cuda_version: Option<(u32, u32)>,
    /// Whether that is still to be the version that the project names.
    pub takes_project_version: bool,
}

impl<'a> Context<'a> {
    /// The knowledge for code whose inline PTX and whose conditions on CUDA's version stay.
    pub fn new(tables: &'a Tables, knowledge: &'a Knowledge, hazards: &'a Hazards<'a>) -> Self {
        Self {
            tables,
            knowledge,
            hazards,
            ptx: None,
            cuda_version: None,
            takes_project_version: false,
        }
    }

    /// This knowledge for code whose inline PTX stays: a translation may need a header, which code that is compiled at run time
    /// can't include.
    #[must_use]
    pub fn without_ptx(self) -> Self {
        Self { ptx: None, ..self }
    }

    /// The row of the tables for a name in this section.
    pub fn row(&self, section: Section, name: &[u8]) -> Option<&'a Row> {
        self.tables.get(section, name)
    }

    /// Whether Python has, not only in its comments, a word that makes it worth a look. `entry_words` are those that count
    /// in the tree.
    pub fn python_may_matter(&self, text: &[u8], entry_words: &EntryWords) -> bool {
        self.python_with_words_may_matter(text, entry_words, EntryHints::ALL)
    }

    /// Whether Python has such a word, where it is known which kinds of them the text may have.
    pub(crate) fn python_with_words_may_matter(
        &self,
        text: &[u8],
        entry_words: &EntryWords,
        hints: EntryHints<'_>,
    ) -> bool {
        let values = &self.knowledge.python_values;
        let EntryHints {
            plain,
            packages,
            functions,
        } = hints;
        (plain || packages.is_none_or(|packages| !packages.is_empty()))
            && any_in_code(text, values.places_to_look_at(text, entry_words, packages))
            || Triton::builtin().may_matter(text)
            || functions && self.tables.operator_calls().may_matter(text)
    }

    /// The state of a macro in MUSA's device code, as far as it is the same for every project.
    pub fn on_musa(&self, name: &[u8]) -> Macro {
        let guards = &self.knowledge.shapes.guards;
        if has(&guards.defined, name) {
            return Macro::Value(1);
        }
        if has(&guards.editors, name) {
            return Macro::Undefined;
        }
        match self
            .knowledge
            .vendor_of_macro(&String::from_utf8_lossy(name))
        {
            Some(vendor) if !vendor.is_target() => Macro::Undefined,
            _ => Macro::Unknown,
        }
    }
}
