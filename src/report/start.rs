//! The row of a summary that says whether the input starts on MUSA.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use super::Report;
use super::about_build::is_about_build;
use super::plain::one_line;
use super::row::{counted, row};
use super::style::{self, DIM};
use crate::diagnostic::{Finding, Severity};

/// How many starts, and how many places, are named.
const NAMED: usize = 2;

/// The parts of an input, in the order of the row.
const PARTS: [&str; 3] = ["the build", "Python", "C++ and CUDA"];

/// The part that a finding is about, by its place in [`PARTS`].
fn part(finding: &Finding) -> usize {
    match finding.code.id {
        code if is_about_build(code, &finding.path) => 0,
        code if code.starts_with("PY") => 1,
        _ => 2,
    }
}

/// Whether what starts with the input does so on MUSA, and where the errors are that stop it, or stop other parts.
pub(super) fn start(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if report.starts.is_empty() {
        return Ok(());
    }
    let errors = || {
        let own = report.findings.iter().filter(|one| !one.auxiliary);
        own.filter(|one| one.code.severity == Severity::Error)
    };
    let at_start: Vec<&Finding> = errors().filter(|one| one.at_start).collect();
    if !at_start.is_empty() {
        let red = style::severity(Severity::Error);
        let count = counted(at_start.len(), "error");
        let place = |one: &&Finding| format!("{}:{}", one_line(&one.path), one.start.line);
        let places = listed(&at_start.iter().map(place).collect::<Vec<_>>(), "and");
        let text =
            format!("on MUSA {red}{count}{red:#} would stop the start {DIM}({places}){DIM:#}");
        return row(out, "starts", &text);
    }
    let names: Vec<String> = starts(report)
        .into_iter()
        .map(|name| format!("`import {}`", one_line(name)))
        .collect();
    let names = listed(&names, "and");
    let mut counts = [0; PARTS.len()];
    for finding in errors() {
        counts[part(finding)] += 1;
    }
    let counts = counts.iter().zip(PARTS).filter(|(count, _)| **count > 0);
    let counts: Vec<String> = counts
        .map(|(count, part)| format!("{count} in {part}"))
        .collect();
    let counts = counts.join(", ");
    let mut text = format!("nothing that was found stops {names} on MUSA");
    if !counts.is_empty() {
        text = format!("{text}; errors stop parts of it: {counts}");
    }
    row(out, "starts", &text)
}

/// The packages that start, those first with most starts.
fn starts(report: &Report) -> Vec<&str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in &report.starts {
        *counts.entry(name).or_default() += 1;
    }
    let mut names: Vec<(&str, usize)> = counts.into_iter().collect();
    names.sort_by_key(|(name, count)| (Reverse(*count), *name));
    names.into_iter().map(|(name, _)| name).collect()
}

/// The first few of some names, and how many more there are.
pub(super) fn listed(names: &[String], last: &str) -> String {
    let shown: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
    match (names.len(), shown.as_slice()) {
        (count, _) if count > NAMED => {
            format!("{} {last} {} more", shown.join(", "), count - NAMED)
        }
        (_, [one, two]) => format!("{one} {last} {two}"),
        _ => shown.join(", "),
    }
}
