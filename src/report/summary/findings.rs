//! The rows of a summary that count the findings and show what brings most of the work about.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use super::optional::{is_optional, optional};
use super::outside_packages::outside_packages;
use super::start::{start, starts};
use crate::diagnostic::codes::project::SUPPORTED;
use crate::diagnostic::{Finding, Severity};
use crate::mapping::python::packages::{PackageRelation, Packages};
use crate::report::causes::rows::{first, idle_row, is_idle, list};
use crate::report::format::plain::one_line;
use crate::report::format::row::{by_severity, effort, place, row};
use crate::report::format::style::DIM;
use crate::report::part::Part;
use crate::report::{Cause, OptionalCode, Report};
use crate::text::counted;

/// How many causes are shown.
const CAUSES: usize = 10;

/// How many causes are shown of each part of an input that has several.
const OF_PART: usize = 4;

/// How many findings there are, and the causes that are most work.
///
/// `variables` are those that leave parts of the input out.
pub(in crate::report) fn findings(
    report: &Report,
    variables: &[&OptionalCode],
    out: &mut dyn Write,
) -> io::Result<()> {
    if let Some(one) = report
        .findings
        .iter()
        .find(|one| one.code.id == SUPPORTED.id)
    {
        let place = place(one);
        let message = one_line(&one.message);
        row(out, "MUSA", &format!("{message} {DIM}({place}){DIM:#}"))?;
    }
    own_build(report, out)?;
    start(report, out)?;
    optional(report, variables, out)?;
    let causes = report.causes.iter().filter(|cause| !cause.is_auxiliary());
    let causes: Vec<&Cause> = causes.collect();
    // What stops the program is shown by itself; other packages are one step together.
    let is_package = |cause: &&&Cause| cause.packages && cause.severity < Severity::Error;
    let packages: Vec<&Cause> = causes.iter().filter(is_package).copied().collect();
    outside_packages(&packages, report, out)?;
    let is_work = |cause: &&&Cause| cause.severity > Severity::Note;
    let work: Vec<&Cause> = packages.iter().filter(is_work).copied().collect();
    list("", &work, OF_PART, report, out)?;
    let own = report.findings.iter().filter(|one| !one.auxiliary);
    let mut text = by_severity(own);
    if text.is_empty() {
        "none".clone_into(&mut text);
    }
    let points: usize = causes.iter().map(|cause| cause.points).sum();
    if points > 0 {
        let causes = counted(causes.len(), "cause");
        text = format!("{text} of {causes}, {} of work", effort(points));
    }
    row(out, "findings", &text)?;
    let others = causes.iter().filter(|one| !is_package(one));
    let (idle, shown): (Vec<&Cause>, Vec<&Cause>) = others.partition(|one| is_idle(one));
    parts(&shown, variables, report, out)?;
    idle_row(&idle, report, out)?;
    auxiliary(report, out)
}

/// The row that says of an input which is a package of the table that MUSA has a build of it.
fn own_build(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    for name in starts(report) {
        let package = Packages::builtin().named(name);
        let twin = package.filter(|one| one.relation == PackageRelation::Twin);
        if let Some(twin) = twin {
            let text = format!("there is a build of `{name}` for MUSA: {}", twin.advice);
            row(out, "MUSA", &text)?;
        }
    }
    Ok(())
}

/// The causes by the parts that they are in: those first that stop the start, whatever part they are in.
fn parts(
    causes: &[&Cause],
    variables: &[&OptionalCode],
    report: &Report,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (at_start, others): (Vec<&Cause>, Vec<&Cause>) =
        causes.iter().partition(|one| one.at_start);
    list("at start", &at_start, CAUSES, report, out)?;
    let (optional, others): (Vec<&Cause>, Vec<&Cause>) = others
        .into_iter()
        .partition(|one| is_optional(one, variables, report));
    let of_part = |part: Part| -> Vec<&Cause> {
        let is_of_part = |cause: &&&Cause| self::part(cause, report) == Some(part);
        others.iter().filter(is_of_part).copied().collect()
    };
    let all = Part::ALL.map(|part| (part.label(), of_part(part)));
    let all: Vec<(&str, Vec<&Cause>)> = all.into_iter().chain([("optional", optional)]).collect();
    let count = all.iter().filter(|(_, causes)| !causes.is_empty()).count();
    let most = if count > 1 { OF_PART } else { CAUSES };
    for (label, causes) in &all {
        list(label, causes, most, report, out)?;
    }
    Ok(())
}

/// The part of a cause: that of its weightiest finding.
pub(in crate::report) fn part(cause: &Cause, report: &Report) -> Option<Part> {
    let first = first(cause, report)?;
    Some(Part::of(first.code.id, &first.path))
}

/// How many findings are in packages beside the input's own, and in tests, benchmarks, examples, documentation and CI.
fn auxiliary(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut groups: BTreeMap<Option<&str>, Vec<&Finding>> = BTreeMap::new();
    for one in report.findings.iter().filter(|one| one.auxiliary) {
        groups.entry(one.beside.as_deref()).or_default().push(one);
    }
    for (at, (beside, found)) in groups.iter().rev().enumerate() {
        let files: BTreeSet<&str> = found.iter().map(|one| &*one.path).collect();
        let files = counted(files.len(), "file");
        let of = match beside {
            Some(folder) => format!("`{}`, a package of its own", one_line(folder)),
            None => "tests, benchmarks, examples, documentation and CI".to_owned(),
        };
        let count = by_severity(found.iter().copied());
        let name = if at == 0 { "besides" } else { "" };
        row(out, name, &format!("{count} in {files} of {of}"))?;
    }
    Ok(())
}
