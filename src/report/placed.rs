//! The findings of a report that a port left, with their places.

use serde::Deserialize;

use super::json::SCHEMA_VERSION;
use crate::diagnostic::KeptReason;

/// A finding of a report, as it was written.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct PlacedFinding {
    /// Its code.
    pub code: String,
    /// The file, as the original has it.
    pub path: String,
    /// Where it starts.
    pub line: usize,
    /// The column of the start.
    pub column: usize,
    /// Where it ends.
    pub end_line: usize,
    /// The column of the end, exclusive.
    pub end_column: usize,
    /// What it says.
    pub message: String,
}

/// A reference that a port kept, as its report has it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct PlacedKept {
    /// The file, as the original has it.
    pub path: String,
    /// Its line.
    pub line: usize,
    /// The name.
    pub name: String,
    /// Why it stays.
    pub reason: KeptReason,
}

/// The lists of a report that name places.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
pub struct PlacedLists {
    schema_version: u32,
    /// The findings.
    pub findings: Vec<PlacedFinding>,
    /// The findings in what no build for MUSA compiles.
    #[serde(default)]
    pub not_built: Vec<PlacedFinding>,
    /// References that stay.
    #[serde(default)]
    pub kept: Vec<PlacedKept>,
}

impl PlacedLists {
    /// Read the lists of a report; `None` where it is none, or another version's.
    pub fn read(report: &[u8]) -> Option<Self> {
        let lists: Self = serde_json::from_slice(report).ok()?;
        (lists.schema_version == SCHEMA_VERSION).then_some(lists)
    }
}
