//! Dispatch keys as bare arguments: `TORCH_LIBRARY_IMPL(ns, CUDA, m)`, and macros of the
//! project's own that hand a key on to it.

use std::ops::Range;

use super::consume;
use crate::mapping::knowledge::ArgumentKind;
use crate::mapping::{Relation, Row, Section};
use crate::project::{self, Forwarder};
use crate::rules::Outcome;
use crate::rules::cpp::CppUnit;
use crate::rules::cpp::codes::UNREACHABLE;
use crate::rules::cpp::verdict::{Reference, keep_if};
use crate::syntax::{DirectiveKind, Token};

/// An argument that a macro of the project's hands on.
pub(super) fn forwarded(unit: &CppUnit<'_>, out: &mut Outcome, index: usize, one: &Forwarder) {
    let defines = unit
        .parsed
        .tokens
        .directive_of(index)
        .is_some_and(|directive| {
            directive.kind == DirectiveKind::Define && directive.tokens.start == index
        });
    let Some(consumer) = unit.context.knowledge.consumers.get(one.consumer) else {
        return;
    };
    if defines {
        return;
    }
    if one.only {
        consume(unit, out, index, one.parameter, consumer.kind);
        return;
    }
    let arguments = project::arguments(unit.text, &unit.parsed.tokens, index + 1);
    let Some(argument) = arguments.and_then(|all| all.get(one.parameter).cloned()) else {
        return;
    };
    let Some(token) = unit.token(argument.start).filter(|_| argument.len() == 1) else {
        return;
    };
    let range = token.range();
    let changes = key_row(unit, token).filter(|row| row.relation != Relation::Same);
    if consumer.kind == ArgumentKind::DispatchKey
        && let Some(to) = changes.and_then(|row| row.to.as_deref())
        && unit.foreign(range).is_none()
    {
        let shown = String::from_utf8_lossy(token.text(unit.text)).into_owned();
        let name = String::from_utf8_lossy(&one.name).into_owned();
        out.findings.push(
            unit.finding(
                UNREACHABLE,
                range,
                format!("the dispatch key `{shown}` stays: the macro `{name}` makes more than a key of it"),
            )
            .help(format!("let the macro take the key apart from the rest; on MUSA it is `{to}`")),
        );
    }
}

/// What the edits of a bare dispatch key go by.
pub(in crate::rules::cpp) const KEY: &str = "dispatch-key";

/// The row of a bare dispatch key.
fn key_row<'a>(unit: &CppUnit<'a>, token: Token) -> Option<&'a Row> {
    let name = String::from_utf8_lossy(token.text(unit.text));
    let key = format!("DispatchKey::{name}");
    unit.context.tables.get(Section::Qualified, key.as_bytes())
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
