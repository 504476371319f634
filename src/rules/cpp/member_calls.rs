//! Calls of members that are written otherwise on MUSA: `tensor.cuda()` is `tensor.to(at::kPrivateUse1)`, and
//! `tensor.type().is_cuda()` is `tensor.is_privateuseone()`.

use super::CppUnit;
use super::rule_names::MEMBER;
use crate::{Change, Outcome};
use torchada_mapping::Row;
use torchada_mapping::knowledge::MemberCall;
use torchada_syntax::Token;
use torchada_text::TextRange;

/// Write the call that a table has for a call without arguments of the member at token `index`. Returns whether it has one.
pub(super) fn rewrite(
    unit: &CppUnit<'_>,
    out: &mut Outcome,
    (index, token): (usize, Token),
    row: &Row,
) -> bool {
    let Some(close) = unit.token(index + 2) else {
        return false;
    };
    let rows = unit.context.knowledge.member_calls.iter();
    let mut own = rows.filter(|one| one.member.as_bytes() == token.text(unit.text));
    let behind = |call: &MemberCall| first(unit, call, index, token);
    let Some((call, start)) = own.find_map(|call| Some((call, behind(call)?))) else {
        return false;
    };
    if row
        .evidence
        .is_some_and(|evidence| evidence > unit.settings.min_evidence)
    {
        return false;
    }
    let whole = TextRange::new(start, close.range().end);
    let change = Change::new(whole, &call.to).evidence(row.evidence);
    unit.apply(out, change.rule(MEMBER))
}

/// Whether a call of the member has arguments, though the member that a table lists has none: then it is another's.
pub(super) fn is_anothers(unit: &CppUnit<'_>, index: usize, token: Token) -> bool {
    member_call(unit, token).is_some() && unit.word(index + 2) != b")"
}

/// Where what the row stands for begins: at the member, or at the call before it whose result is asked.
fn first(unit: &CppUnit<'_>, call: &MemberCall, index: usize, token: Token) -> Option<usize> {
    let member = token.range();
    let Some(behind) = &call.behind else {
        return Some(member.start);
    };
    let start = unit.token(index.checked_sub(4)?)?.range().start;
    // White space and comments in between stay: such a call is not taken apart.
    let before = TextRange::new(start, member.start).of(unit.text);
    (before == format!("{behind}().").as_bytes()).then_some(start)
}

fn member_call<'a>(unit: &CppUnit<'a>, token: Token) -> Option<&'a MemberCall> {
    let mut calls = unit.context.knowledge.member_calls.iter();
    calls.find(|one| one.behind.is_none() && one.member.as_bytes() == token.text(unit.text))
}
