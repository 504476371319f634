//! The C++ that a statement becomes.

use super::lowerer::Lowerer;
use super::statement::{comment, layout};
use super::{Fault, Needs, SourceFile, header};
use torchada_mapping::Evidence;
use torchada_mapping::ptx::Exactness;
use torchada_syntax::ptx::AsmStatement;
use torchada_text::TextRange;

/// A translated statement.
#[derive(Clone, Debug)]
pub struct Translation<'a> {
    /// The C++ that takes the place of the statement, its comment with the PTX included.
    pub text: String,
    /// How many instructions the statement has.
    pub instructions: usize,
    /// What the C++ needs of the header.
    pub needs: Needs,
    /// The least exact of the rows that were applied.
    pub exactness: Exactness,
    /// The weakest evidence among them.
    pub evidence: Evidence,
    /// The first instruction that is translated only where emulation is wanted.
    pub emulated: Option<String>,
    /// The instruction whose carry nothing in the statement reads, after others did: another statement may.
    pub hands_on: Option<String>,
    pub(super) lowerer: Lowerer<'a>,
}

impl Translation<'_> {
    /// The C++ where `spelling` gives the texts of operands' expressions that are not those in the source, as when
    /// names in them change.
    ///
    /// # Errors
    /// Why these texts can't be put in.
    pub fn spelled(
        &self,
        file: &SourceFile<'_>,
        statement: &AsmStatement,
        spelling: &dyn Fn(TextRange) -> Option<String>,
    ) -> Result<String, Fault> {
        layout::text(file, statement, spelling, self.lowerer.clone())
    }

    /// The C++ without the comment with the PTX.
    pub fn code(&self) -> &str {
        comment::without_comment(&self.text)
    }

    /// The code of a function of the header, and of all that it calls.
    pub fn code_behind<'s>(&'s self, function: &'s str) -> impl Iterator<Item = &'s str> {
        let table = self.lowerer.table;
        let names = header::with_called(table, std::iter::once(function)).into_keys();
        names.filter_map(|name| Some(table.helpers().get(name)?.code.as_str()))
    }

    /// Whether nothing is left of the statement but its comment.
    pub fn is_nothing(&self) -> bool {
        let mut code = self.code().bytes();
        code.all(|byte| matches!(byte, b';' | b'{' | b'}') || byte.is_ascii_whitespace())
    }
}
