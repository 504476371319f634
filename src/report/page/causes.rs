//! The causes of a page: what brings its findings about.

use super::read::{Document, ReportedFinding};
use super::rows::{SourceLine, words};
use crate::diagnostic::Severity;
use crate::mapping::effort::Effort;
use crate::report::causes::Causes;
use crate::report::causes::key::Symptom;

/// A cause of findings.
pub(super) struct CauseRow {
    pub(super) codes: String,
    pub(super) severity: Severity,
    pub(super) title: Vec<(bool, String)>,
    pub(super) help: Vec<(bool, String)>,
    pub(super) remedy: Option<String>,
    pub(super) findings: usize,
    pub(super) files: usize,
    pub(super) points: usize,
}

/// The causes of a report's findings, worked out from the findings, which older reports have, too.
pub(super) fn causes(document: &Document, scale: &Effort) -> Causes {
    let symptoms: Vec<(&ReportedFinding, String)> = document
        .findings
        .iter()
        .map(|found| {
            let line = found.source.as_ref().map(SourceLine::of);
            (found, line.map_or_else(String::new, |line| line.meant))
        })
        .collect();
    let symptoms: Vec<Symptom<'_>> = symptoms
        .iter()
        .map(|(found, meant)| Symptom {
            code: &found.code,
            title: document.title(&found.code),
            severity: found.severity,
            path: &found.path,
            message: &found.message,
            help: found.help.as_deref(),
            source: found.source.as_ref().map(|line| (&*line.text, &**meant)),
            auxiliary: found.auxiliary,
            at_start: found.at_start,
        })
        .collect();
    Causes::of(&symptoms, scale)
}

/// The rows of causes.
pub(super) fn cause_rows(causes: &Causes) -> Vec<CauseRow> {
    let rows = causes.all.iter().map(|cause| CauseRow {
        codes: cause.codes.join(", "),
        severity: cause.severity,
        title: words(&cause.title),
        help: words(cause.help.as_deref().unwrap_or_default()),
        remedy: cause.remedy.clone(),
        findings: cause.members.len(),
        files: cause.files,
        points: cause.points,
    });
    rows.collect()
}
