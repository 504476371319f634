//! The findings of a report, gathered into the rows of a page.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::read::{Document, Line, ReportedFinding};
use super::sides::{Counterparts, Piece};
use crate::diagnostic::Severity;
use crate::report::causes::Causes;

/// How many further places of a finding are shown.
const PLACES: usize = 200;

/// A line of source in three pieces, the middle one meant.
#[derive(Debug)]
pub(super) struct SourceLine {
    pub(super) before: String,
    pub(super) meant: String,
    pub(super) after: String,
}

impl SourceLine {
    pub(super) fn of(line: &Line) -> Self {
        let cut = |from: usize, to: usize| -> String {
            let letters = line.text.chars().skip(from);
            letters.take(to.saturating_sub(from)).collect()
        };
        Self {
            before: cut(0, line.start).trim_start().to_owned(),
            meant: cut(line.start, line.end),
            after: cut(line.end.max(line.start), usize::MAX),
        }
    }
}

/// Words, and whether they are code: what stands between backticks is.
pub(super) fn words(text: &str) -> Vec<(bool, String)> {
    if text.matches('`').count() % 2 == 1 {
        return vec![(false, text.to_owned())];
    }
    let pieces = text.split('`').enumerate();
    pieces
        .map(|(at, piece)| (at % 2 == 1, piece.to_owned()))
        .filter(|(_, piece)| !piece.is_empty())
        .collect()
}

/// One finding at one or more places of a file.
#[derive(Debug)]
pub(super) struct PageRow {
    pub(super) code: String,
    pub(super) severity: Severity,
    pub(super) path: String,
    /// Where it is first: `12`, or `cell 3:12`.
    pub(super) place: String,
    pub(super) line: usize,
    /// The further places.
    pub(super) others: Vec<(String, Option<SourceLine>)>,
    /// The number of places that are not shown.
    pub(super) more: usize,
    /// The number of all places.
    pub(super) places: usize,
    /// The numbers of the causes of the places, counted from 1, with spaces between them.
    pub(super) causes: String,
    /// The number of places that an older report lacks.
    pub(super) new: usize,
    pub(super) message: Vec<(bool, String)>,
    pub(super) help: Vec<(bool, String)>,
    pub(super) source: Option<SourceLine>,
    /// What the port has in place of the line.
    pub(super) port: Option<Vec<Piece>>,
}

/// The amount of work in a file, a folder or a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Load {
    pub(super) errors: usize,
    pub(super) warnings: usize,
    pub(super) notes: usize,
    pub(super) points: usize,
}

impl Load {
    pub(super) fn add(&mut self, severity: Severity, points: usize) {
        match severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Note => self.notes += 1,
        }
        self.points += points;
    }

    pub(super) fn plus(&mut self, other: &Self) {
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.notes += other.notes;
        self.points += other.points;
    }

    pub(super) fn findings(&self) -> usize {
        self.errors + self.warnings + self.notes
    }
}

/// The amount of work in each file.
#[derive(Debug, Default)]
pub(super) struct Loads<'a> {
    pub(super) all: Load,
    pub(super) files: BTreeMap<&'a str, Load>,
    pub(super) codes: BTreeMap<&'a str, (Load, BTreeSet<&'a str>, Option<Severity>)>,
}

/// Add findings up, each with its points of effort.
pub(super) fn loads<'a>(findings: &'a [ReportedFinding], points: &[usize]) -> Loads<'a> {
    let mut loads = Loads::default();
    for (found, points) in findings.iter().zip(points.iter().copied()) {
        loads.all.add(found.severity, points);
        let file = loads.files.entry(&found.path).or_default();
        file.add(found.severity, points);
        let code = loads.codes.entry(&found.code).or_default();
        code.0.add(found.severity, points);
        code.1.insert(&found.path);
        code.2 = code.2.max(Some(found.severity));
    }
    loads
}

/// The rows: the weightiest first, then by how often their code comes, and by place. `new` says for
/// each finding whether it is new, `causes` has the causes of the findings, and `port` what the port has in their place.
pub(super) fn rows(
    document: &Document,
    new: &[bool],
    causes: &Causes,
    port: &Counterparts<'_>,
) -> Vec<PageRow> {
    let mut cause_of = vec![0; document.findings.len()];
    for (number, cause) in (1..).zip(&causes.all) {
        for &at in &cause.members {
            if let Some(of) = cause_of.get_mut(at) {
                *of = number;
            }
        }
    }
    let mut of_code: BTreeMap<&str, usize> = BTreeMap::new();
    let mut alike: BTreeMap<(&str, &str, &str, Option<&str>), Vec<usize>> = BTreeMap::new();
    for (at, found) in document.findings.iter().enumerate() {
        *of_code.entry(&found.code).or_default() += 1;
        let same_text = (
            &*found.path,
            &*found.code,
            &*found.message,
            found.help.as_deref(),
        );
        alike.entry(same_text).or_default().push(at);
    }
    let mut rows: Vec<PageRow> = alike
        .into_values()
        .filter_map(|places| row(document, &places, new, &cause_of, port))
        .collect();
    rows.sort_by(|a, b| {
        let weight = |row: &PageRow| {
            let count = of_code.get(row.code.as_str()).copied();
            (Reverse(row.severity), Reverse(count))
        };
        (weight(a), &a.code, &a.path, a.line).cmp(&(weight(b), &b.code, &b.path, b.line))
    });
    rows
}

fn row(
    document: &Document,
    places: &[usize],
    new: &[bool],
    cause_of: &[usize],
    port: &Counterparts<'_>,
) -> Option<PageRow> {
    let of = |at: &usize| document.findings.get(*at);
    let first = places.first().and_then(of)?;
    let place = |found: &ReportedFinding| match found.cell {
        Some(cell) => format!("cell {cell}:{}", found.line),
        None => found.line.to_string(),
    };
    let others = places.iter().skip(1).take(PLACES).filter_map(of);
    let source = |found: &ReportedFinding| found.source.as_ref().map(SourceLine::of);
    Some(PageRow {
        code: first.code.clone(),
        severity: first.severity,
        path: first.path.clone(),
        place: place(first),
        line: first.line,
        others: others.map(|found| (place(found), source(found))).collect(),
        more: places.len().saturating_sub(PLACES + 1),
        places: places.len(),
        causes: {
            let causes = places.iter().filter_map(|at| cause_of.get(*at));
            let causes: BTreeSet<&usize> = causes.filter(|cause| **cause > 0).collect();
            let causes: Vec<String> = causes.into_iter().map(ToString::to_string).collect();
            causes.join(" ")
        },
        new: places
            .iter()
            .filter(|at| new.get(**at).copied().unwrap_or(false))
            .count(),
        message: words(&first.message),
        help: words(first.help.as_deref().unwrap_or_default()),
        source: source(first),
        port: port
            .line(&first.path, first.line)
            .filter(|_| first.cell.is_none()),
    })
}
