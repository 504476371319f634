//! Hazards of translated assembly. A translation means the same on every target, but for what a row says of some
//! targets, as that their warps have 128 lanes.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::matcher::Hazards;
use super::{Assembly, CodeView, Hit, Place, Search, shapes};
use torchada_mapping::ptx::NAMESPACE;
use torchada_ptx::Translation;
use torchada_syntax::{LexOptions, Outline, Tokens, lex};

/// For functions of the port's own header, the rows that concern them or what they call. Many statements call the same.
pub(super) type RowsOfHelpers = FxHashMap<String, Vec<usize>>;

impl Hazards<'_> {
    /// The rows for some targets that concern the C++ of a translated statement. Each stands at the statement, once.
    pub(super) fn of_translation(
        &self,
        view: &CodeView<'_>,
        one: &Assembly<'_>,
        translation: &Translation<'_>,
        (helpers, hits): (&mut RowsOfHelpers, &mut Vec<Hit>),
    ) {
        let Some(keyword) = view.token(one.statement.keyword) else {
            return;
        };
        // The code itself has what stands in the operands.
        let operands = one.statement.operands().flat_map(|one| one.tokens.clone());
        let operands: BTreeSet<&[u8]> = operands.map(|at| view.word(at)).collect();
        let mut found = self.in_code(view, translation.code());
        found.retain(|(_, what)| !operands.contains(what.as_bytes()));
        for name in &translation.needs.functions {
            if !helpers.contains_key(name) {
                let code = translation.code_behind(name);
                let rows = code.flat_map(|code| self.in_code(view, code));
                helpers.insert(name.clone(), rows.map(|(row, _)| row).collect());
            }
            let rows = helpers.get(name).into_iter().flatten();
            found.extend(rows.map(|row| (*row, format!("{NAMESPACE}{name}"))));
        }
        let mut seen = BTreeSet::new();
        for (row, what) in found {
            if seen.insert(row) {
                hits.push(Hit {
                    row,
                    range: keyword.range(),
                    what,
                    place: Place::Translated,
                });
            }
        }
    }

    /// The rows for some targets that concern what a piece of C++ calls, each with the name.
    fn in_code(&self, view: &CodeView<'_>, code: &str) -> Vec<(usize, String)> {
        let source = code.as_bytes();
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let mut words = source.split(|byte| !is_part(byte));
        if !words.any(|word| self.is_name(word) || shapes::is_exchange(self, word)) {
            return Vec::new();
        }
        let tokens: Tokens = lex(source, LexOptions::default());
        let outline = Outline::default();
        let view = CodeView {
            source,
            tokens: &tokens,
            outline: &outline,
            named: view.named,
        };
        let search = Search {
            hazards: self,
            view: &view,
        };
        let mut hits = Vec::new();
        for index in tokens.identifiers_where(source, |_| true) {
            self.identifier(&view, index, &mut hits);
            hits.extend(search.exchange(index));
        }
        let is_of_some = |row: usize| {
            let row = self.rows.get(row);
            row.is_some_and(|row| !row.targets.is_empty())
        };
        let hits = hits.into_iter().filter(|hit| is_of_some(hit.row));
        hits.map(|hit| (hit.row, hit.what)).collect()
    }
}
