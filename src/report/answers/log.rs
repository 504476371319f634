//! The messages of a port's build, grouped by their causes.

use std::io::{self, Write};

use crate::mapping::build_log::BuildLogTable;
use crate::report::format::plain::one_line;
use crate::report::format::row::{by_severity, row};
use crate::report::format::style;
use crate::report::format::style::{BOLD, DIM, PATH};
use crate::report::{Cause, Report};
use crate::text::counted;

/// How many places of a cause are shown.
const PLACES: usize = 3;

/// The counts of what was read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LogCounts {
    /// The log, as the user named it.
    pub log: String,
    /// Its lines.
    pub lines: usize,
    /// Messages that are left out, because there are too many.
    pub dropped: usize,
    /// How the command that printed it ended, where it failed.
    pub failed: Option<String>,
}

/// Whether a text is what `explain-log` writes, in one of its formats; of a log without messages that may be nothing.
pub fn is_of_log(text: &[u8]) -> bool {
    // Enough for the head of a document.
    const HEAD: usize = 1 << 10;
    if text.is_empty() || text == b"[]\n" {
        return true;
    }
    let head = String::from_utf8_lossy(text.get(..HEAD).unwrap_or(text));
    let first = head.lines().next().unwrap_or_default();
    let kinds = &BuildLogTable::builtin().kind;
    let of_kind = |before: &str, line: &str| {
        let mut kinds = kinds.iter();
        kinds.any(|kind| line.contains(&format!("{before}{}", kind.code)))
    };
    (first.starts_with("read ") && first.contains(" line"))
        || of_kind("[", first)
        || (first.starts_with("::") && of_kind("title=", first))
        || (first == "[" && of_kind("\"check_name\": \"", &head))
        || (first == "{" && head.contains("\"name\": \"torchada\""))
        || (first.starts_with("<?xml") && head.contains(" name=\"torchada\""))
}

/// Write the causes of a build's messages, the most frequent first. `report` must be graded.
///
/// # Errors
/// When `out` can't take it.
pub fn log_causes(report: &Report, counts: &LogCounts, out: &mut dyn Write) -> io::Result<()> {
    log_summary(report, counts, out)?;
    for cause in &report.causes {
        self::cause(cause, report, out)?;
    }
    Ok(())
}

/// Write what was read, and how many messages there are.
///
/// # Errors
/// When `out` can't take it.
pub fn log_summary(report: &Report, counts: &LogCounts, out: &mut dyn Write) -> io::Result<()> {
    let text = by_severity(report.findings.iter());
    let text = match &counts.failed {
        _ if !text.is_empty() => format!("{text} of {}", counted(report.causes.len(), "cause")),
        Some(failed) => format!(
            "none recognised as a message; the command failed: {}",
            one_line(failed)
        ),
        None => "no message that stops a build".to_owned(),
    };
    writeln!(
        out,
        "{BOLD}read {}{BOLD:#}: {}, {text}",
        one_line(&counts.log),
        counted(counts.lines, "line")
    )?;
    if counts.dropped > 0 {
        row(
            out,
            "left out",
            &counted(counts.dropped, "message that comes after too many others"),
        )?;
    }
    Ok(())
}

/// A cause: how many messages, what is the matter, where in the original, what to do, and what would remedy it.
fn cause(cause: &Cause, report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let color = style::severity(cause.severity);
    let codes = cause.codes.join(", ");
    let times: usize = cause
        .members
        .iter()
        .map(|at| report.log.get(*at).map_or(1, |row| row.count))
        .sum();
    writeln!(
        out,
        "\n{:>5}  {color}{codes}{color:#}  {}",
        cause.members.len(),
        one_line(&cause.title)
    )?;
    let mut places = Vec::new();
    for at in cause.members.iter().take(PLACES) {
        if let Some(finding) = report.findings.get(*at) {
            let about = report.log.get(*at).is_some_and(|row| row.approximate);
            places.push(format!(
                "{PATH}{}{PATH:#}:{}:{}{}",
                one_line(&finding.path),
                finding.start.line,
                finding.start.column,
                if about { " (about)" } else { "" }
            ));
        }
    }
    let mut text = places.join(", ");
    if let Some(more) = cause
        .members
        .len()
        .checked_sub(PLACES)
        .filter(|more| *more > 0)
    {
        text = format!("{text} {DIM}and {more} more{DIM:#}");
    }
    if times > cause.members.len() {
        text = format!("{text} {DIM}(printed {times} times){DIM:#}");
    }
    writeln!(out, "       {text}")?;
    if let Some(help) = &cause.help {
        writeln!(out, "       {}", one_line(help))?;
    }
    if let Some(remedy) = &cause.remedy {
        let remedy = one_line(remedy);
        writeln!(out, "       {DIM}for torchada.toml:{DIM:#} {remedy}")?;
    }
    Ok(())
}
