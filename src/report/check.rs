//! The summary that ends a check.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::io::{self, Write};

use super::findings::{findings, part};
use super::human::{assembly, facts, references, skipped, suppressed};
use super::not_built::not_built;
use super::optional::is_optional;
use super::part::Part;
use super::plain::one_line;
use super::row::{counted, place, row};
use super::style::{BOLD, DIM, PATH};
use super::{Cause, Report};
use crate::diagnostic::Severity;
use crate::mapping::effort::Effort;

/// How many files are named with their grades; the report has them all.
const FILES: usize = 5;

/// Write the summary of a check. `paths` are those that the user typed, as the user typed them. `report` must be sorted
/// and graded with `scale`.
///
/// # Errors
/// When `out` can't take it.
pub fn checked(
    paths: &[String],
    report: &Report,
    scale: &Effort,
    out: &mut dyn Write,
) -> io::Result<()> {
    let paths: Vec<String> = paths.iter().map(|path| one_line(path)).collect();
    writeln!(
        out,
        "{BOLD}checked {}{BOLD:#}: {}, nothing written",
        paths.join(", "),
        counted(report.files.seen, "file")
    )?;
    skipped(&report.files, out)?;
    references("translates", report.references, out)?;
    facts(report, out)?;
    assembly(report.assembly, out)?;
    findings(report, out)?;
    not_built(report, out)?;
    suppressed(report, out)?;
    if let Some(count) = report.unchanged {
        let hidden = counted(count, "finding");
        row(
            out,
            "unchanged",
            &format!("{hidden} on lines that did not change"),
        )?;
    }
    if let Some(known) = report.known {
        let counts = [
            (known.open, "open"),
            (known.accepted, "accepted"),
            (known.gone, "not found any more"),
        ];
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        let text = if counts.is_empty() {
            "knows no finding".to_owned()
        } else {
            counts.join(", ")
        };
        row(out, "baseline", &text)?;
    }
    effort(report, scale, out)?;
    next(report, out)
}

/// Where to look first.
fn next(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    // Kernels come last: a program may do without one, and the build and Python tell whether it does. What a variable leaves
    // out of the build comes after that.
    let is_kernel = |cause: &&Cause| part(cause, report) == Some(Part::Cpp);
    let variables = super::optional::parts(report);
    let all = || report.causes.iter();
    let needed = || all().filter(|cause| !is_optional(cause, &variables, report));
    let mut errors = needed().filter(|cause| cause.severity == Severity::Error);
    let first = errors.find(|cause| !is_kernel(cause));
    let mut work = needed().filter(|cause| cause.severity > Severity::Note);
    let Some(cause) = first.or_else(|| work.next()).or_else(|| all().next()) else {
        return Ok(());
    };
    let findings = cause
        .members
        .iter()
        .filter_map(|&at| report.findings.get(at));
    let worst = findings.max_by_key(|one| {
        let place = (&one.path, one.start.line);
        (one.at_start, one.code.severity, Reverse(place))
    });
    let Some(first) = worst else {
        return Ok(());
    };
    let place = place(first);
    let code = first.code.id;
    let text = format!(
        "look at {PATH}{place}{PATH:#} first; `torchada explain {code}` says more about it"
    );
    row(out, "next", &text)
}

/// How many files have which grade, and the files with the most points, without auxiliary code.
fn effort(report: &Report, scale: &Effort, out: &mut dyn Write) -> io::Result<()> {
    if report.effort.is_empty() {
        return Ok(());
    }
    let grades = scale.grades().iter().rev();
    let counts: Vec<String> = grades
        .filter_map(|grade| {
            let files = report.effort.iter();
            let count = files.filter(|file| file.grade == grade.name).count();
            (count > 0).then(|| format!("{} {}", counted(count, "file"), grade.name))
        })
        .collect();
    row(out, "effort", &counts.join(", "))?;
    let auxiliary = report.findings.iter().filter(|one| one.auxiliary);
    let auxiliary: BTreeSet<&str> = auxiliary.map(|one| &*one.path).collect();
    let own = report
        .effort
        .iter()
        .filter(|file| !auxiliary.contains(&*file.path));
    let mut files: Vec<_> = own.collect();
    files.sort_by_key(|file| (Reverse(file.points), &file.path));
    for file in files.iter().take(FILES) {
        writeln!(
            out,
            "  {:<11} {:>6}  {:<9}  {PATH}{}{PATH:#}",
            "",
            file.points,
            file.grade,
            one_line(&file.path)
        )?;
    }
    if let Some(more) = files.len().checked_sub(FILES).filter(|more| *more > 0) {
        writeln!(
            out,
            "  {:<11} {DIM}and {more} more; --format json has them all{DIM:#}",
            ""
        )?;
    }
    Ok(())
}
