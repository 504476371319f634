//! A report as test runners write it, which most pipelines show.

use std::collections::BTreeMap;
use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Report as Document, TestCase, TestCaseStatus, TestSuite};

use super::whole_message;
use crate::diagnostic::{Finding, Severity};

/// Write a suite for each file with findings, and a case for each finding. One of at least the severity
/// `fails` is a failure; the others are skipped, so that they are seen and hold nothing up.
///
/// # Errors
/// When `out` can't take it.
pub fn junit(findings: &[Finding], fails: Option<Severity>, out: &mut dyn Write) -> io::Result<()> {
    let mut suites: BTreeMap<&str, TestSuite> = BTreeMap::new();
    for finding in findings {
        let failed = fails.is_some_and(|least| finding.code.severity >= least);
        let mut status = if failed {
            TestCaseStatus::non_success(NonSuccessKind::Failure)
        } else {
            TestCaseStatus::skipped()
        };
        status.set_type(finding.code.severity.as_str());
        status.set_message(finding.message.as_str());
        if failed {
            status.set_description(whole_message(finding));
        }
        let place = match &finding.cell {
            Some(cell) => format!("cell {}, {}", cell.number, finding.start.line),
            None => finding.start.line.to_string(),
        };
        let name = format!(
            "{}:{place}:{}: {}",
            finding.path, finding.start.column, finding.code.id
        );
        let mut case = TestCase::new(name, status);
        case.set_classname(finding.path.as_str());
        suites
            .entry(&finding.path)
            .or_insert_with(|| TestSuite::new(finding.path.as_str()))
            .add_test_case(case);
    }
    let mut document = Document::new("torchada");
    document.add_test_suites(suites.into_values());
    // Some readers take a report without a case for a run that broke off.
    if findings.is_empty() {
        let mut suite = TestSuite::new("torchada");
        suite.add_test_case(TestCase::new("no findings", TestCaseStatus::success()));
        document.add_test_suite(suite);
    }
    // The document is made whole first: an error of `out` keeps its kind, by which the end of a pipe is known.
    let text = document.to_string().map_err(io::Error::other)?;
    out.write_all(text.as_bytes())
}
