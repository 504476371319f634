//! Writes that MUSA takes the branch for another vendor: the conditions of other builds stay as they are.

use super::closed::{line_of, list};
use crate::cpp::CppUnit;
use crate::{Change, Outcome};
use torchada_diagnostic::codes::cpp::OTHER_VENDOR;
use torchada_project::guards::VendorArm;
use torchada_syntax::{Directive, DirectiveKind};
use torchada_text::TextRange;

/// Edit the conditions of a conditional so that MUSA takes the branch, and report it.
pub(super) fn take(unit: &CppUnit<'_>, out: &mut Outcome, arm: &VendorArm) {
    let directive = |at: usize| unit.parsed.tokens.directives.get(at);
    let (Some(compiler), Some(own)) = (
        unit.context.knowledge.target_compiler(),
        directive(arm.directive),
    ) else {
        return;
    };
    let group = out.group();
    let passed = arm.passed.iter().filter_map(|&at| directive(at));
    let edits = passed
        .map(|one| (one, false))
        .chain([(own, true)])
        .flat_map(|(one, taken)| condition(unit, one, compiler, taken));
    for (range, to) in edits.collect::<Vec<_>>() {
        if !unit.apply(out, Change::new(range, &to).group(group)) {
            out.edits.withdraw(group);
            return;
        }
    }
    let place = arm
        .passed
        .first()
        .and_then(|&at| directive(at))
        .unwrap_or(own);
    let message = format!(
        "MUSA takes the branch for another vendor in line {}: it is portable, and the one for CUDA holds {}",
        line_of(unit, own.range),
        list(&arm.holds)
    );
    let help = "check that the branch does the same work, and that nothing in it counts on that vendor's warps";
    unit.report(out, OTHER_VENDOR, place.range, message, help);
}

/// The edits by which a condition lets MUSA in, or keeps it out.
fn condition(
    unit: &CppUnit<'_>,
    directive: &Directive,
    compiler: &str,
    taken: bool,
) -> Vec<(TextRange, String)> {
    let first = unit.token(directive.tokens.start);
    let last = directive
        .tokens
        .end
        .checked_sub(1)
        .and_then(|at| unit.token(at));
    let (Some(first), Some(last)) = (first, last) else {
        // `#else`
        return Vec::new();
    };
    let (first, last) = (first.range(), last.range());
    let behind = TextRange::new(last.end, last.end);
    let also = if taken {
        format!(" || defined({compiler})")
    } else {
        format!(" && !defined({compiler})")
    };
    let keyword = match directive.kind {
        DirectiveKind::Ifdef => "if defined(",
        DirectiveKind::Ifndef => "if !defined(",
        DirectiveKind::Elifdef => "elif defined(",
        DirectiveKind::Elifndef => "elif !defined(",
        DirectiveKind::If | DirectiveKind::Elif => {
            // `||` binds less than `&&`, and `?:` less than both.
            let joins = |text: &[u8]| text == b"?" || !taken && matches!(text, b"||" | b"or");
            if !directive.tokens.clone().any(|at| joins(unit.word(at))) {
                return vec![(behind, also)];
            }
            let front = TextRange::new(first.start, first.start);
            return vec![(front, "(".to_owned()), (behind, format!("){also}"))];
        }
        _ => return Vec::new(),
    };
    let text = TextRange::new(directive.range.start, first.start);
    let spelled = text.of(unit.text);
    let start = spelled.iter().position(u8::is_ascii_alphabetic);
    let Some(start) = start else {
        return Vec::new();
    };
    let keyword_range = TextRange::new(text.start + start, first.start);
    vec![
        (keyword_range, keyword.to_owned()),
        (behind, format!("){also}")),
    ]
}
