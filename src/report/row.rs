//! The rows of summaries.

use std::io::{self, Write};

use super::style::DIM;

/// Write a row: its name, which may be empty, and its text.
pub(super) fn row(out: &mut dyn Write, name: &str, text: &str) -> io::Result<()> {
    writeln!(out, "  {DIM}{name:<11}{DIM:#} {text}")
}

/// A count with its noun.
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
