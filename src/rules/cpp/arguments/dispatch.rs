//! Dispatch keys as bare arguments: `TORCH_LIBRARY_IMPL(ns, CUDA, m)`, and macros of the
//! project's own that hand a key on to it.

use std::ops::Range;

use crate::Outcome;
use crate::cpp::CppUnit;
use crate::cpp::verdict::{Reference, keep_if};
use torchada_mapping::{Relation, Row, Section};
use torchada_syntax::Token;

/// The rule name of edits of a bare dispatch key.
pub(in crate::cpp) const KEY: &str = "dispatch-key";

/// The row of a bare dispatch key.
pub(super) fn key_row<'a>(unit: &CppUnit<'a>, token: Token) -> Option<&'a Row> {
    let name = String::from_utf8_lossy(token.text(unit.text));
    let key = format!("DispatchKey::{name}");
    unit.context.row(Section::Qualified, key.as_bytes())
}

/// A bare dispatch key.
pub(super) fn key(unit: &CppUnit<'_>, out: &mut Outcome, argument: Range<usize>) {
    let [index] = argument.collect::<Vec<_>>()[..] else {
        return;
    };
    let Some(token) = unit.token(index) else {
        return;
    };
    let Some(row) = key_row(unit, token) else {
        return;
    };
    out.claim(token);
    let range = token.range();
    if row.relation == Relation::Same || keep_if(unit, out, range, unit.foreign(range)) {
        return;
    }
    let to = row.to.as_deref().unwrap_or_default();
    let to = to.rsplit("::").next().unwrap_or(to).to_owned();
    Reference::whole(range, &row.cuda, row, to, KEY).apply_row(unit, out);
}
