//! Options that a clang takes for the files behind them alone, and nvcc for all: `nvcc main.cpp -x cu -o main`.

use super::options::{List, PlacedOption};
use torchada_syntax::script::WordPart;

impl List<'_, '_> {
    /// Where an option of a command has to stand for mcc to take it for all sources: in front of the first of them, if one
    /// stands before the option.
    pub(super) fn place_before_sources(&self, at: usize, found: &PlacedOption) -> Option<usize> {
        let name = self.view.unit.shown(found.name);
        if !self.is_command || !self.syntax().for_files_behind.contains(&name) {
            return None;
        }
        let files = &self.view.unit.context.knowledge.files;
        let before = self.words.get(..at)?;
        let source = before.iter().find(|word| {
            word.parts.iter().any(|part| match part {
                WordPart::Text(text) => files.is_code(&self.view.unit.shown(*text)),
                // What make calls the files that a target is made of.
                WordPart::Result(result) => {
                    matches!(self.view.of(*result), b"$<" | b"$^" | b"$+" | b"$?")
                }
                WordPart::Variable { .. } => false,
            })
        });
        source.map(|word| word.range.start)
    }
}
