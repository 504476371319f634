//! Counts what was found in files that no build for MUSA compiles.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde::Serialize;

use crate::diagnostic::Severity;
use crate::report::Report;
use crate::report::format::plain::one_line;
use crate::report::format::row::{row, severities};
use crate::text::counted;

/// The findings in files that one cause keeps out of builds for MUSA.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(in crate::report) struct NotBuiltGroup<'r> {
    /// The cause, in words that go on with a count.
    pub(in crate::report) cause: &'r str,
    /// How many files have the findings.
    pub(in crate::report) files: usize,
    /// How many of them are errors.
    pub(in crate::report) errors: usize,
    /// How many are warnings.
    pub(in crate::report) warnings: usize,
    /// How many are notes.
    pub(in crate::report) notes: usize,
}

/// The findings by cause, the one with the most errors first.
pub(in crate::report) fn groups(report: &Report) -> Vec<NotBuiltGroup<'_>> {
    let mut files: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut groups: BTreeMap<&str, NotBuiltGroup<'_>> = BTreeMap::new();
    for one in &report.not_built {
        let cause = one.group.as_str();
        files.entry(cause).or_default().insert(&one.finding.path);
        let group = groups.entry(cause).or_insert(NotBuiltGroup {
            cause,
            files: 0,
            errors: 0,
            warnings: 0,
            notes: 0,
        });
        match one.finding.code.severity {
            Severity::Error => group.errors += 1,
            Severity::Warning => group.warnings += 1,
            Severity::Note => group.notes += 1,
        }
    }
    let mut groups: Vec<_> = groups.into_values().collect();
    for group in &mut groups {
        group.files = files.get(group.cause).map_or(0, BTreeSet::len);
    }
    groups.sort_by_key(|one| (Reverse((one.errors, one.warnings, one.notes)), one.cause));
    groups
}

impl NotBuiltGroup<'_> {
    /// The group in words: `583 errors and 40 warnings in 31 files for sm_90 and newer`.
    pub(in crate::report) fn words(&self) -> String {
        let counts = [
            (self.errors, Severity::Error),
            (self.warnings, Severity::Warning),
            (self.notes, Severity::Note),
        ];
        let counts = severities(counts, |_, text| text);
        let files = counted(self.files, "file");
        let cause = one_line(self.cause);
        format!("{counts} in {files} {cause}")
    }
}

/// Write the summary's rows about files that no build for MUSA compiles, one for each cause.
pub(in crate::report) fn not_built(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    for (at, group) in groups(report).iter().enumerate() {
        let name = if at == 0 { "not built" } else { "" };
        row(out, name, &group.words())?;
    }
    Ok(())
}
