//! A report, read back from its JSON.

use std::collections::BTreeMap;

use serde::Deserialize;
use thiserror::Error;

use crate::diagnostic::Severity;
use crate::report::References;
use crate::report::json::SCHEMA_VERSION;

/// Why a text is no report that can be shown.
#[derive(Debug, Error)]
pub enum ReadError {
    /// Not JSON, or other JSON.
    #[error("it is no report: {0}")]
    Form(#[from] serde_json::Error),
    /// A report of another kind.
    #[error("its schema has version {0}, and this program reads {SCHEMA_VERSION}")]
    Version(u32),
}

/// What a page needs of a report.
#[derive(Debug, Deserialize)]
pub(super) struct Document {
    schema_version: u32,
    pub(super) tool: Tool,
    pub(super) input: String,
    pub(super) output: Option<String>,
    pub(super) summary: Summary,
    pub(super) findings: Vec<ReportedFinding>,
    #[serde(default)]
    pub(super) not_built: Vec<ReportedFinding>,
    /// References that stay, each by itself.
    #[serde(default)]
    pub(super) kept: Vec<KeptPath>,
    /// Files and folders that were left whole.
    #[serde(default)]
    pub(super) kept_paths: Vec<KeptPath>,
    #[serde(default)]
    pub(super) statements: Vec<Statement>,
    #[serde(default)]
    pub(super) facts: Option<FactsRow>,
}

/// The facts that the port rests on.
#[derive(Debug, Deserialize)]
pub(super) struct FactsRow {
    pub(super) file: String,
    pub(super) sdk: Option<String>,
    pub(super) torch_musa: Option<String>,
    pub(super) names: usize,
}

/// A statement of inline PTX that was translated.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Statement {
    pub(super) path: String,
    pub(super) line: usize,
    pub(super) exactness: String,
    pub(super) before: String,
    pub(super) after: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Tool {
    pub(super) version: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Summary {
    pub(super) files: Files,
    pub(super) references: References,
    #[serde(default)]
    pub(super) kept: BTreeMap<String, usize>,
    pub(super) findings: BTreeMap<String, Code>,
    #[serde(default)]
    pub(super) not_built: Vec<NotBuiltGroup>,
    #[serde(default)]
    pub(super) suppressed: BTreeMap<String, usize>,
}

/// How much was found in what one cause keeps out of builds for MUSA.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct NotBuiltGroup {
    pub(super) cause: String,
    pub(super) files: usize,
    pub(super) errors: usize,
    pub(super) warnings: usize,
    pub(super) notes: usize,
}

#[derive(Debug, Deserialize)]
pub(super) struct Files {
    pub(super) seen: usize,
    pub(super) ported: usize,
    pub(super) copied: usize,
    pub(super) renamed: usize,
    pub(super) failed: usize,
}

#[derive(Debug, Deserialize)]
pub(super) struct Code {
    pub(super) title: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct KeptPath {
    pub(super) path: String,
    pub(super) reason: String,
}

/// A finding.
#[derive(Debug, Deserialize)]
pub(super) struct ReportedFinding {
    pub(super) code: String,
    pub(super) severity: Severity,
    pub(super) path: String,
    #[serde(default)]
    pub(super) cell: Option<usize>,
    pub(super) line: usize,
    pub(super) message: String,
    pub(super) help: Option<String>,
    #[serde(default)]
    pub(super) targets: Vec<String>,
    /// Whether it is in a test, a benchmark, an example, documentation or a file of CI.
    #[serde(default)]
    pub(super) auxiliary: bool,
    /// Whether it is an error that stops the start.
    #[serde(default)]
    pub(super) at_start: bool,
    /// What says that the code is not built; empty for a finding in code that is.
    #[serde(default)]
    pub(super) why: String,
    #[serde(default)]
    pub(super) source: Option<Line>,
}

/// The line that a finding starts in.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Document {
    /// Read a report.
    ///
    /// # Errors
    /// Where the text is no report, or a report of another version.
    pub(super) fn read(text: &[u8]) -> Result<Self, ReadError> {
        let document: Self = serde_json::from_slice(text)?;
        if document.schema_version != SCHEMA_VERSION {
            return Err(ReadError::Version(document.schema_version));
        }
        Ok(document)
    }

    /// The title of a code; empty where the report has none of it.
    pub(super) fn title(&self, code: &str) -> &str {
        let row = self.summary.findings.get(code);
        row.map_or("", |row| &row.title)
    }
}
