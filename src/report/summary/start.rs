//! The row of a summary that says whether the input starts on MUSA.

use std::cmp::Reverse;
use std::io::{self, Write};

use crate::diagnostic::codes::python::{HOST_TAKEN, ONLY_BY_PACKAGE};
use crate::diagnostic::{Finding, Severity};
use crate::mapping::python::INIT;
use crate::report::Report;
use crate::report::format::plain::one_line;
use crate::report::format::row::{listed, place, row};
use crate::report::format::style;
use crate::report::format::style::DIM;
use crate::report::part::Part;
use crate::text::counted;

/// What the summary says of programs of Python's beside which no package lies.
const NO_START: &str =
    "not looked at: no folder here is a package of Python's whose import could be followed";

/// How many starts, and how many places, are named.
const NAMED: usize = 2;

/// Whether what starts with the input does so on MUSA, and where the errors are that stop it, or stop other parts.
pub(in crate::report) fn start(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if report.starts.is_empty() {
        return match report.files.python {
            0 => Ok(()),
            _ => row(out, "starts", NO_START),
        };
    }
    let errors = || {
        let own = report.findings.iter().filter(|one| !one.auxiliary);
        own.filter(|one| one.code.severity == Severity::Error)
    };
    let at_start: Vec<&Finding> = errors().filter(|one| one.at_start).collect();
    if !at_start.is_empty() {
        let red = style::severity(Severity::Error);
        let count = counted(at_start.len(), "error");
        let places = at_start.iter().map(|one| place(one));
        let places = listed(&places.collect::<Vec<_>>(), NAMED, " and ");
        let text =
            format!("on MUSA {red}{count}{red:#} would stop the start {DIM}({places}){DIM:#}");
        let text = format!("{text}{}", host_taken(report, "and"));
        return row(out, "starts", &text);
    }
    let names: Vec<String> = starts(report).into_iter().map(imported).collect();
    let names = listed(&names, NAMED, " and ");
    let counts = Part::ALL.iter().filter_map(|&part| {
        let is_of_part = |one: &&Finding| Part::of(one.code.id, &one.path) == part;
        let count = errors().filter(is_of_part).count();
        (count > 0).then(|| format!("{count} in {}", part.words()))
    });
    let counts = counts.collect::<Vec<_>>().join(", ");
    let mut text = format!(
        "nothing that was found stops {names} on MUSA{}",
        host_taken(report, "but")
    );
    if !counts.is_empty() {
        text = format!("{text}; errors stop parts of it: {counts}");
    }
    row(out, "starts", &text)
}

/// How a package is loaded: by its name, or from its file where its folder has no name for an import. A program loads its
/// plugins so, whatever their folders are called.
fn imported(name: &str) -> String {
    let is_name = name.chars().all(|one| one.is_alphanumeric() || one == '_')
        && !name.starts_with(|first: char| first.is_ascii_digit());
    let name = one_line(name);
    if is_name {
        format!("`import {name}`")
    } else {
        format!("`{name}/{INIT}`")
    }
}

/// Whether a code says that the CPU does the work on MUSA.
pub(in crate::report) fn is_left_to_host(code: &str) -> bool {
    [HOST_TAKEN.id, ONLY_BY_PACKAGE.id].contains(&code)
}

/// Where the CPU is taken for the device, and where a build is one for the CPU, in words that go on with a sentence; empty
/// where neither was found. `but` begins them.
fn host_taken(report: &Report, but: &str) -> String {
    let red = style::severity(Severity::Error);
    let mut parts = Vec::new();
    for (what, is_of_build) in [
        ("the CPU is taken for the device", false),
        ("the build is one for the CPU", true),
    ] {
        let own = report.findings.iter().filter(|one| !one.auxiliary);
        let taken = own.filter(|one| {
            let is_build = Part::of(one.code.id, &one.path) == Part::Build;
            one.code.id == HOST_TAKEN.id && is_build == is_of_build
        });
        let places: Vec<String> = taken.map(place).collect();
        if !places.is_empty() {
            let places = listed(&places, NAMED, " and ");
            parts.push(format!("{red}{what}{red:#} {DIM}({places}){DIM:#}"));
        }
    }
    let own = report.findings.iter().filter(|one| !one.auxiliary);
    let by_package = own.filter(|one| one.code.id == ONLY_BY_PACKAGE.id);
    parts.extend(by_package.take(1).map(|one| {
        let message = one_line(&one.message);
        format!("{red}{message}{red:#} {DIM}({}){DIM:#}", place(one))
    }));
    if parts.is_empty() {
        return String::new();
    }
    format!(", {but} {}", parts.join(" and "))
}

/// The packages that start, those first of which a start loads most.
pub(in crate::report) fn starts(report: &Report) -> Vec<&str> {
    let mut names: Vec<(&str, usize)> = report
        .starts
        .iter()
        .map(|(name, count)| (name.as_str(), *count))
        .collect();
    names.sort_by_key(|(name, count)| (Reverse(*count), *name));
    names.into_iter().map(|(name, _)| name).collect()
}
