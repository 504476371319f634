//! What a port said: the findings of its report.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

/// What is read of a report.
#[derive(Deserialize)]
struct Report {
    findings: Vec<Finding>,
}

/// What is read of a finding.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct Finding {
    pub(crate) code: String,
    path: String,
    pub(crate) line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    pub(crate) message: String,
}

impl Finding {
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

/// The findings of a port, by file.
pub(crate) fn findings(port: &Path) -> Result<BTreeMap<String, Vec<Finding>>> {
    let path = port.join(".torchada").join("report.json");
    let cannot = || format!("can't read {}", path.display());
    let text = std::fs::read(&path).with_context(cannot)?;
    let report: Report = serde_json::from_slice(&text).with_context(cannot)?;
    let mut found: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for finding in report.findings {
        found.entry(finding.path.clone()).or_default().push(finding);
    }
    Ok(found)
}
