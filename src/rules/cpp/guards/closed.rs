//! Findings about branches that MUSA does not take.

use crate::Outcome;
use crate::cpp::CppUnit;
use torchada_diagnostic::codes::cpp::{FALLBACK, NO_FALLBACK, NOT_NEEDED};
use torchada_diagnostic::{Code, Severity};
use torchada_project::guards::Closed;
use torchada_text::TextRange;

/// Report a conditional whose newer branches are closed.
pub(super) fn report_closed(unit: &CppUnit<'_>, out: &mut Outcome, closed: &Closed) {
    let (code, message) = what_is_left(unit, closed);
    let help = what_to_do(unit, closed, code);
    unit.report(out, code, closed.at, message, help);
}

/// What is left for MUSA, in words.
fn what_is_left(unit: &CppUnit<'_>, closed: &Closed) -> (Code, String) {
    let original = String::from_utf8_lossy(closed.at.of(unit.text)).into_owned();
    let holds = list(&closed.holds);
    match closed.fallback {
        _ if closed.severity == Severity::Note => (
            NOT_NEEDED,
            format!("the branch for `{original}` was closed: {holds} does nothing on MUSA"),
        ),
        _ if closed.without_fallback => (
            NO_FALLBACK,
            format!(
                "`{}` stays off on MUSA: what asks for it holds {holds}, and some of it has no branch without",
                closed.switches.join("`, `")
            ),
        ),
        _ if !closed.switches.is_empty() => (
            FALLBACK,
            format!(
                "`{}` stays off on MUSA: what asks for it holds {holds}",
                closed.switches.join("`, `")
            ),
        ),
        // `#if __CUDA_ARCH__ < 800`: the condition selects the fallback on purpose.
        Some(fallback) if line_of(unit, fallback) == line_of(unit, closed.at) => (
            FALLBACK,
            format!("MUSA takes the branch for `{original}`: the newer one holds {holds}"),
        ),
        Some(fallback) => (
            FALLBACK,
            format!(
                "MUSA takes the fallback in line {}: the branch for `{original}` holds {holds}",
                line_of(unit, fallback)
            ),
        ),
        None if holds.is_empty() => (
            NO_FALLBACK,
            format!(
                "nothing is left for MUSA: the branch for `{original}` is for other GPUs, and no other does the work"
            ),
        ),
        None => (
            NO_FALLBACK,
            format!(
                "no branch is left for MUSA: the one {} holds {holds}, and no other does without",
                match closed.branch {
                    // `#if __CUDA_ARCH__ < 750`: the work stands behind its `#else`.
                    Some(branch) if line_of(unit, branch) != line_of(unit, closed.at) =>
                        format!("in line {}", line_of(unit, branch)),
                    _ => format!("for `{original}`"),
                }
            ),
        ),
    }
}

fn what_to_do(unit: &CppUnit<'_>, closed: &Closed, code: Code) -> String {
    match (code.id == NOT_NEEDED.id, closed.other_vendor) {
        (true, _) => "nothing to do".to_owned(),
        _ if !closed.switches.is_empty() => {
            "check that what tests it has a branch without".to_owned()
        }
        (_, Some(other)) => format!(
            "the branch for another vendor in line {} does without: write MUSA's branch after it",
            line_of(unit, other)
        ),
        (_, None) if closed.fallback.is_some() => {
            "write a branch for MUSA where the fallback is too slow".to_owned()
        }
        _ => "write a branch for MUSA, or keep this code out of its build".to_owned(),
    }
}

/// What a branch holds, as far as a message has room for it.
pub(super) fn list(holds: &[String]) -> String {
    const SHOWN: usize = 4;
    let mut shown: Vec<String> = holds
        .iter()
        .take(SHOWN)
        .map(|what| {
            if what.ends_with(')') && what.starts_with('`') {
                what.clone()
            } else {
                format!("`{what}`")
            }
        })
        .collect();
    if holds.len() > SHOWN {
        shown.push(format!("{} more", holds.len() - SHOWN));
    }
    shown.join(", ")
}

/// The 1-based line of the file in which a range of the unit starts.
pub(super) fn line_of(unit: &CppUnit<'_>, range: TextRange) -> usize {
    let place = unit.in_file(range);
    unit.lines.position(unit.file_text, place.start).line
}
