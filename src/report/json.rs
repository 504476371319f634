//! The report as JSON; `docs/report.md` describes it.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::causes::Cause;
use super::json_rows;
use super::summary::not_built::{NotBuiltGroup, groups};
use super::{FileCounts, FileEffort, KeptPath, LogRow, References, Report};
use crate::diagnostic::{KeptReason, Severity};
use crate::mapping::ptx::StatementCounts;

/// The version of the schema; it changes when a field changes its meaning or goes.
pub(super) const SCHEMA_VERSION: u32 = 1;

/// The name of the program in a report.
const TOOL: &str = "torchada";

/// Write the report, with a line end. `report` must be sorted.
///
/// # Errors
/// When nothing can be written to `out`.
pub fn json(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let document = Document {
        schema_version: SCHEMA_VERSION,
        tool: Tool {
            name: TOOL,
            version: env!("CARGO_PKG_VERSION"),
        },
        input: &report.input,
        output: report.output.as_deref(),
        summary: Summary::of(report),
        findings: report,
        not_built: report,
        suppressed: report,
        statements: report,
        causes: &report.causes,
        facts: report.facts.as_ref().map(|used| FactsRow {
            file: &used.file,
            blake3: &used.blake3,
            sdk: used.sdk.as_deref(),
            torch_musa: used.torch_musa.as_deref(),
            names: report.fact_names.len(),
        }),
        stub: (report.stub > 0).then_some(StubRow { files: report.stub }),
        kept: report,
        kept_paths: &report.kept_paths,
        effort: &report.effort,
        log: &report.log,
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}

/// Whether a text is a report of this program's, of whatever version.
pub fn is_report(text: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Made {
        tool: By,
    }
    #[derive(Deserialize)]
    struct By {
        name: String,
    }
    serde_json::from_slice::<Made>(text).is_ok_and(|made| made.tool.name == TOOL)
}

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    tool: Tool,
    input: &'a str,
    output: Option<&'a str>,
    summary: Summary<'a>,
    #[serde(serialize_with = "json_rows::findings")]
    findings: &'a Report,
    #[serde(serialize_with = "json_rows::not_built")]
    not_built: &'a Report,
    causes: &'a [Cause],
    #[serde(serialize_with = "json_rows::suppressed")]
    suppressed: &'a Report,
    #[serde(serialize_with = "json_rows::kept")]
    kept: &'a Report,
    #[serde(serialize_with = "json_rows::statements")]
    statements: &'a Report,
    kept_paths: &'a [KeptPath],
    effort: &'a [FileEffort],
    /// Where the log of a build has the message of each finding; empty if the findings come from no log.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    log: &'a [LogRow],
    facts: Option<FactsRow<'a>>,
    stub: Option<StubRow>,
}

#[derive(Serialize)]
struct FactsRow<'a> {
    file: &'a str,
    blake3: &'a str,
    sdk: Option<&'a str>,
    torch_musa: Option<&'a str>,
    names: usize,
}

#[derive(Serialize)]
struct StubRow {
    files: usize,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Summary<'a> {
    files: &'a FileCounts,
    references: References,
    assembly: StatementCounts,
    kept: BTreeMap<KeptReason, usize>,
    /// The packages that start, and how many of their modules a start loads.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    starts: &'a BTreeMap<String, usize>,
    findings: BTreeMap<&'static str, CodeRow>,
    not_built: Vec<NotBuiltGroup<'a>>,
    suppressed: BTreeMap<&'static str, usize>,
    withdrawn: usize,
}

impl<'a> Summary<'a> {
    fn of(report: &'a Report) -> Self {
        let mut kept = BTreeMap::new();
        for reference in &report.kept {
            *kept.entry(reference.reason).or_default() += 1;
        }
        let mut findings: BTreeMap<&'static str, CodeRow> = BTreeMap::new();
        for finding in &report.findings {
            let row = findings.entry(finding.code.id).or_insert(CodeRow {
                severity: finding.code.severity,
                title: finding.code.title,
                count: 0,
            });
            row.count += 1;
        }
        let mut suppressed = BTreeMap::new();
        for finding in report.suppressed.iter().chain(&report.ignored) {
            *suppressed.entry(finding.code.id).or_default() += 1;
        }
        Self {
            files: &report.files,
            references: report.references,
            assembly: report.assembly,
            kept,
            starts: &report.starts,
            findings,
            not_built: groups(report),
            suppressed,
            withdrawn: report.withdrawn,
        }
    }
}

#[derive(Serialize)]
struct CodeRow {
    severity: Severity,
    title: &'static str,
    count: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Finding};

    const CODE: Code = Code::warning("CPP999", "for the test");

    fn value(report: &Report) -> serde_json::Value {
        let mut bytes = Vec::new();
        json(report, &mut bytes).expect("written");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    #[test]
    fn a_finding_has_exactly_the_documented_fields() {
        let mut report = Report {
            findings: vec![Finding::whole(CODE, "k.cu", "message").help("help")],
            ..Report::default()
        };
        report.outputs.insert("k.cu".to_owned(), "k.mu".to_owned());
        let value = value(&report);
        assert_eq!(
            value["findings"][0],
            serde_json::json!({
                "code": "CPP999", "severity": "warning", "path": "k.cu", "output_path": "k.mu",
                "line": 1, "column": 1, "end_line": 1, "end_column": 1,
                "message": "message", "help": "help",
            })
        );
        assert_eq!(value["schema_version"], 1);
        assert_eq!(value["summary"]["findings"]["CPP999"]["count"], 1);
    }

    #[test]
    fn every_documented_field_is_in_the_schemas_document() {
        let text = include_str!("../../docs/report.md");
        let value = value(&Report::default());
        let fields = value.as_object().expect("an object").keys();
        let lacking: Vec<&String> = fields
            .filter(|field| !text.contains(&format!("`{field}`")))
            .collect();
        assert!(lacking.is_empty(), "docs/report.md lacks {lacking:?}");
    }
}
