//! Guards on CUDA's architecture: edits each comparison as `project::guards` decided, and reports the reason.

mod arms;
mod closed;
mod decided;
mod written;

use std::cell::LazyCell;

use super::CppUnit;
use super::shield::shield;
use super::verdict::keep_if;
use crate::{Change, Outcome};
use decided::Decided;
use torchada_diagnostic::codes::cpp::{CONSTANT, RENUMBERED, UNDECIDED};
use torchada_diagnostic::{Code, KeptReason, Severity};
use torchada_mapping::{Evidence, Row, Section};
use torchada_project::guards::{Comparison, Decision};
use torchada_syntax::{DirectiveKind, Token};

/// Writes the decisions about guards.
pub fn check(unit: &CppUnit<'_>, out: &mut Outcome) {
    let decided = LazyCell::new(|| Decided::of(unit));
    for (comparison, decision) in &unit.guards.decisions {
        apply_decision(unit, out, &decided, (comparison, decision));
    }
    // Code that a decided version leaves out needs no finding of its own: the decision is reported at its guard.
    let counts = |offset: usize| !unit.guards.is_left_out(offset);
    for closed in unit.guards.closed.iter().filter(|one| counts(one.at.start)) {
        let decisions = &unit.guards.decisions;
        let first = decisions.partition_point(|(one, _)| one.range.start < closed.at.start);
        let same = decisions.iter().skip(first).map(|(one, _)| one);
        let mut same = same.take_while(|one| one.range.start == closed.at.start);
        let comparison = same.find(|one| one.range == closed.at);
        if comparison.is_some_and(|one| row(unit, one.index).is_some()) {
            closed::report_closed(unit, out, closed);
        }
    }
    for arm in &unit.guards.arms {
        arms::take(unit, out, arm);
    }
    for &index in &unit.guards.values {
        let Some(token) = unit.token(index) else {
            continue;
        };
        if row(unit, index).is_some() && counts(token.range().start) {
            let message = "the architecture's number is used as a value, and MUSA's are 210, 220, 310 and 320";
            let help =
                "decide by what the code needs, or write the value that it should have on MUSA";
            unit.report(
                out,
                undecided_code(unit, index),
                token.range(),
                message,
                help,
            );
        }
    }
}

fn apply_decision(
    unit: &CppUnit<'_>,
    out: &mut Outcome,
    decided: &Decided,
    (comparison, decision): (&Comparison, &Decision),
) {
    let Some(token) = unit.token(comparison.index) else {
        return;
    };
    let Some(name) = row(unit, comparison.index).and_then(|row| row.to.as_deref()) else {
        return;
    };
    let range = comparison.range;
    let original = String::from_utf8_lossy(range.of(unit.text)).into_owned();
    let spelled_out = original.contains(['\n', '\r', '\u{fffd}']) || original.contains("/*");
    match decision {
        Decision::KnowsMusa => {
            keep_if(unit, out, token.range(), Some(KeptReason::MusaBranch));
            out.claim(token);
        }
        Decision::Threshold { number, feature } if !spelled_out => {
            let to = written::threshold(unit, comparison, name, *number);
            let change = Change::new(range, &to).evidence(evidence_of(unit, feature));
            if unit.apply(out, change) {
                out.claim(token);
                let what = match feature.as_str() {
                    "any" => "nothing in its branches is known to ask for more".to_owned(),
                    feature => {
                        format!("its branches need `{feature}`, which MUSA has from {number} on")
                    }
                };
                let message = format!("`{original}` became `{to}`: {what}");
                let help = "check that the branches hold nothing else that depends on the GPU";
                unit.report(out, RENUMBERED, range, message, help);
            }
        }
        Decision::Constant(value) if !spelled_out => {
            apply_constant(unit, out, decided, (comparison, token), u8::from(*value));
        }
        Decision::Threshold { .. } | Decision::Constant(_) | Decision::Open => {
            undecided(unit, out, comparison, &original);
        }
    }
}

/// Write a constant in place of a comparison.
fn apply_constant(
    unit: &CppUnit<'_>,
    out: &mut Outcome,
    decided: &Decided,
    (comparison, token): (&Comparison, Token),
    constant: u8,
) {
    let range = comparison.range;
    let original = unit.shown(range);
    let directive = unit.parsed.tokens.directive_of(comparison.index);
    let is_in_macro = directive.is_some_and(|one| one.kind == DirectiveKind::Define);
    let in_place = || (!is_in_macro).then(|| (range, format!("{constant} /* {original} */")));
    let written = written::constant_in_macro(unit, comparison, constant, &original);
    let Some((place, to)) = written.or_else(in_place) else {
        undecided(unit, out, comparison, &original);
        return;
    };
    if unit.apply(out, Change::new(place, &to)) {
        out.claim(token);
        if !is_explained(unit, comparison) && !unit.guards.is_left_out(range.start) {
            report_constant(unit, out, decided, (comparison, &original), constant);
        }
    }
}

/// Whether a finding about a closed branch speaks for the comparison.
fn is_explained(unit: &CppUnit<'_>, comparison: &Comparison) -> bool {
    let directive = unit.parsed.tokens.directive_of(comparison.index);
    let closed = &unit.guards.closed;
    // They come by place.
    let from = |start: usize| {
        let first = closed.partition_point(|one| one.at.start < start);
        closed.iter().skip(first)
    };
    let range = comparison.range;
    let mut same = from(range.start).take_while(|one| one.at.start == range.start);
    let beside = directive.is_some_and(|directive| {
        let next = from(directive.range.start).next();
        next.is_some_and(|one| directive.range.contains(one.at.start))
    });
    beside || same.any(|one| one.at == range)
}

fn report_constant(
    unit: &CppUnit<'_>,
    out: &mut Outcome,
    decided: &Decided,
    (comparison, original): (&Comparison, &str),
    constant: u8,
) {
    let range = comparison.range;
    let together;
    let why = if let Some(by) = decided.bound_by(comparison) {
        let line = closed::line_of(unit, by);
        together = format!("the guard in line {line} is decided so, and the two go together");
        together.as_str()
    } else if decided.is_passed(unit, comparison) {
        "a branch before it is MUSA's"
    } else if constant == 0 {
        "no MUSA GPU counts as one of those"
    } else {
        "every MUSA GPU counts as one of those"
    };
    let message = format!("`{original}` became {constant}: {why}");
    let help = "write a branch for MUSA where none of the others fits";
    unit.report(out, CONSTANT, range, message, help);
}

/// The row of the architecture macro at `index`; none where the rule for names says why it stays.
fn row<'a>(unit: &CppUnit<'a>, index: usize) -> Option<&'a Row> {
    let token = unit.token(index)?;
    let row = unit.context.row(Section::Names, token.text(unit.text))?;
    let stays = unit.foreign(token.range()).is_some() || shield(unit, index, row, false).is_some();
    (!stays).then_some(row)
}

/// The code of a finding about the macro at `index`: an error where a kernel does its work or nothing by it.
fn undecided_code(unit: &CppUnit<'_>, index: usize) -> Code {
    let severity = if unit.guards.deciding.contains(&index) {
        Severity::Error
    } else {
        UNDECIDED.severity
    };
    Code {
        severity,
        ..UNDECIDED
    }
}

fn undecided(unit: &CppUnit<'_>, out: &mut Outcome, comparison: &Comparison, original: &str) {
    let message = format!("`{original}` compares MUSA's architecture with a number of CUDA's");
    let code = undecided_code(unit, comparison.index);
    let help = "decide by what the code needs: MUSA's numbers are 210, 220, 310 and 320";
    unit.report(out, code, comparison.range, message, help);
}

/// The evidence for the number of a feature.
fn evidence_of(unit: &CppUnit<'_>, feature: &str) -> Evidence {
    let rows = unit.context.tables.architectures().iter();
    rows.filter(|row| row.feature == feature && row.mp.is_some())
        .map(|row| row.evidence)
        .next()
        .unwrap_or(Evidence::Rule)
}
