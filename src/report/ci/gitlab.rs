//! A code quality report of GitLab's.
//!
//! The fields: GitLab's documentation, "Code Quality report format".

use serde::Serialize;

use super::{TextOf, fingerprints, whole_message};
use crate::diagnostic::{Finding, Severity};

/// The report's bytes, with a line end.
pub fn gitlab(findings: &[Finding], text_of: TextOf<'_, '_>) -> Vec<u8> {
    let prints = fingerprints(findings, text_of);
    let rows: Vec<QualityIssue<'_>> = findings
        .iter()
        .zip(prints)
        .map(|(finding, fingerprint)| QualityIssue {
            description: whole_message(finding),
            check_name: finding.code.id,
            fingerprint,
            severity: match finding.code.severity {
                Severity::Note => "info",
                Severity::Warning => "minor",
                Severity::Error => "major",
            },
            location: Location {
                path: &finding.path,
                lines: Lines {
                    // A line of a cell is none of the notebook's file.
                    begin: finding.cell.as_ref().map_or(finding.start.line, |_| 1),
                },
            },
        })
        .collect();
    // Strings, numbers and lists always serialize.
    let mut bytes = serde_json::to_vec_pretty(&rows).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

#[derive(Serialize)]
struct QualityIssue<'a> {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: usize,
}
