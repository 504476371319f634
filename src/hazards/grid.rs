//! Threads of the whole grid that wait for each other: `grid.sync()`.

use rustc_hash::FxHashSet;

use super::word_roles::{Role, Roles};
use super::{CodeView, Hit, Search};
use torchada_mapping::has;
use torchada_syntax::TokenKind;

/// The construct's name in the rows.
const SHAPE: &str = "grid-sync";

impl Search<'_> {
    /// Find waits of grids.
    pub(super) fn find_grid_waits(self, roles: &Roles, hits: &mut Vec<Hit>) {
        let Self { hazards, view } = self;
        let words = &hazards.shapes().grid;
        let is = |list: &[String], index: usize| {
            let word = view.word(index);
            has(list, word)
        };
        let Some(row) = hazards.construct(SHAPE) else {
            return;
        };
        let mut grids: FxHashSet<&[u8]> = FxHashSet::default();
        let mut any = false;
        for index in roles.all(Role::Grid) {
            if is(&words.makers, index) {
                any = true;
                grids.extend(assigned(view, index));
            } else {
                grids.extend(declared(view, index));
            }
        }
        if !any && grids.is_empty() {
            return;
        }
        for index in roles.all(Role::Wait) {
            if view.word(index + 1) != b"(" {
                continue;
            }
            let from = match view.before(index, 1) {
                // `grid.sync()`, `this_grid().sync()`
                b"." | b"->" => {
                    let called = view.before(index, 2) == b")" && view.before(index, 3) == b"(";
                    let back = if called { 4 } else { 2 };
                    let Some(at) = index.checked_sub(back) else {
                        continue;
                    };
                    let known = if called {
                        is(&words.makers, at)
                    } else {
                        grids.contains(view.word(at))
                    };
                    known.then_some(at)
                }
                // `cg::sync(grid)`
                _ => (grids.contains(view.word(index + 2)) && view.word(index + 3) == b")")
                    .then_some(index),
            };
            hits.extend(from.and_then(|from| view.hit(row, from, index)));
        }
    }
}

/// The variable that the value at `index` is assigned to: `grid` in `auto grid = cg::this_grid();`.
fn assigned<'v>(view: &CodeView<'v>, index: usize) -> Option<&'v [u8]> {
    let equals = (1..6)
        .filter_map(|back| index.checked_sub(back))
        .take_while(|&at| !matches!(view.word(at), b";" | b"{" | b"}" | b","))
        .find(|&at| view.word(at) == b"=")?;
    Some(view.before(equals, 1))
}

/// The name behind a type: `const grid_group &grid`.
fn declared<'v>(view: &CodeView<'v>, index: usize) -> Option<&'v [u8]> {
    let name =
        (index + 1..index + 4).find(|&at| !matches!(view.word(at), b"&" | b"*" | b"const"))?;
    view.is(name, TokenKind::Identifier)
        .then(|| view.word(name))
}
