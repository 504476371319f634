//! Workflow commands of GitHub Actions, which become annotations in a pull request.
//!
//! The form and what has to be escaped: GitHub's documentation, "Workflow commands for GitHub
//! Actions", and `toCommand` of `actions/toolkit`.

use std::io::{self, Write};

use super::whole_message;
use crate::diagnostic::{Finding, Severity};
use crate::report::plain_lines;

/// Write an annotation for each finding.
///
/// # Errors
/// When `out` can't take it.
pub fn github(findings: &[Finding], out: &mut dyn Write) -> io::Result<()> {
    for finding in findings {
        let level = match finding.code.severity {
            Severity::Note => "notice",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(out, "::{level} file={}", property(&finding.path))?;
        // A line of a cell is none of the notebook's file.
        if finding.cell.is_none() && !finding.is_whole() {
            let (start, end) = (finding.start, finding.end);
            write!(out, ",line={},endLine={}", start.line, end.line)?;
            // GitHub takes columns only where a finding stands in one line.
            if start.line == end.line {
                write!(out, ",col={},endColumn={}", start.column, end.column)?;
            }
        }
        let title = format!("{}: {}", finding.code.id, finding.code.title);
        writeln!(
            out,
            ",title={}::{}",
            property(&title),
            data(&whole_message(finding))
        )?;
    }
    Ok(())
}

/// A message. Its lines stay lines; whatever else would do something to the log is written out.
fn data(text: &str) -> String {
    plain_lines(text).replace('%', "%25").replace('\n', "%0A")
}

/// A value before the message.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
