//! The rows of summaries.

use std::io::{self, Write};

use super::style::DIM;
use crate::diagnostic::Severity;

/// Write a row: its name, which may be empty, and its text.
pub(super) fn row(out: &mut dyn Write, name: &str, text: &str) -> io::Result<()> {
    writeln!(out, "  {DIM}{name:<11}{DIM:#} {text}")
}

/// A count with its noun.
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Counts of findings in words, without those that are 0: `2 errors, 1 note`. `shown` says how each part looks.
pub(super) fn severities(
    counts: impl IntoIterator<Item = (usize, Severity)>,
    shown: impl Fn(Severity, String) -> String,
) -> String {
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = counts
        .map(|(count, severity)| shown(severity, counted(count, severity.as_str())))
        .collect();
    parts.join(", ")
}
