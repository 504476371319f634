//! Calls of members that are written otherwise on MUSA: `tensor.cuda()` is `tensor.to(at::kPrivateUse1)`.

use super::CppUnit;
use super::objects::MEMBER;
use crate::Outcome;
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
    let (Some(call), Some(close)) = (member_call(unit, token), unit.token(index + 2)) else {
        return false;
    };
    if row
        .evidence
        .is_some_and(|evidence| evidence > unit.settings.min_evidence)
    {
        return false;
    }
    let whole = TextRange::new(token.range().start, close.range().end);
    unit.replace(out, whole, &call.to, MEMBER, row.evidence)
}

/// Whether a call of the member has arguments, though the member that a table lists has none: then it is another's.
pub(super) fn is_anothers(unit: &CppUnit<'_>, index: usize, token: Token) -> bool {
    member_call(unit, token).is_some() && unit.word(index + 2) != b")"
}

fn member_call<'a>(unit: &CppUnit<'a>, token: Token) -> Option<&'a MemberCall> {
    let mut calls = unit.context.knowledge.member_calls.iter();
    calls.find(|one| one.member.as_bytes() == token.text(unit.text))
}
