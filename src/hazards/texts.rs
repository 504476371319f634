//! Texts in strings: `".target sm_80\n"` of a module in PTX.

use memchr::memmem;

use super::{Assembly, CodeView, Hazards, Hit, Place};
use torchada_text::{TextRange, contains};

impl Hazards<'_> {
    /// Whether code may hold a text that a row looks for in strings.
    pub fn has_text(&self, source: &[u8]) -> bool {
        let mut texts = self.texts.iter();
        texts.any(|(text, _)| contains(source, text))
    }
}

/// Find the texts in strings, but for those of `assembly`, whose statements have rows of their own.
pub(super) fn find(
    hazards: &Hazards<'_>,
    view: &CodeView<'_>,
    assembly: &[Assembly<'_>],
    hits: &mut Vec<Hit>,
) {
    if !hazards.has_text(view.source) {
        return;
    }
    for (index, token) in view.tokens.literals() {
        let is_in =
            |one: &Assembly<'_>| (one.statement.keyword..one.statement.end).contains(&index);
        if assembly.iter().any(is_in) {
            continue;
        }
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
