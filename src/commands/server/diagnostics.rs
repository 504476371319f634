//! Findings as the protocol's diagnostics.

use std::path::Path;
use std::sync::LazyLock;

use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location,
    NumberOrString, Position, Range,
};
use regex::Regex;

use super::places::uri_of;
use super::worker::Looked;
use crate::diagnostic::{Finding, Severity};
use crate::report;

/// The name that diagnostics of this program carry.
pub(super) const SOURCE: &str = "torchada";

/// The diagnostics of a text. Findings in code that no build for MUSA compiles are hints. `root` is the folder that paths in
/// messages are relative to.
pub(super) fn of(looked: &Looked, root: Option<&Path>) -> Vec<Diagnostic> {
    let report = &looked.report;
    let built = report.findings.iter().map(|finding| {
        let severity = match finding.code.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note => DiagnosticSeverity::INFORMATION,
        };
        one(looked, finding, severity, root)
    });
    let elsewhere = report.not_built.iter().map(|not_built| {
        let mut found = one(looked, &not_built.finding, DiagnosticSeverity::HINT, root);
        let why = format!("\nnote: no build for MUSA has this code: {}", not_built.why);
        found.message.push_str(&why);
        found
    });
    built.chain(elsewhere).collect()
}

fn one(
    looked: &Looked,
    finding: &Finding,
    severity: DiagnosticSeverity,
    root: Option<&Path>,
) -> Diagnostic {
    let mut message = finding.message.clone();
    if let Some(help) = &finding.help {
        message.push_str("\nhelp: ");
        message.push_str(help);
    }
    let page = report::page_of_code(finding.code.id);
    let page = page.and_then(|page| page.parse().ok());
    let related = root.map(|root| related(&message, &finding.path, root));
    Diagnostic {
        range: looked.lines.range(&looked.text, finding.range),
        severity: Some(severity),
        code: Some(NumberOrString::String(finding.code.id.to_owned())),
        code_description: page.map(|href| CodeDescription { href }),
        source: Some(SOURCE.to_owned()),
        message,
        related_information: related.filter(|related| !related.is_empty()),
        ..Diagnostic::default()
    }
}

/// The places of other files, or of other lines, that a message names: `` `a/b.py:12` ``.
fn related(message: &str, own: &str, root: &Path) -> Vec<DiagnosticRelatedInformation> {
    static PLACE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"`([^`\s:]+):([0-9]{1,7})`").ok());
    let Some(place) = &*PLACE else {
        return Vec::new();
    };
    let found = place.captures_iter(message).filter_map(|found| {
        let (_, [path, line]) = found.extract();
        let is_inside = Path::new(path)
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_)));
        let line: u32 = line.parse().ok()?;
        let start = Position::new(line.checked_sub(1)?, 0);
        let label = if path == own {
            format!("line {line} of this file")
        } else {
            format!("{path}:{line}")
        };
        Some(DiagnosticRelatedInformation {
            location: Location {
                uri: uri_of(&root.join(path)).filter(|_| is_inside)?,
                range: Range::new(start, start),
            },
            message: label,
        })
    });
    found.collect()
}
