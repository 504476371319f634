//! Warnings about a whole run, which stand in front of all its findings.

use std::io::{self, Write};

use super::format::style;
use super::one_line;
use crate::diagnostic::Severity;

/// Write what speaks against the facts that a run rests on, a line each.
///
/// # Errors
/// When `out` can't take it.
pub fn doubts<'a>(
    doubts: impl IntoIterator<Item = &'a String>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let yellow = style::severity(Severity::Warning);
    for doubt in doubts {
        writeln!(out, "{yellow}warning{yellow:#}: {}", one_line(doubt))?;
    }
    Ok(())
}
