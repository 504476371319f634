//! The row of a summary about the packages that the input wants from outside.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use super::row::{by_severity, listed, row, work};
use super::style::DIM;
use super::{Cause, Report};
use crate::diagnostic::PackageAsk;
use crate::mapping::packages::{PackageRelation, Packages};

/// How many packages of one kind are named.
const NAMED: usize = 4;

/// What somebody does about a package.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Step {
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

/// The packages that have to be installed or done without, and the findings of `causes`, which are all about packages.
pub(super) fn outside_packages(
    causes: &[&Cause],
    report: &Report,
    out: &mut dyn Write,
) -> io::Result<()> {
    if causes.is_empty() {
        return Ok(());
    }
    let mut parts: Vec<String> = steps(report)
        .into_iter()
        .map(|(step, names)| format!("{} {}", step.words(), listed(&names, NAMED, ", ")))
        .collect();
    if parts.is_empty() {
        parts.extend(behind_gates(report));
    }
    let findings = causes.iter().flat_map(|cause| &cause.members);
    let findings = findings.filter_map(|&at| report.findings.get(at));
    let count = by_severity(findings.filter(|one| !one.auxiliary));
    let points: usize = causes.iter().map(|cause| cause.points).sum();
    let work = work(points);
    let table = "`torchada check --packages` has them all";
    parts.push(format!("{DIM}{count}{work}; {table}{DIM:#}"));
    row(out, "packages", &parts.join("; "))
}

/// The first thing that is to be done about packages.
pub(super) fn first_step(report: &Report) -> Option<Step> {
    let has_row = report.causes.iter().any(|cause| cause.packages);
    has_row.then(|| steps(report).into_keys().next()).flatten()
}

/// Whether code can't run without a package at one of its places.
fn is_needed(ask: PackageAsk) -> bool {
    match ask {
        PackageAsk::Unguarded | PackageAsk::Lazy | PackageAsk::Required => true,
        PackageAsk::Guarded | PackageAsk::Auxiliary => false,
    }
}

/// The packages that code can do without at all of their places.
fn behind_gates(report: &Report) -> Option<String> {
    let uses = || report.package_uses.iter();
    let needed: BTreeSet<&str> = uses()
        .filter(|one| is_needed(one.ask))
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
        *places.entry(&one.package).or_default() += usize::from(is_needed(one.ask));
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
