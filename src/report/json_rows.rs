//! The rows of the report as JSON: findings, kept references and translated statements.

use serde::{Serialize, Serializer};

use super::causes::targets;
use super::{KeptRef, NotBuiltFinding, Report, TranslatedStatement};
use crate::diagnostic::{Finding, KeptReason, Severity};
use crate::text::Position;

/// A list of the report as JSON: each row is made when it is written.
type Written<S> = Result<<S as Serializer>::Ok, <S as Serializer>::Error>;

/// The findings.
pub(super) fn findings<S: Serializer>(report: &Report, out: S) -> Written<S> {
    let rows = report.findings.iter();
    out.collect_seq(rows.map(|finding| FindingRow::of(finding, report)))
}

/// The findings in what no build for MUSA compiles.
pub(super) fn not_built<S: Serializer>(report: &Report, out: S) -> Written<S> {
    let rows = report.not_built.iter();
    out.collect_seq(rows.map(|one| FindingRow::not_built(one, report)))
}

/// The findings that a comment or the configuration hides.
pub(super) fn suppressed<S: Serializer>(report: &Report, out: S) -> Written<S> {
    let hidden = |by| move |finding| FindingRow::hidden(finding, report, by);
    let in_source = report.suppressed.iter().map(hidden("comment"));
    out.collect_seq(in_source.chain(report.ignored.iter().map(hidden("configuration"))))
}

/// The references that stay.
pub(super) fn kept<S: Serializer>(report: &Report, out: S) -> Written<S> {
    out.collect_seq(report.kept.iter().map(KeptRow::of))
}

/// The statements of inline PTX.
pub(super) fn statements<S: Serializer>(report: &Report, out: S) -> Written<S> {
    out.collect_seq(report.statements.iter().map(StatementRow::of))
}

#[derive(Serialize)]
struct FindingRow<'a> {
    code: &'static str,
    severity: Severity,
    path: &'a str,
    output_path: Option<&'a str>,
    /// Lines are counted in the cell where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<usize>,
    #[serde(flatten)]
    place: PlaceRow,
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

/// Where something starts and ends.
#[derive(Serialize)]
struct PlaceRow {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

impl PlaceRow {
    fn of(start: Position, end: Position) -> Self {
        Self {
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }
}

/// The line of source that a finding starts in, and the characters of it that are meant.
#[derive(Serialize)]
struct SourceRow<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

impl<'a> FindingRow<'a> {
    fn hidden(finding: &'a Finding, report: &'a Report, by: &'static str) -> Self {
        Self {
            suppressed_by: Some(by),
            ..Self::of(finding, report)
        }
    }

    fn not_built(one: &'a NotBuiltFinding, report: &'a Report) -> Self {
        Self {
            why: Some(&one.why),
            ..Self::of(&one.finding, report)
        }
    }

    fn of(finding: &'a Finding, report: &'a Report) -> Self {
        Self {
            code: finding.code.id,
            severity: finding.code.severity,
            path: &finding.path,
            output_path: report.outputs.get(&finding.path).map(String::as_str),
            cell: finding.cell.as_ref().map(|cell| cell.number),
            place: PlaceRow::of(finding.start, finding.end),
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
struct KeptRow<'a> {
    path: &'a str,
    #[serde(flatten)]
    place: PlaceRow,
    name: &'a str,
    reason: KeptReason,
}

impl<'a> KeptRow<'a> {
    fn of(kept: &'a KeptRef) -> Self {
        Self {
            path: &kept.path,
            place: PlaceRow::of(kept.start, kept.end),
            name: &kept.name,
            reason: kept.reason,
        }
    }
}

#[derive(Serialize)]
struct StatementRow<'a> {
    path: &'a str,
    #[serde(flatten)]
    place: PlaceRow,
    exactness: &'static str,
    before: &'a str,
    after: &'a str,
}

impl<'a> StatementRow<'a> {
    fn of(statement: &'a TranslatedStatement) -> Self {
        Self {
            path: &statement.path,
            place: PlaceRow::of(statement.start, statement.end),
            exactness: statement.exactness.as_str(),
            before: &statement.before,
            after: &statement.after,
        }
    }
}
