//! A report as it is stored.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::codes::Codes;
use super::finding::{self, StoredFinding};
use crate::diagnostic::PackageUse;
use crate::mapping::effort::Effort;
use crate::mapping::ptx::StatementCounts;
use crate::report::{
    FactsUsed, FileCounts, KeptPath, KeptRef, NotBuiltFinding, OptionalCode, References, Report,
    TranslatedStatement,
};
use crate::walk::SkipReason;

/// The report of a port, without the grades, which follow from the findings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct StoredReport {
    input: String,
    output: Option<String>,
    findings: Vec<StoredFinding>,
    not_built: Vec<StoredFinding>,
    /// For each of them what it is counted under, and what says that no build compiles it.
    not_built_reasons: Vec<(String, String)>,
    suppressed: Vec<StoredFinding>,
    ignored: Vec<StoredFinding>,
    outputs: BTreeMap<String, String>,
    kept: Vec<KeptRef>,
    kept_paths: Vec<KeptPath>,
    package_uses: Vec<PackageUse>,
    starts: BTreeMap<String, usize>,
    optional: Vec<OptionalCode>,
    files: [usize; 8],
    skipped: Vec<(String, usize)>,
    references: References,
    assembly: StatementCounts,
    statements: Vec<TranslatedStatement>,
    withdrawn: usize,
    stub: usize,
    facts: Option<FactsUsed>,
    fact_names: BTreeSet<String>,
}

impl StoredReport {
    /// The parts of a port's report that are stored.
    pub(super) fn of(report: &Report) -> Self {
        let files = &report.files;
        let skipped = files.skipped.iter();
        Self {
            input: report.input.clone(),
            output: report.output.clone(),
            findings: finding::store(&report.findings),
            not_built: report
                .not_built
                .iter()
                .map(|one| StoredFinding::from(&one.finding))
                .collect(),
            not_built_reasons: report
                .not_built
                .iter()
                .map(|one| (one.group.clone(), one.why.clone()))
                .collect(),
            suppressed: finding::store(&report.suppressed),
            ignored: finding::store(&report.ignored),
            outputs: report.outputs.clone(),
            kept: report.kept.clone(),
            kept_paths: report.kept_paths.clone(),
            package_uses: report.package_uses.clone(),
            starts: report.starts.clone(),
            optional: report.optional.clone(),
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
            statements: report.statements.clone(),
            withdrawn: report.withdrawn,
            stub: report.stub,
            facts: report.facts.clone(),
            fact_names: report.fact_names.clone(),
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
            input: self.input,
            output: self.output,
            findings: finding::revive(self.findings, codes)?,
            not_built: finding::revive(self.not_built, codes)?
                .into_iter()
                .zip(self.not_built_reasons)
                .map(|(finding, (group, why))| NotBuiltFinding {
                    finding,
                    group,
                    why,
                })
                .collect(),
            suppressed: finding::revive(self.suppressed, codes)?,
            ignored: finding::revive(self.ignored, codes)?,
            outputs: self.outputs,
            kept: self.kept,
            kept_paths: self.kept_paths,
            package_uses: self.package_uses,
            starts: self.starts,
            optional: self.optional,
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
            statements: self.statements,
            withdrawn: self.withdrawn,
            stub: self.stub,
            facts: self.facts,
            fact_names: self.fact_names,
            ..Report::default()
        };
        report.grade(scale);
        Some(report)
    }
}
