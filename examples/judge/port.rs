//! The findings of a port's report.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

/// What is read of a report.
#[derive(Deserialize)]
struct Report {
    findings: Vec<Finding>,
    kept: Vec<Kept>,
}

/// What is read of a reference that stays for a reason.
#[derive(Deserialize)]
struct Kept {
    reason: String,
    #[serde(flatten)]
    place: Place,
}

/// A place in a file.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct Place {
    path: String,
    /// The 1-based place of a notebook's cell, in which the lines are counted.
    cell: Option<usize>,
    pub(crate) line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

/// What is read of a finding.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct Finding {
    pub(crate) code: String,
    #[serde(flatten)]
    pub(crate) place: Place,
    pub(crate) message: String,
}

impl Place {
    /// The place in the file, where it is counted in a cell: a line of code is a line of the file, in quotes.
    pub(crate) fn in_file(&self, text: &[u8]) -> Self {
        let mut found = self.clone();
        let shown = || text.split(|byte| *byte == b'\n').enumerate();
        let starts = |line: &[u8], key: &[u8]| line.trim_ascii_start().starts_with(key);
        let head = self
            .cell
            .and_then(|cell| cell.checked_sub(1))
            .and_then(|before| {
                shown()
                    .filter(|(_, line)| starts(line, b"\"cell_type\""))
                    .nth(before)
            });
        let source = head.and_then(|(head, _)| {
            shown().find(|(at, line)| *at > head && starts(line, b"\"source\""))
        });
        if let Some((source, _)) = source {
            // 0-based, and the list's head stands before the first line.
            let quote = |line: usize| {
                let line = shown().nth(source + line).map(|(_, line)| line);
                line.and_then(|line| line.iter().position(|byte| *byte == b'"'))
                    .map_or(0, |at| at + 1)
            };
            found.column += quote(self.line);
            found.end_column += quote(self.end_line);
            found.line += source + 1;
            found.end_line += source + 1;
            found.cell = None;
        }
        found
    }

    /// Whether it is about the file as a whole.
    pub(crate) fn is_whole(&self) -> bool {
        (self.line, self.column, self.end_line, self.end_column) == (1, 1, 1, 1)
    }

    /// Whether its place meets the places from `start` to `end`.
    pub(crate) fn meets(&self, start: (usize, usize), end: (usize, usize)) -> bool {
        let (from, to) = ((self.line, self.column), (self.end_line, self.end_column));
        !self.is_whole() && from < end && start < to.max((from.0, from.1 + 1))
    }
}

/// The part of the report that is about one file.
#[derive(Default)]
pub(crate) struct FileReport {
    /// The findings.
    pub(crate) findings: Vec<Finding>,
    /// The places of what stays for a reason, and the reason.
    pub(crate) kept: Vec<(Place, String)>,
}

/// What a port says, by file.
pub(crate) fn file_reports(port: &Path) -> Result<BTreeMap<String, FileReport>> {
    let path = port.join(".torchada").join("report.json");
    let cannot = || format!("can't read {}", path.display());
    let text = std::fs::read(&path).with_context(cannot)?;
    let report: Report = serde_json::from_slice(&text).with_context(cannot)?;
    let mut found: BTreeMap<String, FileReport> = BTreeMap::new();
    for finding in report.findings {
        let file = found.entry(finding.place.path.clone()).or_default();
        file.findings.push(finding);
    }
    for kept in report.kept {
        let file = found.entry(kept.place.path.clone()).or_default();
        file.kept.push((kept.place, kept.reason));
    }
    Ok(found)
}
