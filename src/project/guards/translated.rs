//! What is left of the assembly in a branch after its translation.

use std::ops::Range;

use crate::platforms::regions::Region;
use torchada_mapping::ptx::Exactness;
use torchada_ptx::Translation;
use torchada_syntax::ptx::{AsmStatement, Piece};
use torchada_text::TextRange;

use super::decider::Decider;

impl Decider<'_> {
    /// The statements in these tokens that are translated.
    fn translated(
        &self,
        tokens: Range<usize>,
    ) -> impl Iterator<Item = (&AsmStatement, &Translation<'_>)> {
        let before = |at: usize| {
            self.assembly
                .partition_point(|one| one.statement.keyword < at)
        };
        let inside = before(tokens.start)..before(tokens.end);
        let inside = self.assembly.get(inside).unwrap_or_default().iter();
        inside.filter_map(|one| {
            let place = self.parsed.tokens.get(one.statement.keyword)?.range().start;
            let counts =
                !self.guards.is_disabled(place) && self.parsed.regions.at(place) == Region::Plain;
            Some((&one.statement, one.translation.as_ref().filter(|_| counts)?))
        })
    }

    /// The tokens of the statements of which nothing is left.
    pub(super) fn nothing_left(&self, tokens: Range<usize>) -> Vec<Range<usize>> {
        self.translated(tokens)
            .filter(|(_, translation)| translation.is_nothing())
            .map(|(statement, _)| statement.keyword..statement.end)
            .collect()
    }

    /// The instructions in these stretches that MUSA does with more work than CUDA.
    pub(super) fn slower(&self, bodies: &[TextRange]) -> Vec<String> {
        let tokens = &self.parsed.tokens.tokens;
        let place = |offset: usize| tokens.partition_point(|one| one.range().start < offset);
        let mut found: Vec<String> = Vec::new();
        for body in bodies {
            let places = place(body.start)..place(body.end);
            let statements = self.translated(places.clone());
            let opcodes =
                statements.filter_map(|(statement, translation)| emulated(statement, translation));
            let words = tokens.get(places).unwrap_or_default().iter();
            let calls = words.filter_map(|token| self.slower_call(token.text(self.source)));
            for name in opcodes.chain(calls) {
                let shown = format!("`{name}` (slower on MUSA)");
                if !found.contains(&shown) {
                    found.push(shown);
                }
            }
        }
        found
    }

    /// A function of CUDA's that does more work as a function of the header.
    fn slower_call(&self, name: &[u8]) -> Option<String> {
        let found = self.context.ptx?.intrinsic(name)?;
        (found.exactness == Exactness::Slower).then(|| String::from_utf8_lossy(name).into_owned())
    }
}

/// The first instruction of a statement that is emulated, or does more work.
fn emulated(statement: &AsmStatement, translation: &Translation<'_>) -> Option<String> {
    let slower = translation.exactness == Exactness::Slower;
    let first = || match statement.template.first() {
        Some(Piece::Literal(text, _)) => {
            let mut words = text.split_whitespace();
            words
                .find(|word| word.contains('.'))
                .map(|word| word.trim_end_matches(';').to_owned())
        }
        _ => None,
    };
    translation
        .emulated
        .clone()
        .or_else(|| slower.then(first).flatten())
}
