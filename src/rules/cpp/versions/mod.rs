//! Versions of CUDA's. A comparison with one never becomes a comparison with MUSA's version, because MUSA counts
//! its releases differently.

mod codes;
mod condition;

use super::CppUnit;
use super::shield::shield;
use crate::{Change, Outcome};
use codes::STOPS;
use condition::Conditions;
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::cpp::VALUE;
use torchada_mapping::Section;
use torchada_syntax::{DirectiveKind, Token, TokenKind};

/// Reports versions of CUDA's, or writes the one that the user names.
pub fn check(unit: &CppUnit<'_>, out: &mut Outcome) {
    let words = &unit.context.knowledge.shapes.guards;
    let mut conditions = Conditions::new(unit);
    for (index, token) in unit.identifiers_where(|word| words.version(word).is_some()) {
        let name = token.text(unit.text);
        let (Some(form), false) = (words.version(name), out.is_claimed(token)) else {
            continue;
        };
        let Some(row) = unit.context.row(Section::Names, name) else {
            continue;
        };
        let directive = unit.parsed.tokens.directive_of(index);
        let about_itself = directive.is_some_and(|one| {
            matches!(one.kind, DirectiveKind::Define | DirectiveKind::Undef)
                && one.tokens.start == index
        });
        if about_itself
            || unit.foreign(token.range()).is_some()
            || matches!(unit.word_before(index, 1), b"." | b"->" | b"::")
            || shield(unit, index, row, false).is_some()
        {
            // The rule for names says why it stays.
            continue;
        }
        out.claim(token);
        let number = unit.context.cuda_version.and_then(|one| form.value(one));
        let condition = directive.filter(|one| one.kind.has_condition());
        if let Some(number) = number
            && write(unit, out, index, token, number)
        {
            if let Some(directive) = condition {
                conditions.report_error(out, (index, token), directive, number);
            }
            continue;
        }
        // In a branch that another version leaves out, or an architecture, or in a condition that an architecture
        // decides.
        let place = token.range().start;
        if unit.guards.is_closed(place) || unit.guards.is_decided(place) {
            unit.keep(out, token.range(), KeptReason::MusaBranch);
            continue;
        }
        match condition {
            Some(directive) => conditions.report(out, index, token, directive),
            None if conditions.is_left_out(place) => {
                unit.keep(out, token.range(), KeptReason::MusaBranch);
            }
            None => value(unit, out, token),
        }
    }
}

/// Write the version; where it is only asked whether there is one, MUSA's macro.
fn write(unit: &CppUnit<'_>, out: &mut Outcome, index: usize, token: Token, number: u32) -> bool {
    let range = token.range();
    // `@PREFIX@CUDA_VERSION` is a part of a name.
    let touches = |at: Option<usize>| {
        let other = at.and_then(|at| unit.token(at));
        other.is_some_and(|other| {
            let is_beside = other.range().end == range.start || other.range().start == range.end;
            is_beside && other.kind == TokenKind::Placeholder
        })
    };
    if touches(index.checked_sub(1)) || touches(Some(index + 1)) {
        return false;
    }
    if !is_existence_test(unit, index) {
        return unit.apply(out, Change::new(range, &number.to_string()));
    }
    let words = &unit.context.knowledge.shapes.guards;
    let macro_of_musa = words.defined_as(token.text(unit.text));
    macro_of_musa.is_some_and(|to| unit.apply(out, Change::new(range, to)))
}

/// Whether a condition only asks whether the macro at `index` is defined.
fn is_existence_test(unit: &CppUnit<'_>, index: usize) -> bool {
    let directive = unit.parsed.tokens.directive_of(index);
    let is_all = directive.is_some_and(|one| {
        !matches!(one.kind, DirectiveKind::If | DirectiveKind::Elif)
            && one.kind.has_condition()
            && one.tokens.len() == 1
    });
    is_all
        || unit.word_before(index, 1) == b"defined"
        || unit.word_before(index, 1) == b"(" && unit.word_before(index, 2) == b"defined"
}

fn value(unit: &CppUnit<'_>, out: &mut Outcome, token: Token) {
    let words = &unit.context.knowledge.shapes.guards;
    let help = if words.follows_release(token.text(unit.text)) {
        "write what the code needs of it, or name a release with `--cuda-version` to have its number written"
    } else {
        "write what the code needs of the library"
    };
    let shown = String::from_utf8_lossy(token.text(unit.text)).into_owned();
    let message = format!("`{shown}` is a number of CUDA's, and MUSA has none that means the same");
    unit.report(out, VALUE, token.range(), message, help);
}
