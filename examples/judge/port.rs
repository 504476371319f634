//! What a port said: the findings of its report.

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

/// What was said of a file.
#[derive(Default)]
pub(crate) struct Said {
    /// The findings.
    pub(crate) findings: Vec<Finding>,
    /// The places of what stays for a reason, and the reason.
    pub(crate) kept: Vec<(Place, String)>,
}

/// What a port says, by file.
pub(crate) fn said(port: &Path) -> Result<BTreeMap<String, Said>> {
    let path = port.join(".torchada").join("report.json");
    let cannot = || format!("can't read {}", path.display());
    let text = std::fs::read(&path).with_context(cannot)?;
    let report: Report = serde_json::from_slice(&text).with_context(cannot)?;
    let mut found: BTreeMap<String, Said> = BTreeMap::new();
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
