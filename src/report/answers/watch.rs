//! What a port that watches its input says after each change.

use std::io::{self, Write};
use std::time::Duration;

use crate::diagnostic::Finding;
use crate::report::Report;
use crate::report::format::concise::concise;
use crate::report::format::plain::one_line;
use crate::report::format::row::by_severity;
use crate::report::format::style::{BOLD, PATH};
use crate::text::counted;

/// How many paths and findings are named; the report has them all.
const NAMED: usize = 10;

/// A port after a change.
#[derive(Debug)]
pub struct Round<'r> {
    /// The files of the input that changed.
    pub paths: Vec<String>,
    /// How long the port took.
    pub took: Duration,
    /// The findings that are new.
    pub new: Vec<&'r Finding>,
    /// How many findings are gone.
    pub gone: usize,
    /// All that is found now; nothing for a port of one file.
    pub report: Option<&'r Report>,
}

/// Say that an input is watched.
///
/// # Errors
/// When `out` can't take it.
pub fn watching(input: &str, out: &mut dyn Write) -> io::Result<()> {
    let input = one_line(input);
    writeln!(out, "watching {PATH}{input}{PATH:#}; Ctrl-C ends it")?;
    out.flush()
}

/// Say what a change came to.
///
/// # Errors
/// When `out` can't take it.
pub fn round(round: &Round<'_>, out: &mut dyn Write) -> io::Result<()> {
    let took = round.took.as_secs_f64();
    writeln!(
        out,
        "{BOLD}{}{BOLD:#}: ported in {took:.1} s",
        paths(&round.paths)
    )?;
    if let Some(report) = round.report {
        let mut parts = Vec::new();
        if !round.new.is_empty() {
            parts.push(format!("{} new", round.new.len()));
        }
        if round.gone > 0 {
            parts.push(format!("{} gone", round.gone));
        }
        let change = if parts.is_empty() {
            "as before".to_owned()
        } else {
            parts.join(", ")
        };
        writeln!(out, "  findings: {change}; {} in all", all(report))?;
    }
    let new: Vec<Finding> = round.new.iter().take(NAMED).copied().cloned().collect();
    concise(&new, out)?;
    if let Some(more) = round.new.len().checked_sub(NAMED).filter(|more| *more > 0) {
        writeln!(out, "  and {more} more; the report has them all")?;
    }
    out.flush()
}

/// Say that a change could not be ported.
///
/// # Errors
/// When `out` can't take it.
pub fn failed_round(
    changed: &[String],
    error: &str,
    advice: Option<String>,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{BOLD}{}{BOLD:#}: not ported", paths(changed))?;
    writeln!(out, "error: {error}")?;
    if let Some(advice) = advice {
        writeln!(out, "help: {advice}")?;
    }
    out.flush()
}

fn paths(paths: &[String]) -> String {
    let named: Vec<_> = paths
        .iter()
        .take(NAMED)
        .map(|path| one_line(path))
        .collect();
    let more = paths.len().saturating_sub(NAMED);
    match (named.is_empty(), more) {
        (true, _) => "the output changed".to_owned(),
        (false, 0) => format!("{} changed", named.join(", ")),
        (false, _) => format!(
            "{} and {} more changed",
            named.join(", "),
            counted(more, "file")
        ),
    }
}

/// The findings of a report, counted by their weight.
fn all(report: &Report) -> String {
    let text = by_severity(report.findings.iter());
    if text.is_empty() {
        "none".to_owned()
    } else {
        text
    }
}
