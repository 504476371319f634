//! Gathers findings by what brings them about, and adds up how much work each cause is.

pub(super) mod key;
mod points;
pub(super) mod rows;
mod title;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::part::Part;
use crate::diagnostic::{Finding, Severity};
use crate::mapping::Tables;
use crate::mapping::causes::CauseTable;
use crate::mapping::effort::Effort;
use key::{CauseKey, Symptom};
use points::points;
use title::{most_frequent, title};

/// Findings that have one cause.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Cause {
    /// What is the matter.
    pub title: String,
    /// The weightiest severity among the findings; those in auxiliary code count only where there are no others.
    pub severity: Severity,
    /// The codes of the findings, in their order.
    pub codes: Vec<String>,
    /// What to do about it: the advice that most of the findings have.
    pub help: Option<String>,
    /// The option that remedies the findings, if there is one.
    pub remedy: Option<String>,
    /// The points of effort of the findings outside auxiliary code.
    pub points: usize,
    /// How many of the findings are in tests, benchmarks, examples, documentation and CI.
    pub auxiliary: usize,
    /// Whether one of the findings is an error that stops the start of the program.
    pub at_start: bool,
    /// The number of files with findings of the cause.
    pub files: usize,
    /// Whether the findings are about packages from outside.
    pub packages: bool,
    /// The places of the findings in the list that was gathered, counted from 0.
    #[serde(rename = "findings")]
    pub members: Vec<usize>,
}

impl Cause {
    /// Whether all its findings are in tests, benchmarks, examples, documentation and CI.
    pub(super) fn is_auxiliary(&self) -> bool {
        self.auxiliary == self.members.len()
    }
}

/// The causes of a list of findings.
#[derive(Debug, Default)]
pub(super) struct Causes {
    /// The causes: those first that stop the start on MUSA, then those that stop a build, then other errors, then by work;
    /// those of auxiliary code alone come last.
    pub(super) all: Vec<Cause>,
    /// For each finding its points of effort.
    pub(super) points: Vec<usize>,
}

impl Causes {
    /// The causes of `findings`, which are sorted.
    pub(super) fn of_findings(findings: &[Finding], scale: &Effort) -> Self {
        let meant: Vec<Option<String>> = findings.iter().map(source_part).collect();
        let symptoms: Vec<Symptom<'_>> = findings
            .iter()
            .zip(&meant)
            .map(|(finding, meant)| Symptom {
                code: finding.code.id,
                title: finding.code.title,
                severity: finding.code.severity,
                path: &finding.path,
                message: &finding.message,
                help: finding.help.as_deref(),
                source: finding
                    .source
                    .as_deref()
                    .zip(meant.as_deref())
                    .map(|(line, meant)| (&*line.text, meant)),
                auxiliary: finding.auxiliary,
                at_start: finding.at_start,
            })
            .collect();
        Self::of(&symptoms, scale)
    }

    /// The causes of findings in the order of a report.
    pub(super) fn of(symptoms: &[Symptom<'_>], scale: &Effort) -> Self {
        let points = points(symptoms, scale);
        let mut keys: BTreeMap<CauseKey<'_>, Vec<usize>> = BTreeMap::new();
        for (at, symptom) in symptoms.iter().enumerate() {
            keys.entry(CauseKey::of(symptom)).or_default().push(at);
        }
        let mut all: Vec<Cause> = keys
            .into_iter()
            .map(|(key, members)| cause(&key, members, symptoms, &points))
            .collect();
        all.sort_by(|a, b| {
            let weight = |one: &Cause| {
                let count = one.members.len();
                let stops = one.severity == Severity::Error;
                let of = || one.members.iter().filter_map(|at| symptoms.get(*at));
                let is_of_build = |one: &Symptom<'_>| Part::of(one.code, one.path) == Part::Build;
                let stops_build = stops && of().any(is_of_build);
                let stops = (one.at_start, stops_build, stops);
                let first = Reverse((!one.is_auxiliary(), stops, one.points));
                (first, Reverse(one.severity), Reverse(count))
            };
            (weight(a), &a.members).cmp(&(weight(b), &b.members))
        });
        Self { all, points }
    }
}

/// The part of the line of source that a finding is about.
fn source_part(finding: &Finding) -> Option<String> {
    let line = finding.source.as_deref()?;
    let letters = line.text.chars().skip(line.meant.start);
    Some(letters.take(line.meant.len()).collect())
}

fn cause(
    key: &CauseKey<'_>,
    members: Vec<usize>,
    symptoms: &[Symptom<'_>],
    points: &[usize],
) -> Cause {
    let of = || members.iter().filter_map(|at| symptoms.get(*at));
    let codes: BTreeSet<&str> = of().map(|one| one.code).collect();
    let files: BTreeSet<&str> = of().map(|one| one.path).collect();
    let auxiliary = of().filter(|one| one.auxiliary).count();
    let is_counted = |one: &&Symptom<'_>| !one.auxiliary || auxiliary == members.len();
    let severity = of().filter(is_counted).map(|one| one.severity).max();
    let own = members
        .iter()
        .filter(|&&at| symptoms.get(at).is_some_and(|one| !one.auxiliary));
    let table = CauseTable::builtin();
    let row = codes.iter().find_map(|code| table.row(code));
    Cause {
        title: title(key, of, row.and_then(|row| row.title.as_deref())),
        help: most_frequent(of().filter_map(|one| one.help)).map(str::to_owned),
        remedy: target_without(&codes),
        codes: codes.into_iter().map(str::to_owned).collect(),
        severity: severity.unwrap_or(Severity::Note),
        points: own.filter_map(|&at| points.get(at)).sum(),
        auxiliary,
        at_start: of().any(|one| one.at_start && !one.auxiliary),
        files: files.len(),
        packages: row.is_some_and(|row| row.packages),
        members,
    }
}

/// The GPU generations that findings of a code concern, where it is a hazard's.
pub(super) fn targets(code: &str) -> Vec<&'static str> {
    let tables = Tables::builtin();
    let mut hazards = tables.hazards().iter();
    let row = hazards.find(|row| row.code.as_deref() == Some(code));
    row.map_or_else(Vec::new, |row| match row.targets.as_slice() {
        [] => tables.targets().iter().map(|one| &*one.name).collect(),
        some => some.iter().map(|one| &**one).collect(),
    })
}

/// The option that names the first GPU after those that hazards of these codes concern.
fn target_without(codes: &BTreeSet<&str>) -> Option<String> {
    let concerned: Vec<Vec<&str>> = codes.iter().map(|code| targets(code)).collect();
    if concerned.iter().any(Vec::is_empty) {
        return None;
    }
    let all = Tables::builtin().targets();
    let is_concerned = |name: &str| concerned.iter().flatten().any(|one| *one == name);
    let last = all.iter().rposition(|target| is_concerned(&target.name))?;
    let next = all.get(last + 1)?;
    Some(format!("--target {}", next.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symptom<'a>(code: &'a str, name: &'a str, message: &'a str, line: &'a str) -> Symptom<'a> {
        Symptom {
            code,
            title: "the title",
            severity: Severity::Error,
            path: line,
            message,
            help: None,
            source: Some((line, name)),
            auxiliary: false,
            at_start: false,
        }
    }

    fn titles(symptoms: &[Symptom<'_>]) -> Vec<(String, usize)> {
        let causes = Causes::of(symptoms, Effort::builtin());
        let all = causes.all.iter();
        all.map(|one| (one.title.clone(), one.members.len()))
            .collect()
    }

    #[test]
    fn names_of_a_library_of_which_nothing_is_known_are_one_cause_and_others_are_many() {
        let all = [
            symptom(
                "CPP002",
                "cudnnCreateTensorDescriptor",
                "no `cudnnCreateTensorDescriptor`",
                "a",
            ),
            symptom(
                "CPP002",
                "cudnnSetTensor4dDescriptor",
                "no `cudnnSetTensor4dDescriptor`",
                "b",
            ),
            symptom("CPP001", "coalesced_threads", "no `coalesced_threads`", "c"),
            symptom("CPP001", "fdividef", "no `fdividef`", "d"),
            symptom("CPP001", "fdividef", "no `fdividef`", "e"),
        ];
        assert_eq!(
            titles(&all),
            [
                (
                    "cuDNN: the title: `cudnnCreateTensorDescriptor`, `cudnnSetTensor4dDescriptor`"
                        .to_owned(),
                    2
                ),
                ("no `fdividef`".to_owned(), 2),
                ("no `coalesced_threads`".to_owned(), 1),
            ]
        );
    }

    #[test]
    fn names_of_a_namespace_of_which_no_table_lists_them_are_one_cause_and_each_is_looked_up_once()
    {
        let name = |name, message, line| symptom("CPP003", name, message, line);
        let all = [
            name("cuda::std::get", "`cuda::std::get` was renamed", "a"),
            name("cuda::std::get", "`cuda::std::get` was renamed", "b"),
            name("cuda::std::tie", "`cuda::std::tie` was renamed", "c"),
            name("alias::tie", "`cuda::std::tie` was renamed", "d"),
        ];
        let causes = Causes::of(&all, Effort::builtin());
        assert_eq!(causes.points, [1, 0, 1, 0]);
        let title = "the title: `cuda::std::get`, `cuda::std::tie`";
        assert_eq!(titles(&all), [(title.to_owned(), 4)]);
    }

    #[test]
    fn an_option_that_leaves_all_findings_of_a_cause_out_is_named() {
        let all = [symptom("CPP111", "__shfl_sync", "`__shfl_sync`", "a")];
        let causes = Causes::of(&all, Effort::builtin());
        let remedy = causes.all.first().and_then(|one| one.remedy.as_deref());
        assert_eq!(remedy, Some("--target mp_31"));
    }

    #[test]
    fn the_same_line_in_another_file_is_no_further_work() {
        let line = "#include <cooperative_groups/reduce.h>";
        let header = "cooperative_groups/reduce.h";
        let one = symptom("CPP010", header, "no header", line);
        let all = [one, Symptom { path: "b.h", ..one }];
        let points = Causes::of(&all, Effort::builtin()).points;
        assert!(
            points.first() > Some(&0) && points.get(1) == Some(&0),
            "{points:?}"
        );
    }

    #[test]
    fn instructions_with_the_same_advice_are_one_cause_and_each_is_work() {
        let one = symptom("CPP101", "x", "`multimem.red`", "a");
        let advice = |help, one| Symptom {
            help: Some(help),
            ..one
        };
        let all = [
            advice("use MCCL", one),
            advice("wait", symptom("CPP101", "x", "`bar.sync`", "b")),
            advice("use MCCL", symptom("CPP101", "x", "`multimem.st`", "c")),
        ];
        let causes = Causes::of(&all, Effort::builtin());
        let members: Vec<_> = causes.all.iter().map(|one| one.members.clone()).collect();
        assert_eq!(members, [vec![0, 2], vec![1]]);
        assert!(
            causes
                .points
                .iter()
                .all(|points| *points == causes.points[0])
        );
    }

    #[test]
    fn what_one_act_settles_is_no_further_work() {
        let help = Some("configure with another compiler");
        let one = symptom("BLD046", "a", "`a` is compiled", "add_executable(a a.cu)");
        let all = [
            Symptom { help, ..one },
            Symptom {
                help,
                ..symptom("BLD046", "b", "`b` is compiled", "add_executable(b b.cu)")
            },
        ];
        let points = Causes::of(&all, Effort::builtin()).points;
        assert!(
            points.first() > Some(&0) && points.get(1) == Some(&0),
            "{points:?}"
        );
    }
}
