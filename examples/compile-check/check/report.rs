//! The port's report about its own places: `OUT/.torchada/report.json`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use torchada::emit::{Manifest, REPORT};
use torchada::project::PROPOSED;
use torchada::text::Position;

/// One entry of the port's report about a place of the original.
#[derive(Clone, Debug)]
pub struct Mark {
    /// The finding's code, or why a name was kept.
    pub word: String,
    /// Whether it is a finding.
    pub is_finding: bool,
    /// Where it starts.
    pub start: Position,
    /// Where it ends, exclusive.
    pub end: Position,
}

/// Codes of findings that come with a change of the text, or that change what it means. All
/// others say that a place was left as it is, and that compiles here as the original does.
const CHANGES: [&str; 12] = [
    "CPP003", "CPP004", "CPP012", "CPP013", "CPP030", "CPP031", "CPP050", "CPP051", "CPP052",
    "CPP053", "CPP054", "CPP057",
];

impl Mark {
    /// Whether the port may differ from its original at this mark.
    pub fn may_differ(&self) -> bool {
        self.is_finding && CHANGES.contains(&self.word.as_str())
    }

    /// Whether it has something on a line.
    pub fn touches(&self, line: usize) -> bool {
        (self.start.line..=self.end.line).contains(&line)
    }
}

/// The marks of a port, by file of the original.
#[derive(Clone, Debug, Default)]
pub struct Report {
    marks: BTreeMap<String, Vec<Mark>>,
    /// Files and folders that were left as a whole, with the reason.
    left_whole: Vec<(String, String)>,
    /// Whether the port's options have it write CUDA's versions as numbers.
    pub writes_versions: bool,
}

#[derive(Deserialize)]
struct Document {
    findings: Vec<Row>,
    suppressed: Vec<Row>,
    kept: Vec<Row>,
    kept_paths: Vec<KeptPath>,
}

#[derive(Deserialize)]
struct Row {
    #[serde(alias = "reason")]
    code: String,
    path: String,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Deserialize)]
struct KeptPath {
    path: String,
    reason: String,
}

impl Report {
    /// Read the report of a port; that of a port without one is empty.
    ///
    /// # Errors
    /// A report that can't be read.
    pub fn read(port: &Path) -> Result<Self> {
        let path = port.join(REPORT);
        if !path.is_file() {
            return Ok(Self::default());
        }
        let read = || -> Result<Document> { Ok(serde_json::from_slice(&std::fs::read(&path)?)?) };
        let document = read().with_context(|| format!("can't read {}", path.display()))?;
        let mut report = Self::default();
        let names_release = document.findings.iter().any(|row| row.code == PROPOSED.id);
        let findings = document.findings.into_iter().chain(document.suppressed);
        for (row, is_finding) in findings
            .map(|row| (row, true))
            .chain(document.kept.into_iter().map(|row| (row, false)))
        {
            report.marks.entry(row.path).or_default().push(Mark {
                word: row.code,
                is_finding,
                start: Position {
                    line: row.line,
                    column: row.column,
                },
                end: Position {
                    line: row.end_line,
                    column: row.end_column,
                },
            });
        }
        report.left_whole = document
            .kept_paths
            .into_iter()
            .map(|kept| (kept.path, kept.reason))
            .collect();
        report.writes_versions = Manifest::read(port)?
            .settings
            .get("cuda-version")
            .is_some_and(|version| !version.is_empty())
            || names_release;
        Ok(report)
    }

    /// The marks of a file that touch a line.
    pub fn on_line<'r>(&'r self, file: &str, line: usize) -> impl Iterator<Item = &'r Mark> {
        let marks = self.marks.get(file).map_or(&[][..], Vec::as_slice);
        marks.iter().filter(move |mark| mark.touches(line))
    }

    /// Why a file was left whole, if it was.
    pub fn left_whole(&self, file: &str) -> Option<&str> {
        self.left_whole
            .iter()
            .find(|(path, _)| {
                file.strip_prefix(path.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
            .map(|(_, reason)| reason.as_str())
    }
}
