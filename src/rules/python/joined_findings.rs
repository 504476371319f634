//! Findings of a module that say the same become one, which names the lines of all.

use std::collections::BTreeMap;

use super::PythonUnit;
use crate::Outcome;
use torchada_diagnostic::{Code, Finding, KeptReason};
use torchada_mapping::causes::CauseTable;
use torchada_text::first_of;

/// How many lines a finding names.
const NAMED: usize = 4;

/// The places of findings that were joined.
pub struct Places {
    /// How many findings there were.
    pub count: usize,
    /// Their lines; empty in a notebook, whose cells count their own.
    lines: Vec<usize>,
}

impl Places {
    /// The places of some findings, which are sorted.
    pub fn of(unit: &PythonUnit<'_>, findings: &[Finding]) -> Self {
        let is_notebook = unit.context.knowledge.embedded.notebook.has(unit.path);
        let places = Self::in_file(findings);
        Self {
            lines: if is_notebook {
                Vec::new()
            } else {
                places.lines
            },
            ..places
        }
    }

    /// The places of some findings, which are sorted, with the lines in the file itself.
    fn in_file(findings: &[Finding]) -> Self {
        let mut lines: Vec<usize> = findings.iter().map(|one| one.start.line).collect();
        lines.dedup();
        Self {
            count: findings.len(),
            lines,
        }
    }

    /// `lines 3, 17, 40, 41 and 6 more`; empty where there is one line only.
    pub fn shown(&self) -> String {
        if self.lines.len() < 2 {
            return String::new();
        }
        let shown: Vec<String> = self.lines.iter().map(usize::to_string).collect();
        format!("lines {}", first_of(&shown, NAMED))
    }

    /// ` (7 uses: lines 3, 17, 40, 41 and 6 more)`; empty for one use.
    pub fn uses(&self) -> String {
        match (self.count, self.shown()) {
            (0 | 1, _) => String::new(),
            (count, lines) if lines.is_empty() => format!(" ({count} uses)"),
            (count, lines) => format!(" ({count} uses: {lines})"),
        }
    }
}

/// Join the findings of a module that say the same, as far as the table of causes wants that of their codes.
pub fn join_alike(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let joined = &CauseTable::builtin().joined;
    let codes: BTreeMap<&str, Code> = out
        .findings
        .iter()
        .filter(|one| joined.iter().any(|id| id == one.code.id))
        .map(|one| (one.code.id, one.code))
        .collect();
    for code in codes.into_values() {
        let key = |one: &Finding| one.message.clone();
        join(unit, out, 0, code, key, |first, places| Finding {
            message: first.message.clone() + &places.uses(),
            ..first
        });
    }
}

/// Join the findings of a file of settings that say the same, in the order of their first places.
pub fn join_settings(findings: Vec<Finding>) -> Vec<Finding> {
    let mut alike: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        alike
            .entry(finding.message.clone())
            .or_default()
            .push(finding);
    }
    let mut joined: Vec<Finding> = Vec::new();
    for findings in alike.into_values() {
        let places = Places::in_file(&findings);
        joined.extend(findings.into_iter().next().map(|first| Finding {
            message: first.message.clone() + &places.uses(),
            ..first
        }));
    }
    joined.sort_by_key(|one| (one.range.start, one.range.end));
    joined
}

/// Join the findings of a code from the place `from` of the list on: those with the same `key` become the first of them,
/// as `say` has it. The other places stay in the report as spoken of beside the first.
pub fn join(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    from: usize,
    code: Code,
    key: impl Fn(&Finding) -> String,
    say: impl Fn(Finding, &Places) -> Finding,
) {
    let mut alike: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for finding in out.findings.split_off(from.min(out.findings.len())) {
        if finding.code == code {
            alike.entry(key(&finding)).or_default().push(finding);
        } else {
            out.report(finding);
        }
    }
    for mut findings in alike.into_values() {
        findings.sort_by_key(|one| (one.range.start, one.range.end));
        let places = Places::of(unit, &findings);
        let mut findings = findings.into_iter();
        let Some(first) = findings.next() else {
            continue;
        };
        let reported = first.range;
        out.report(say(first, &places));
        for other in findings {
            // What an edit covers speaks for itself.
            if other.range != reported && !out.edits.touches(other.range) {
                out.keep(other.range, KeptReason::NamedBeside);
            }
        }
    }
}
