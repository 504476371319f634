//! Writes the C++ that inline PTX becomes, and the include of the header that this C++ needs.

use std::collections::BTreeSet;

use super::CppUnit;
use super::rule_names::INLINE_PTX;
use crate::{Change, Outcome};
use torchada_diagnostic::codes::cpp::NOT_THE_SAME;
use torchada_mapping::ptx::{Exactness, Intrinsic, NAMESPACE};
use torchada_project::paths;
use torchada_ptx::{self as ptx, Needs};
use torchada_syntax::{DirectiveKind, Token};
use torchada_text::TextRange;

/// Translates inline PTX.
pub fn check(unit: &CppUnit<'_>, out: &mut Outcome) {
    let translator = unit.context.ptx;
    let parsed = unit.parsed;
    let file = translator.map(|ptx| ptx.file(unit.text, &parsed.tokens, &parsed.outline));
    for one in unit.assembly {
        let statement = &one.statement;
        let Some(range) = unit.token(statement.keyword).map(Token::range) else {
            continue;
        };
        if !unit.is_compiled(range) {
            continue;
        }
        let (Some(translation), Some(file)) = (&one.translation, &file) else {
            // Hazards come in the order of their places.
            let from = unit
                .hits
                .partition_point(|hit| hit.range.start < range.start);
            let mut here = unit
                .hits
                .iter()
                .skip(from)
                .take_while(|hit| hit.range.start == range.start);
            if here.any(|hit| hit.range == range) {
                out.ptx.kept += 1;
            }
            continue;
        };
        // `asm volatile("" ::: "memory")` is no instruction of anybody's.
        if translation.instructions == 0 {
            continue;
        }
        let end = statement.end + usize::from(unit.word(statement.end) == b";");
        let Some(last) = unit.token(end - 1) else {
            continue;
        };
        let whole = TextRange::new(range.start, last.range().end);
        let spelled = translation.spelled(file, statement, &|at| changed(unit, out, at));
        let Ok(text) = spelled else {
            continue;
        };
        let evidence = Some(translation.evidence);
        // The new text has in it what the edits of other rules make of the operands.
        out.edits.remove_within(whole);
        forget_conditions(unit, out, whole);
        if !unit.apply(out, Change::new(whole, &text).evidence(evidence)) {
            continue;
        }
        for at in statement.keyword..end {
            if let Some(token) = unit.token(at) {
                out.claim(token);
            }
        }
        out.ptx.require(&translation.needs, range.start);
        out.ptx.translated.push((whole, translation.exactness));
        report(
            unit,
            out,
            range,
            ("assembly", "the instruction"),
            translation.exactness,
        );
    }
    if let Some(first) = out.ptx.first_need {
        include(unit, out, first);
    }
}

/// Forget what was found in conditions of the preprocessor inside a statement: they decide nothing any more.
fn forget_conditions(unit: &CppUnit<'_>, out: &mut Outcome, statement: TextRange) {
    let all = unit.parsed.tokens.directives.iter();
    let inside: Vec<TextRange> = all
        .map(|one| one.range)
        .filter(|range| statement.covers(*range))
        .collect();
    if !inside.is_empty() {
        let is_inside = |range: TextRange| inside.iter().any(|one| one.covers(range));
        out.findings.retain(|finding| !is_inside(finding.range));
    }
}

/// Write a function of the header in place of one of CUDA's. `Names` finds these, and knows that they are CUDA's.
pub(super) fn call_helper(
    unit: &CppUnit<'_>,
    out: &mut Outcome,
    range: TextRange,
    intrinsic: &Intrinsic,
) {
    let to = format!("{NAMESPACE}{}", intrinsic.helper);
    let change = Change::new(range, &to).evidence(intrinsic.evidence);
    if unit.rename(out, change.rule(INLINE_PTX)) {
        let needs = Needs {
            functions: BTreeSet::from([intrinsic.helper.clone()]),
            ..Needs::default()
        };
        out.ptx.require(&needs, range.start);
        report(
            unit,
            out,
            range,
            ("call", "CUDA's function"),
            intrinsic.exactness,
        );
    }
}

/// Include what is left of a header whose functions became those of the port's own.
pub(super) fn include_instead(
    unit: &CppUnit<'_>,
    out: &mut Outcome,
    range: TextRange,
    left: &str,
) -> bool {
    unit.rename(out, Change::new(range, left).rule(INLINE_PTX))
}

/// Whether a function of the port's own header, or what is left of CUDA's, stands in place of code in a range.
pub(super) fn is_replaced(out: &Outcome, range: TextRange) -> bool {
    let mut edits = out.edits.within(range);
    edits.any(|edit| edit.rule == INLINE_PTX && !edit.range.is_empty())
}

/// The text of an expression after the edits of other rules in it; `None` where there are none.
fn changed(unit: &CppUnit<'_>, out: &Outcome, range: TextRange) -> Option<String> {
    let mut text = Vec::new();
    let mut at = range.start;
    for edit in out.edits.within(range) {
        text.extend_from_slice(unit.text.get(at..edit.range.start)?);
        text.extend_from_slice(&edit.replacement);
        at = edit.range.end;
    }
    if at == range.start {
        return None;
    }
    text.extend_from_slice(unit.text.get(at..range.end)?);
    String::from_utf8(text).ok()
}

fn report(
    unit: &CppUnit<'_>,
    out: &mut Outcome,
    range: TextRange,
    (before, original): (&str, &str),
    exactness: Exactness,
) {
    let (what, help) = match exactness {
        Exactness::Exact => return,
        Exactness::Stronger => (
            format!("orders memory more strictly than {original} does"),
            "nothing needs to be done; where it costs time, write what MUSA has for it",
        ),
        Exactness::Slower => (
            format!("takes more work than {original} does"),
            "measure it, and write what MUSA has for it where it matters",
        ),
        Exactness::Approximate => (
            format!("may give other bits than {original} does, within what its `.approx` allows"),
            "compare results with a tolerance",
        ),
    };
    let message = format!("the C++ in place of this {before} {what}");
    unit.report(out, NOT_THE_SAME, range, message, help);
}

/// Include the header before the first use of it, behind the includes that are there outside of all braces.
fn include(unit: &CppUnit<'_>, out: &mut Outcome, first: usize) {
    let path = paths::relative(paths::folder(&unit.file.output), ptx::FILE);
    let tokens = &unit.parsed.tokens;
    let mut place = 0;
    let (mut depth, mut braces, mut seen) = (0_usize, 0_usize, 0);
    for (at, directive) in tokens.directives.iter().enumerate() {
        if directive.range.start >= first {
            break;
        }
        for index in seen..directive.tokens.start {
            match unit.word(index) {
                b"{" => braces += 1,
                b"}" => braces = braces.saturating_sub(1),
                _ => {}
            }
        }
        seen = directive.tokens.end;
        let is_outside = depth == 0 && braces == 0;
        match directive.kind {
            DirectiveKind::Ifndef if at == 0 => {}
            kind if kind.opens() => depth += 1,
            DirectiveKind::Endif => depth = depth.saturating_sub(1),
            DirectiveKind::Include if is_outside => place = directive.range.end,
            DirectiveKind::Pragma if is_outside && unit.word(directive.tokens.start) == b"once" => {
                place = directive.range.end;
            }
            DirectiveKind::Define if depth == 0 && place == 0 && at == 1 => {
                place = directive.range.end;
            }
            _ => {}
        }
    }
    let line = format!("#include \"{path}\"");
    let text = if place == 0 {
        format!("{line}\n")
    } else {
        format!("\n{line}")
    };
    unit.apply(out, Change::new(TextRange::new(place, place), &text));
}
