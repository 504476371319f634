//! The row of a summary about the packages that the input wants from outside.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use crate::diagnostic::{PackageNeed, Severity};
use crate::mapping::python::packages::{PackageRelation, Packages};
use crate::report::format::row::{by_severity, listed, row, work};
use crate::report::format::style::DIM;
use crate::report::{Cause, Report};

/// How many packages of one kind are named.
const NAMED: usize = 6;

/// What somebody does about a package.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Step {
    /// Installs its build for MUSA, or what MUSA has in its place.
    Install,
    /// Ports it, or leaves out what needs it.
    Port,
    /// Leaves out what needs it.
    LeaveOut,
}

impl Step {
    fn about(relation: PackageRelation) -> Option<Self> {
        match relation {
            PackageRelation::Twin | PackageRelation::Renamed => Some(Self::Install),
            PackageRelation::Kernels => Some(Self::Port),
            PackageRelation::None => Some(Self::LeaveOut),
            PackageRelation::Triton => None,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Install => "install for MUSA",
            Self::Port => "port or leave out",
            Self::LeaveOut => "do without",
        }
    }
}

/// The packages that have to be installed or done without, and the findings of `causes`, which are all about packages and
/// stop nothing. Where Python asks for none, the row says so.
pub(in crate::report) fn outside_packages(
    causes: &[&Cause],
    report: &Report,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut parts: Vec<String> = steps(report)
        .into_iter()
        .map(|(step, names)| format!("{} {}", step.words(), listed(&names, NAMED, ", ")))
        .collect();
    parts.extend(behind_gates(report));
    if causes.is_empty() && parts.is_empty() {
        return match report.files.python {
            0 => Ok(()),
            _ => row(
                out,
                "packages",
                "none that was found is made for NVIDIA's GPUs",
            ),
        };
    }
    let findings = causes.iter().flat_map(|cause| &cause.members);
    let findings = findings.filter_map(|&at| report.findings.get(at));
    let count = by_severity(findings.filter(|one| !one.auxiliary));
    let points: usize = causes.iter().map(|cause| cause.points).sum();
    let work = work(points);
    let table = "`torchada check --packages` has them all";
    let counts = [format!("{count}{work}"), table.to_owned()];
    let counts: Vec<&str> = counts
        .iter()
        .map(String::as_str)
        .filter(|one| !one.is_empty())
        .collect();
    parts.push(format!("{DIM}{}{DIM:#}", counts.join("; ")));
    row(out, "packages", &parts.join("; "))
}

/// What is to be done about packages before the first run, in words that go on with a sentence; empty where nothing is.
pub(in crate::report) fn before_run(report: &Report) -> &'static str {
    let mut causes = report.causes.iter().filter(|one| !one.is_auxiliary());
    let is_work = |cause: &Cause| cause.packages && cause.severity > Severity::Note;
    match steps(report).into_keys().next() {
        Some(Step::Install) => "install the packages above, ",
        Some(Step::Port | Step::LeaveOut) => "decide about the packages above, ",
        None if causes.any(is_work) => "see to the packages above, ",
        None => "",
    }
}

/// Whether code can't run without a package at one of its places.
fn is_needed(need: PackageNeed) -> bool {
    match need {
        PackageNeed::Unguarded | PackageNeed::Lazy | PackageNeed::Required => true,
        PackageNeed::Guarded | PackageNeed::Auxiliary => false,
    }
}

/// The packages that code can do without at all of their places.
fn behind_gates(report: &Report) -> Option<String> {
    let uses = || report.package_uses.iter();
    let needed: BTreeSet<&str> = uses()
        .filter(|one| is_needed(one.need))
        .map(|one| one.package.as_str())
        .collect();
    let names: BTreeSet<&str> = uses().map(|one| one.package.as_str()).collect();
    let names = names.difference(&needed);
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| format!("runs without {}", listed(&names, NAMED, ", ")))
}

/// What is to be done about the packages that some code of the input needs, those first that most places ask for.
fn steps(report: &Report) -> BTreeMap<Step, Vec<String>> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for one in &report.package_uses {
        *places.entry(&one.package).or_default() += usize::from(is_needed(one.need));
    }
    let mut places: Vec<(&str, usize)> =
        places.into_iter().filter(|(_, count)| *count > 0).collect();
    places.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    let mut steps: BTreeMap<Step, Vec<String>> = BTreeMap::new();
    for (name, _) in places {
        let Some(package) = Packages::builtin().named(name) else {
            continue;
        };
        let Some(step) = Step::about(package.relation) else {
            continue;
        };
        let shown = match package.install.as_ref().or(package.to.as_ref()) {
            Some(to) => format!("`{to}` for `{name}`"),
            None => format!("`{name}`"),
        };
        steps.entry(step).or_default().push(shown);
    }
    steps
}
