//! Hazards of translated assembly. A translation means the same on every target, but for what a row says of some
//! targets, as that their warps have 128 lanes.

use std::collections::BTreeSet;

use super::matcher::Hazards;
use super::{Assembly, CodeView, Hit, Place, shapes};
use torchada_mapping::ptx::NAMESPACE;
use torchada_ptx::Translation;
use torchada_syntax::{LexOptions, Outline, Tokens, lex};

impl Hazards<'_> {
    /// The rows for some targets that concern the C++ of a translated statement. Each stands at the statement, once.
    pub(super) fn of_translation(
        &self,
        view: &CodeView<'_>,
        one: &Assembly<'_>,
        translation: &Translation<'_>,
        hits: &mut Vec<Hit>,
    ) {
        let Some(keyword) = view.token(one.statement.keyword) else {
            return;
        };
        // The code itself has what stands in the operands.
        let operands = one.statement.operands().flat_map(|one| one.tokens.clone());
        let operands: BTreeSet<&[u8]> = operands.map(|at| view.word(at)).collect();
        let mut found: Vec<(usize, String)> = Vec::new();
        for hit in self.in_code(view, translation.code()) {
            if !operands.contains(hit.what.as_bytes()) {
                found.push((hit.row, hit.what));
            }
        }
        for name in &translation.needs.functions {
            for code in translation.code_behind(name) {
                let rows = self.in_code(view, code).into_iter();
                found.extend(rows.map(|hit| (hit.row, format!("{NAMESPACE}{name}"))));
            }
        }
        let mut seen = BTreeSet::new();
        for (row, what) in found {
            let some = |row: usize| {
                self.rows
                    .get(row)
                    .is_some_and(|row| !row.targets.is_empty())
            };
            if some(row) && seen.insert(row) {
                hits.push(Hit {
                    row,
                    range: keyword.range(),
                    what,
                    place: Place::Translated,
                });
            }
        }
    }

    /// What calls in a piece of C++ are, each by its name.
    fn in_code(&self, view: &CodeView<'_>, code: &str) -> Vec<Hit> {
        let source = code.as_bytes();
        let tokens: Tokens = lex(source, LexOptions::default());
        let outline = Outline::default();
        let view = CodeView {
            source,
            tokens: &tokens,
            outline: &outline,
            named: view.named,
        };
        let mut hits = Vec::new();
        for index in tokens.identifiers_where(source, |_| true) {
            self.identifier(&view, index, &mut hits);
            hits.extend(shapes::exchange(self, &view, index));
        }
        hits
    }
}
