//! Texts in strings: `".target sm_80\n"` of a module in PTX.

use memchr::memmem;

use super::{Assembly, Hazards, Hit, Place, Search};
use torchada_text::{TextRange, contains};

impl Hazards<'_> {
    /// Whether code may hold a text that a row looks for in strings.
    pub fn has_text(&self, source: &[u8]) -> bool {
        let mut texts = self.texts.iter();
        texts.any(|(text, _)| contains(source, text))
    }
}

impl Search<'_> {
    /// Find the texts in strings, but for those of `assembly`, whose statements have rows of their own.
    pub(super) fn find_texts(self, assembly: &[Assembly<'_>], hits: &mut Vec<Hit>) {
        let Self { hazards, view } = self;
        if !hazards.has_text(view.source) {
            return;
        }
        // Statements stand behind each other.
        let is_in_statement = |index: usize| {
            let behind = assembly.partition_point(|one| one.statement.keyword <= index);
            let last = behind.checked_sub(1).and_then(|last| assembly.get(last));
            last.is_some_and(|one| index < one.statement.end)
        };
        let literals = view.tokens.literals();
        for (_, token) in literals.filter(|&(index, _)| !is_in_statement(index)) {
            let range = token.range();
            for &(text, row) in &hazards.texts {
                let place = memmem::find(range.of(view.source), text.as_bytes());
                hits.extend(place.map(|at| Hit {
                    row,
                    range: TextRange::new(range.start + at, range.start + at + text.len()),
                    what: text.to_owned(),
                    place: Place::Code,
                }));
            }
        }
    }
}
