//! A report as it is stored.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::codes::Codes;
use super::finding::StoredFindings;
use crate::diagnostic::PackageUse;
use crate::mapping::effort::Effort;
use crate::mapping::ptx::StatementCounts;
use crate::report::{
    FactsUsed, FileCounts, KeptPath, KeptRef, NotBuiltFinding, OptionalCode, References, Report,
    TranslatedStatement,
};
use crate::walk::SkipReason;

/// The report of a port, without the grades, which follow from the findings.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StoredReport<'r> {
    input: Cow<'r, str>,
    output: Option<Cow<'r, str>>,
    findings: StoredFindings<'r>,
    not_built: StoredFindings<'r>,
    /// For each of them what it is counted under, and what says that no build compiles it.
    not_built_reasons: Vec<(Cow<'r, str>, Cow<'r, str>)>,
    suppressed: StoredFindings<'r>,
    ignored: StoredFindings<'r>,
    outputs: Cow<'r, BTreeMap<String, String>>,
    kept: Cow<'r, [KeptRef]>,
    kept_paths: Cow<'r, [KeptPath]>,
    package_uses: Cow<'r, [PackageUse]>,
    starts: Cow<'r, BTreeMap<String, usize>>,
    optional: Cow<'r, [OptionalCode]>,
    files: [usize; 8],
    skipped: Vec<(String, usize)>,
    references: References,
    assembly: StatementCounts,
    statements: Cow<'r, [TranslatedStatement]>,
    withdrawn: usize,
    stub: usize,
    facts: Cow<'r, Option<FactsUsed>>,
    fact_names: Cow<'r, BTreeSet<String>>,
}

impl<'r> StoredReport<'r> {
    /// The parts of a port's report that are stored.
    pub(super) fn of(report: &'r Report) -> Self {
        let files = &report.files;
        let skipped = files.skipped.iter();
        Self {
            input: Cow::from(&report.input),
            output: report.output.as_deref().map(Cow::from),
            findings: StoredFindings::of(&report.findings),
            not_built: StoredFindings::of(report.not_built.iter().map(|one| &one.finding)),
            not_built_reasons: report
                .not_built
                .iter()
                .map(|one| (Cow::from(&one.group), Cow::from(&one.why)))
                .collect(),
            suppressed: StoredFindings::of(&report.suppressed),
            ignored: StoredFindings::of(&report.ignored),
            outputs: Cow::Borrowed(&report.outputs),
            kept: Cow::from(&report.kept),
            kept_paths: Cow::from(&report.kept_paths),
            package_uses: Cow::from(&report.package_uses),
            starts: Cow::Borrowed(&report.starts),
            optional: Cow::from(&report.optional),
            files: [
                files.seen,
                files.ported,
                files.copied,
                files.links,
                files.renamed,
                files.failed,
                files.python,
                files.cpp,
            ],
            skipped: skipped
                .map(|(reason, count)| ((*reason).to_owned(), *count))
                .collect(),
            references: report.references,
            assembly: report.assembly,
            statements: Cow::from(&report.statements),
            withdrawn: report.withdrawn,
            stub: report.stub,
            facts: Cow::Borrowed(&report.facts),
            fact_names: Cow::Borrowed(&report.fact_names),
        }
    }

    /// The report; `None` where it is another program's.
    pub(super) fn revive(self, codes: &Codes, scale: &'static Effort) -> Option<Report> {
        let [seen, ported, copied, links, renamed, failed, python, cpp] = self.files;
        let skipped = self.skipped.into_iter().map(|(reason, count)| {
            let mut known = SkipReason::ALL.iter().map(|known| known.as_str());
            Some((known.find(|known| *known == reason)?, count))
        });
        let mut report = Report {
            input: self.input.into_owned(),
            output: self.output.map(Cow::into_owned),
            findings: self.findings.revive(codes)?,
            not_built: self
                .not_built
                .revive(codes)?
                .into_iter()
                .zip(self.not_built_reasons)
                .map(|(finding, (group, why))| NotBuiltFinding {
                    finding,
                    group: group.into_owned(),
                    why: why.into_owned(),
                })
                .collect(),
            suppressed: self.suppressed.revive(codes)?,
            ignored: self.ignored.revive(codes)?,
            outputs: self.outputs.into_owned(),
            kept: self.kept.into_owned(),
            kept_paths: self.kept_paths.into_owned(),
            package_uses: self.package_uses.into_owned(),
            starts: self.starts.into_owned(),
            optional: self.optional.into_owned(),
            files: FileCounts {
                seen,
                ported,
                copied,
                links,
                renamed,
                failed,
                python,
                cpp,
                skipped: skipped.collect::<Option<_>>()?,
            },
            references: self.references,
            assembly: self.assembly,
            statements: self.statements.into_owned(),
            withdrawn: self.withdrawn,
            stub: self.stub,
            facts: self.facts.into_owned(),
            fact_names: self.fact_names.into_owned(),
            ..Report::default()
        };
        report.grade(scale);
        Some(report)
    }
}
