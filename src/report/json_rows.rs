//! The rows of the report as JSON: findings, kept references and translated statements.

use serde::Serialize;

use super::causes::targets;
use super::{KeptRef, NotBuiltFinding, Report, TranslatedStatement};
use crate::diagnostic::{Finding, KeptReason, Severity};
use crate::text::Position;

#[derive(Serialize)]
pub(super) struct FindingRow<'a> {
    code: &'static str,
    severity: Severity,
    path: &'a str,
    output_path: Option<&'a str>,
    /// Lines are counted in the cell where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<usize>,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    message: &'a str,
    help: Option<&'a str>,
    /// The GPU generations that a hazard concerns; other findings have none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    targets: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<SourceRow<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressed_by: Option<&'static str>,
    /// Whether the file is a test, a benchmark, an example, documentation or a file of CI.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    auxiliary: bool,
    /// The folder of the package beside the tree's own that the file belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    beside: Option<&'a str>,
    /// Whether it is an error that stops a package or a program of the tree as it starts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    at_start: bool,
    /// What says that no build for MUSA compiles the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
}

/// The line of source that a finding starts in, and the characters of it that are meant.
#[derive(Serialize)]
pub(super) struct SourceRow<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

impl<'a> FindingRow<'a> {
    pub(super) fn hidden(finding: &'a Finding, report: &'a Report, by: &'static str) -> Self {
        Self {
            suppressed_by: Some(by),
            ..Self::of(finding, report)
        }
    }

    pub(super) fn not_built(one: &'a NotBuiltFinding, report: &'a Report) -> Self {
        Self {
            why: Some(&one.why),
            ..Self::of(&one.finding, report)
        }
    }

    pub(super) fn of(finding: &'a Finding, report: &'a Report) -> Self {
        Self {
            code: finding.code.id,
            severity: finding.code.severity,
            path: &finding.path,
            output_path: report.outputs.get(&finding.path).map(String::as_str),
            cell: finding.cell.as_ref().map(|cell| cell.number),
            line: finding.start.line,
            column: finding.start.column,
            end_line: finding.end.line,
            end_column: finding.end.column,
            message: &finding.message,
            help: finding.help.as_deref(),
            targets: targets(finding.code.id),
            source: finding.source.as_ref().map(|line| SourceRow {
                text: &line.text,
                start: line.meant.start,
                end: line.meant.end,
            }),
            suppressed_by: None,
            auxiliary: finding.auxiliary,
            beside: finding.beside.as_deref(),
            at_start: finding.at_start,
            why: None,
        }
    }
}

#[derive(Serialize)]
pub(super) struct KeptRow<'a> {
    path: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    name: &'a str,
    reason: KeptReason,
}

impl<'a> KeptRow<'a> {
    pub(super) fn of(kept: &'a KeptRef) -> Self {
        let Position { line, column } = kept.start;
        Self {
            path: &kept.path,
            line,
            column,
            end_line: kept.end.line,
            end_column: kept.end.column,
            name: &kept.name,
            reason: kept.reason,
        }
    }
}

#[derive(Serialize)]
pub(super) struct StatementRow<'a> {
    path: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    exactness: &'static str,
    before: &'a str,
    after: &'a str,
}

impl<'a> StatementRow<'a> {
    pub(super) fn of(statement: &'a TranslatedStatement) -> Self {
        let Position { line, column } = statement.start;
        Self {
            path: &statement.path,
            line,
            column,
            end_line: statement.end.line,
            end_column: statement.end.column,
            exactness: statement.exactness.as_str(),
            before: &statement.before,
            after: &statement.after,
        }
    }
}
