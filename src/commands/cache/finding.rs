//! A finding as it is stored.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::codes::{Codes, StoredCode};
use crate::diagnostic::{Finding, FindingCell, SourceLine};
use crate::text::{Position, TextRange};

/// A finding, field by field.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct StoredFinding {
    code: StoredCode,
    path: String,
    range: TextRange,
    cell: Option<StoredCell>,
    start: Position,
    end: Position,
    message: String,
    help: Option<String>,
    source: Option<SourceLine>,
    auxiliary: bool,
    beside: Option<String>,
    at_start: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct StoredCell {
    number: usize,
    source: Vec<u8>,
    range: TextRange,
}

impl From<&Finding> for StoredFinding {
    fn from(finding: &Finding) -> Self {
        let cell = finding.cell.as_deref().map(|cell| StoredCell {
            number: cell.number,
            source: cell.source.to_vec(),
            range: cell.range,
        });
        Self {
            code: finding.code.into(),
            path: finding.path.clone(),
            range: finding.range,
            cell,
            start: finding.start,
            end: finding.end,
            message: finding.message.clone(),
            help: finding.help.clone(),
            source: finding.source.as_deref().cloned(),
            auxiliary: finding.auxiliary,
            beside: finding.beside.clone(),
            at_start: finding.at_start,
        }
    }
}

impl StoredFinding {
    /// The finding; `None` where its code is none of the program's.
    pub(super) fn revive(self, codes: &Codes) -> Option<Finding> {
        let cell = self.cell.map(|cell| {
            Box::new(FindingCell {
                number: cell.number,
                source: Arc::from(cell.source),
                range: cell.range,
            })
        });
        Some(Finding {
            code: codes.find(&self.code)?,
            path: self.path,
            range: self.range,
            cell,
            start: self.start,
            end: self.end,
            message: self.message,
            help: self.help,
            source: self.source.map(Box::new),
            auxiliary: self.auxiliary,
            beside: self.beside,
            at_start: self.at_start,
        })
    }
}

/// Findings as they are stored.
pub(super) fn store(findings: &[Finding]) -> Vec<StoredFinding> {
    findings.iter().map(StoredFinding::from).collect()
}

/// The findings; `None` where the code of one is none of the program's.
pub(super) fn revive(stored: Vec<StoredFinding>, codes: &Codes) -> Option<Vec<Finding>> {
    stored.into_iter().map(|one| one.revive(codes)).collect()
}
