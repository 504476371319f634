//! The data of a page, in the order in which the page shows it.

use std::cmp::Reverse;
use std::fmt::Display;

use askama::Template;

use super::causes::{CauseRow, cause_rows, causes};
use super::lists::{FileRow, HazardRow, RuleRow, files, hazards, rules, targets};
use super::map::{FolderRow, common_folder, folders};
use super::read::{Document, FactsRow, NotBuiltGroup, ReportedFinding, Statement};
use super::rows::{Load, PageRow, loads, rows, words};
use super::shares::{BarSegment, Level, levels, segments, vendored, with_libraries};
use super::sides::{Counterparts, SidesOfFile, shown};
use super::trend::Trend;
use crate::diagnostic::Severity;
use crate::mapping::effort::Effort;

/// How many rows of findings are shown at once where a script runs.
const AT_ONCE: usize = 100;

/// The page.
#[derive(Template)]
#[template(path = "page.html")]
pub(super) struct Page<'p> {
    style: &'static str,
    script: &'static str,
    input: String,
    output: Option<String>,
    version: String,
    /// How many of the places that had to change are done, in percent; `None` where there are none.
    done: Option<usize>,
    translated: usize,
    open: usize,
    /// How much is done of all, with what stays in libraries that are left whole, in percent, and how many
    /// references these have.
    with_libraries: Option<(usize, usize)>,
    load: Load,
    segments: Vec<BarSegment>,
    grades: Vec<Graded>,
    counts: Vec<(&'static str, String)>,
    compared: Option<EarlierReport>,
    folders: Vec<FolderRow>,
    files: Vec<FileRow>,
    causes: Vec<CauseRow>,
    rules: Vec<RuleRow>,
    rows: Vec<PageRow>,
    at_once: usize,
    targets: Vec<String>,
    hazards: Vec<HazardRow>,
    levels: Vec<Level>,
    kept: Vec<(String, usize)>,
    /// The folders of libraries that are left whole, with the references that stay in them.
    vendored: Vec<(String, usize)>,
    left: Vec<(String, String)>,
    statements: Vec<(String, Vec<Statement>)>,
    /// What the port changed, beside the original, and how many files are left out of that.
    sides: Vec<&'p SidesOfFile>,
    sides_left_out: usize,
    not_built: Vec<NotBuiltGroup>,
    not_built_files: Vec<NotBuiltFile>,
    suppressed: usize,
    facts: Option<String>,
}

/// Which facts a port rests on, in words.
fn facts(used: &FactsRow) -> String {
    let sdk = used.sdk.as_deref().unwrap_or("of no known release");
    let torch_musa = used.torch_musa.as_deref();
    let torch_musa = torch_musa.map_or(String::new(), |release| format!(", torch_musa {release}"));
    format!(
        "{} names rest on what {} says of MUSA SDK {sdk}{torch_musa}",
        used.names, used.file
    )
}

/// How many files have a grade of effort.
struct Graded {
    name: String,
    class: String,
    meaning: String,
    files: usize,
}

/// A file that no build for MUSA compiles, and what was found in it.
struct NotBuiltFile {
    path: String,
    why: Vec<(bool, String)>,
    errors: usize,
    warnings: usize,
    notes: usize,
}

/// The figures of an older report, to compare with.
struct EarlierReport {
    new: usize,
    gone: usize,
    same: usize,
    points: usize,
    change: String,
    lost: Vec<GoneFinding>,
}

/// A finding that is gone.
struct GoneFinding {
    code: String,
    severity: Severity,
    path: String,
    message: Vec<(bool, String)>,
}

impl<'p> Page<'p> {
    /// The page of a report, with what became of an older one.
    pub(super) fn new(
        document: &Document,
        before: Option<(&Document, &Trend)>,
        sides: &'p [SidesOfFile],
        scale: &'static Effort,
    ) -> Self {
        let causes = causes(document, scale);
        let loads = loads(&document.findings, &causes.points);
        let new = before.map_or(&[][..], |(_, trend)| &trend.new);
        let references = &document.summary.references;
        let translated = references.translated();
        let open = loads.all.errors + loads.all.warnings;
        let files = files(&loads, scale);
        let targets = targets(document);
        let shown = shown(sides, scale);
        Self {
            style: include_str!("page.css"),
            script: include_str!("page.js"),
            input: name(document),
            output: document.output.clone(),
            version: document.tool.version.clone(),
            done: (translated * 100).checked_div(translated + open),
            translated,
            open,
            with_libraries: with_libraries(document, translated, open),
            load: loads.all.clone(),
            segments: segments(document, &loads.all),
            grades: scale
                .grades()
                .iter()
                .rev()
                .map(|grade| Graded {
                    name: grade.name.clone(),
                    class: grade.name.replace(' ', "-"),
                    meaning: grade.meaning.clone(),
                    files: files.iter().filter(|file| file.grade == grade.name).count(),
                })
                .collect(),
            counts: counts(document),
            compared: before.map(|(old, trend)| compared(&loads.all, old, trend, scale)),
            folders: folders(&files, loads.all.points),
            files,
            causes: cause_rows(&causes),
            rules: rules(document, &loads),
            rows: rows(document, new, &causes, &Counterparts::of(sides)),
            at_once: AT_ONCE,
            hazards: hazards(document, &targets),
            targets,
            levels: levels(document, scale),
            kept: kept_counts(document),
            vendored: vendored(document),
            left: document
                .kept_paths
                .iter()
                .map(|kept| (kept.path.clone(), kept.reason.replace('-', " ")))
                .collect(),
            statements: statements(document),
            sides: shown.0,
            sides_left_out: shown.1,
            not_built: document.summary.not_built.clone(),
            not_built_files: not_built(document),
            suppressed: document.summary.suppressed.values().sum(),
            facts: document.facts.as_ref().map(facts),
        }
    }

    /// A number with its thousands apart.
    fn grouped(number: impl Display) -> String {
        let digits = number.to_string();
        let mut text = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                text.push('\u{202f}');
            }
            text.push(digit);
        }
        text
    }
}

/// What the page is called: a check may be of several paths, and names none.
fn name(document: &Document) -> String {
    let here = document.input == ".";
    let all = document.findings.iter().map(|found| found.path.as_str());
    let folder = common_folder(all);
    let folder = folder.trim_end_matches('/');
    match folder {
        "" => document.input.clone(),
        folder if here => folder.to_owned(),
        _ => document.input.clone(),
    }
}

fn counts(document: &Document) -> Vec<(&'static str, String)> {
    let files = &document.summary.files;
    let mut counts = vec![
        ("files seen", files.seen),
        ("ported", files.ported),
        ("copied as they are", files.copied),
        ("renamed", files.renamed),
    ];
    if files.failed > 0 {
        counts.push(("failed", files.failed));
    }
    let counts = counts.into_iter();
    counts
        .map(|(name, count)| (name, Page::grouped(count)))
        .collect()
}

fn compared(now: &Load, old: &Document, trend: &Trend, scale: &Effort) -> EarlierReport {
    let points: usize = causes(old, scale).points.iter().sum();
    let change = if now.points <= points {
        format!("−{}", Page::grouped(points - now.points))
    } else {
        format!("+{}", Page::grouped(now.points - points))
    };
    let lost = trend.gone.iter().filter_map(|at| old.findings.get(*at));
    EarlierReport {
        new: trend.new.iter().filter(|new| **new).count(),
        gone: trend.gone.len(),
        same: trend.same,
        points,
        change,
        lost: lost
            .map(|found| GoneFinding {
                code: found.code.clone(),
                severity: found.severity,
                path: found.path.clone(),
                message: words(&found.message),
            })
            .collect(),
    }
}

/// The statements of each file. A report is sorted by files.
fn statements(document: &Document) -> Vec<(String, Vec<Statement>)> {
    let files = document.statements.chunk_by(|a, b| a.path == b.path);
    files
        .filter_map(|file| Some((file.first()?.path.clone(), file.to_vec())))
        .collect()
}

/// The files that no build for MUSA compiles. A report is sorted by files.
fn not_built(document: &Document) -> Vec<NotBuiltFile> {
    let files = document.not_built.chunk_by(|a, b| a.path == b.path);
    files
        .filter_map(|file| {
            let first = file.first()?;
            let of = |severity| {
                let found = file.iter();
                found
                    .filter(|one: &&ReportedFinding| one.severity == severity)
                    .count()
            };
            Some(NotBuiltFile {
                path: first.path.clone(),
                why: words(&first.why),
                errors: of(Severity::Error),
                warnings: of(Severity::Warning),
                notes: of(Severity::Note),
            })
        })
        .collect()
}

fn kept_counts(document: &Document) -> Vec<(String, usize)> {
    let mut kept: Vec<(String, usize)> = document
        .summary
        .kept
        .iter()
        .map(|(reason, count)| (reason.replace('-', " "), *count))
        .collect();
    kept.sort_by_key(|(_, count)| Reverse(*count));
    kept
}
