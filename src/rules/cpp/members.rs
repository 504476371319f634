//! Names of members of objects: `tensor.is_cuda()`.

use super::identifiers::counts;
use super::rule_names::MEMBER;
use super::verdict::{Reference, keep_if};
use super::{CppUnit, member_calls, questions};
use crate::Outcome;
use torchada_diagnostic::KeptReason;
use torchada_mapping::{Relation, Row, Section};
use torchada_syntax::Token;

/// A member's name: the project's own, unless a table of members knows it.
pub(super) fn member(unit: &CppUnit<'_>, out: &mut Outcome, index: usize, token: Token) {
    let range = token.range();
    if let Some(row) = counts_as_member(unit, index, token) {
        // `if (x.is_cuda()) … else if (x.device().type() == kPrivateUse1)`: translated, the first
        // branch would swallow the one for MUSA.
        let knows = dispatches_to_target(unit).then_some(KeptReason::MusaBranch);
        if keep_if(unit, out, range, unit.foreign(range).or(knows)) {
            return;
        }
        if unit.alias_header.is_none()
            && (questions::ask(unit, out, (index, token), row)
                || member_calls::rewrite(unit, out, (index, token), row))
        {
            return;
        }
        let shown = String::from_utf8_lossy(token.text(unit.text)).into_owned();
        let to = row.to.as_deref().unwrap_or_default().to_owned();
        Reference::whole(range, &shown, row, to, MEMBER).apply_row(unit, out);
    } else if counts(unit, index, token, Section::Names).is_some_and(|row| row.stem) {
        unit.keep(out, range, KeptReason::ProjectDeclared);
    }
}

fn dispatches_to_target(unit: &CppUnit<'_>) -> bool {
    let mut known = unit
        .context
        .knowledge
        .vendors
        .iter()
        .filter(|vendor| vendor.is_target());
    known.any(|vendor| {
        let mut dispatches = vendor.dispatches.iter();
        dispatches.any(|name| unit.parsed.tokens.has_word(unit.text, name.as_bytes()))
    })
}

fn counts_as_member<'a>(unit: &CppUnit<'a>, index: usize, token: Token) -> Option<&'a Row> {
    let row = unit.context.row(Section::Members, token.text(unit.text))?;
    let visible = row.needs.is_empty() || unit.visible.has_header(&row.needs);
    let called = unit.word(index + 1) == b"(";
    let own = unit.declared.contains(token.text(unit.text));
    let own = own || called && member_calls::is_anothers(unit, index, token);
    (row.relation != Relation::Same && visible && called && !own).then_some(row)
}
