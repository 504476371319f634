//! The rows of a summary that count the findings and show what brings most of the work about.

use std::io::{self, Write};

use super::plain::one_line;
use super::row::{counted, row, severities};
use super::style::{self, DIM};
use super::{Cause, Report};
use crate::diagnostic::Severity;

/// How many causes are shown.
const CAUSES: usize = 10;

/// How many findings there are, and the causes that are most work.
pub(super) fn findings(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if report.findings.is_empty() {
        return row(out, "findings", "none");
    }
    let mut text = by_severity(report);
    let points: usize = report.causes.iter().map(|cause| cause.points).sum();
    if points > 0 {
        let causes = counted(report.causes.len(), "cause");
        text = format!("{text} of {causes}, {} of work", effort(points));
    }
    row(out, "findings", &text)?;
    let mut causes = report.causes.iter();
    for (at, cause) in causes.by_ref().take(CAUSES).enumerate() {
        self::cause(if at == 0 { "causes" } else { "" }, cause, out)?;
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
    Ok(())
}

/// How many findings of each severity there are: `2 errors, 1 note`. Empty where there are none.
pub(super) fn by_severity(report: &Report) -> String {
    let of = |severity| {
        let findings = report.findings.iter();
        findings
            .filter(|finding| finding.code.severity == severity)
            .count()
    };
    let all = [Severity::Error, Severity::Warning, Severity::Note];
    severities(all.map(|one| (of(one), one)), |severity, text| {
        let color = style::severity(severity);
        format!("{color}{text}{color:#}")
    })
}

/// A cause: its findings and their effort, what is the matter, what to do, and what would settle it.
fn cause(name: &str, cause: &Cause, out: &mut dyn Write) -> io::Result<()> {
    let color = style::severity(cause.severity);
    let codes = cause.codes.join(", ");
    let count = cause.members.len();
    let mut text = format!(
        "{count:>5}  {color}{codes}{color:#}  {}",
        one_line(&cause.title)
    );
    if cause.files > 1 {
        text = format!("{text} {DIM}({} files){DIM:#}", cause.files);
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

/// Points of effort as people say them.
fn effort(points: usize) -> String {
    /// A working day, in hours.
    const DAY: usize = 8;
    let hours = points.div_ceil(60);
    if points <= 90 {
        format!("about {points} min")
    } else if hours <= 2 * DAY {
        format!("about {hours} h")
    } else {
        format!("about {} days", hours.div_ceil(DAY))
    }
}
