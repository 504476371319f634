//! The rows of a summary that count the findings and show what brings most of the work about.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::outside_packages::outside_packages;
use super::plain::one_line;
use super::row::{by_severity, counted, effort, row};
use super::start::start;
use super::style::{self, DIM};
use super::{Cause, Report};
use crate::diagnostic::Severity;

/// How many causes are shown.
const CAUSES: usize = 10;

/// The code that says of a project that it supports MUSA already.
const SUPPORTED: &str = "PRJ054";

/// How many findings there are, and the causes that are most work.
pub(super) fn findings(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if let Some(one) = report.findings.iter().find(|one| one.code.id == SUPPORTED) {
        let place = format!("{}:{}", one_line(&one.path), one.start.line);
        let message = one_line(&one.message);
        row(out, "MUSA", &format!("{message} {DIM}({place}){DIM:#}"))?;
    }
    start(report, out)?;
    let causes = report.causes.iter().filter(|cause| !cause.is_auxiliary());
    let causes: Vec<&Cause> = causes.collect();
    // What stops the program is shown by itself; other packages are one step together.
    let is_package = |cause: &&&Cause| cause.packages && cause.severity < Severity::Error;
    let packages: Vec<&Cause> = causes.iter().filter(is_package).copied().collect();
    outside_packages(&packages, report, out)?;
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
    let shown: Vec<&Cause> = causes
        .iter()
        .filter(|one| !is_package(one))
        .copied()
        .collect();
    let mut causes = shown.into_iter();
    for (at, cause) in causes.by_ref().take(CAUSES).enumerate() {
        self::cause(if at == 0 { "causes" } else { "" }, cause, report, out)?;
    }
    if causes.len() > 0 {
        let more = counted(causes.len(), "more cause");
        let points: usize = causes.map(|cause| cause.points).sum();
        let text = format!(
            "{DIM}and {more}, {}; the report has them{DIM:#}",
            effort(points)
        );
        row(out, "", &text)?;
    }
    auxiliary(report, out)
}

/// How many findings are in tests, benchmarks, examples, documentation and CI.
fn auxiliary(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let found = || report.findings.iter().filter(|one| one.auxiliary);
    let files: BTreeSet<&str> = found().map(|one| &*one.path).collect();
    if files.is_empty() {
        return Ok(());
    }
    let text = format!(
        "{} in {} of tests, benchmarks, examples, documentation and CI",
        by_severity(found()),
        counted(files.len(), "file")
    );
    row(out, "besides", &text)
}

/// A cause: its findings and their effort, what is the matter, where it is first, what to do, and what would settle it.
fn cause(name: &str, cause: &Cause, report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let color = style::severity(cause.severity);
    let codes = cause.codes.join(", ");
    let count = cause.members.len() - cause.auxiliary;
    let mut text = format!(
        "{count:>5}  {color}{codes}{color:#}  {}",
        one_line(&cause.title)
    );
    let members = cause.members.iter();
    let findings = || {
        members
            .clone()
            .filter_map(|&at| report.findings.get(at))
            .filter(|one| !one.auxiliary)
    };
    // A cause whose weight comes from a few of its findings is shown by one of these.
    let first = findings().find(|one| one.code.severity == cause.severity);
    if let Some(first) = first {
        let files: BTreeSet<&str> = findings().map(|one| &*one.path).collect();
        let place = one_line(&first.path);
        let place = if first.is_whole() {
            place
        } else {
            format!("{place}:{}", first.start.line)
        };
        let more = match files.len().saturating_sub(1) {
            0 => String::new(),
            more => format!(" and {}", counted(more, "more file")),
        };
        text = format!("{text} {DIM}({place}{more}){DIM:#}");
    }
    row(out, name, &text)?;
    let mut advice = Vec::new();
    if cause.points > 0 {
        advice.push(effort(cause.points));
    }
    let help = cause.help.as_deref().map(one_line);
    advice.extend(help.map(|help| help.trim_end_matches('.').to_owned()));
    if let Some(settle) = &cause.settle {
        advice.push(format!("settled by `{settle}`"));
    }
    if advice.is_empty() {
        return Ok(());
    }
    row(
        out,
        "",
        &format!("       {DIM}{}{DIM:#}", advice.join(". ")),
    )
}
