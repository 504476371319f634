//! The row of a summary that says whether the input starts on MUSA.

use std::cmp::Reverse;
use std::io::{self, Write};

use super::Report;
use super::part::Part;
use super::plain::one_line;
use super::row::{counted, row};
use super::style::{self, DIM};
use crate::diagnostic::{Finding, Severity};

/// How many starts, and how many places, are named.
const NAMED: usize = 2;

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
    let counts = Part::ALL.iter().filter_map(|&part| {
        let is_of_part = |one: &&Finding| Part::of(one.code.id, &one.path) == part;
        let count = errors().filter(is_of_part).count();
        (count > 0).then(|| format!("{count} in {}", part.words()))
    });
    let counts = counts.collect::<Vec<_>>().join(", ");
    let mut text = format!("nothing that was found stops {names} on MUSA");
    if !counts.is_empty() {
        text = format!("{text}; errors stop parts of it: {counts}");
    }
    row(out, "starts", &text)
}

/// The packages that start, those first of which a start loads most.
pub(super) fn starts(report: &Report) -> Vec<&str> {
    let mut names: Vec<(&str, usize)> = report
        .starts
        .iter()
        .map(|(name, count)| (name.as_str(), *count))
        .collect();
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
