//! What a variable of the environment leaves out of a build, with what was found there.

use std::cmp::Reverse;
use std::io::{self, Write};

use crate::diagnostic::{Finding, Severity};
use crate::report::format::plain::one_line;
use crate::report::format::row::{by_severity, row};
use crate::report::format::style::DIM;
use crate::report::{Cause, OptionalCode, Report};

/// How many variables are named.
const NAMED: usize = 2;

/// The variables that leave out, or bring in, what errors were found in: that with the most errors first, and of two with
/// as many the one that decides on fewer files.
pub(in crate::report) fn parts(report: &Report) -> Vec<&OptionalCode> {
    let mut parts: Vec<(usize, &OptionalCode)> = report
        .optional
        .iter()
        .map(|part| {
            let errors = findings_of_part(part, report);
            let errors = errors.filter(|one| one.code.severity == Severity::Error);
            (errors.count(), part)
        })
        .filter(|(errors, _)| *errors > 0)
        .collect();
    parts.sort_by_key(|(errors, part)| (Reverse(*errors), part.paths.len(), *part));
    let mut named: Vec<&OptionalCode> = Vec::new();
    for (_, part) in parts {
        let says_more = named.iter().all(|one| one.paths.is_disjoint(&part.paths));
        if says_more && named.len() < NAMED {
            named.push(part);
        }
    }
    named
}

/// The findings outside of auxiliary code in what a variable decides on.
fn findings_of_part<'r>(
    part: &'r OptionalCode,
    report: &'r Report,
) -> impl Iterator<Item = &'r Finding> {
    let own = report.findings.iter().filter(|one| !one.auxiliary);
    own.filter(|one| part.paths.contains(&one.path))
}

/// Whether all findings of a cause are in what one of some variables decides on.
pub(in crate::report) fn is_optional(
    cause: &Cause,
    parts: &[&OptionalCode],
    report: &Report,
) -> bool {
    let members = cause.members.iter();
    let findings = members.filter_map(|&at| report.findings.get(at));
    let mut own = findings.filter(|one| !one.auxiliary).peekable();
    own.peek().is_some() && own.all(|one| parts.iter().any(|part| part.paths.contains(&one.path)))
}

/// The rows that name these variables.
pub(in crate::report) fn optional(
    report: &Report,
    variables: &[&OptionalCode],
    out: &mut dyn Write,
) -> io::Result<()> {
    for (at, part) in variables.iter().enumerate() {
        let counts = by_severity(findings_of_part(part, report));
        let setting = one_line(&part.setting);
        let place = one_line(&part.place);
        let what = if part.leaves_out {
            format!("in what `{setting}` leaves out of the build")
        } else {
            format!("in what only `{setting}` builds")
        };
        let name = if at == 0 { "optional" } else { "" };
        row(out, name, &format!("{counts} {what} {DIM}({place}){DIM:#}"))?;
    }
    Ok(())
}
