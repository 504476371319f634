//! What a page shows, in the order in which it shows it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Display;

use askama::Template;

use super::map::{Folder, common_folder, folders};
use super::read::Document;
use super::rows::{Load, Loads, Row, loads, rows, words};
use super::trend::Trend;
use crate::diagnostic::Severity;
use crate::mapping::effort::Effort;

/// How many rows of findings are shown at once where a script runs.
const AT_ONCE: usize = 100;

/// Codes of names and headers that were renamed on weak evidence.
const WEAK: [(&str, &str); 4] = [
    ("CPP003", "rule"),
    ("CPP012", "rule"),
    ("CPP004", "contested"),
    ("CPP013", "contested"),
];

/// The page.
#[derive(Template)]
#[template(path = "page.html")]
pub(super) struct Page {
    style: &'static str,
    script: &'static str,
    input: String,
    output: Option<String>,
    version: String,
    /// How many of the places that had to change are done, in percent; `None` where there are none.
    done: Option<usize>,
    translated: usize,
    open: usize,
    load: Load,
    segments: Vec<Segment>,
    grades: Vec<Graded>,
    counts: Vec<(&'static str, String)>,
    compared: Option<Compared>,
    folders: Vec<Folder>,
    files: Vec<File>,
    rules: Vec<Rule>,
    rows: Vec<Row>,
    at_once: usize,
    targets: Vec<String>,
    hazards: Vec<Hazard>,
    levels: Vec<Level>,
    kept: Vec<(String, usize)>,
    left: Vec<(String, String)>,
    suppressed: usize,
}

/// A part of the bar that says how much is done.
struct Segment {
    class: &'static str,
    name: &'static str,
    count: usize,
    /// Its share, in hundredths of a percent.
    share: String,
}

/// How many files have a grade of effort.
struct Graded {
    name: String,
    class: String,
    meaning: String,
    files: usize,
}

/// What a run before had.
struct Compared {
    new: usize,
    gone: usize,
    same: usize,
    points: usize,
    change: String,
    lost: Vec<Lost>,
}

/// A finding that is gone.
struct Lost {
    code: String,
    severity: Severity,
    path: String,
    message: Vec<(bool, String)>,
}

pub(super) struct File {
    pub(super) path: String,
    pub(super) load: Load,
    grade: &'static str,
    pub(super) class: String,
    share: String,
}

struct Rule {
    code: String,
    severity: Severity,
    title: String,
    load: Load,
    files: usize,
}

/// A hazard, and how many of its places concern each target.
struct Hazard {
    code: String,
    title: String,
    counts: Vec<Option<usize>>,
}

/// A level of evidence.
struct Level {
    name: &'static str,
    means: &'static str,
    count: usize,
    share: String,
    codes: Vec<&'static str>,
}

impl Page {
    /// The page of a report, with what became of an older one.
    pub(super) fn new(
        document: &Document,
        before: Option<(&Document, &Trend)>,
        scale: &'static Effort,
    ) -> Self {
        let loads = loads(&document.findings, scale);
        let new = before.map_or(&[][..], |(_, trend)| &trend.new);
        let references = &document.summary.references;
        let translated = references.all();
        let open = loads.all.errors + loads.all.warnings;
        let files = files(&loads, scale);
        let targets = targets(document);
        Self {
            style: include_str!("page.css"),
            script: include_str!("page.js"),
            input: name(document),
            output: document.output.clone(),
            version: document.tool.version.clone(),
            done: (translated * 100).checked_div(translated + open),
            translated,
            open,
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
            rules: rules(document, &loads),
            rows: rows(document, new),
            at_once: AT_ONCE,
            hazards: hazards(document, &targets),
            targets,
            levels: levels(document),
            kept: kept(document),
            left: document
                .kept_paths
                .iter()
                .map(|kept| (kept.path.clone(), kept.reason.replace('-', " ")))
                .collect(),
            suppressed: document.summary.suppressed.values().sum(),
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

/// A part of a whole, in percent with two decimals, as a style takes it.
pub(super) fn share(part: usize, whole: usize) -> String {
    let hundredths = (part * 10_000).checked_div(whole).unwrap_or(0);
    format!("{}.{:02}%", hundredths / 100, hundredths % 100)
}

fn segments(document: &Document, load: &Load) -> Vec<Segment> {
    let references = &document.summary.references;
    let parts = [
        ("confirmed", "translated, confirmed", references.confirmed),
        ("table", "translated, by a table", references.table),
        ("rule", "translated, by rule alone", references.rule),
        ("contested", "translated, contested", references.contested),
        ("warning", "warnings", load.warnings),
        ("error", "errors", load.errors),
    ];
    let whole: usize = parts.iter().map(|(_, _, count)| count).sum();
    parts
        .into_iter()
        .filter(|(_, _, count)| *count > 0)
        .map(|(class, name, count)| Segment {
            class,
            name,
            count,
            share: share(count, whole),
        })
        .collect()
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

fn compared(now: &Load, old: &Document, trend: &Trend, scale: &Effort) -> Compared {
    let points = loads(&old.findings, scale).all.points;
    let change = if now.points <= points {
        format!("−{}", Page::grouped(points - now.points))
    } else {
        format!("+{}", Page::grouped(now.points - points))
    };
    let lost = trend.gone.iter().filter_map(|at| old.findings.get(*at));
    Compared {
        new: trend.new.iter().filter(|new| **new).count(),
        gone: trend.gone.len(),
        same: trend.same,
        points,
        change,
        lost: lost
            .map(|found| Lost {
                code: found.code.clone(),
                severity: found.severity,
                path: found.path.clone(),
                message: words(&found.message),
            })
            .collect(),
    }
}

fn files(loads: &Loads<'_>, scale: &'static Effort) -> Vec<File> {
    let most = loads.files.values().map(|load| load.points).max();
    let mut files: Vec<File> = loads
        .files
        .iter()
        .map(|(path, load)| {
            let grade = scale.grade(load.points).map_or("", |grade| &grade.name);
            File {
                path: (*path).to_owned(),
                load: load.clone(),
                grade,
                class: grade.replace(' ', "-"),
                share: share(load.points, most.unwrap_or(0)),
            }
        })
        .collect();
    files.sort_by(|a, b| {
        let weight = |file: &File| (Reverse(file.load.points), Reverse(file.load.findings()));
        (weight(a), &a.path).cmp(&(weight(b), &b.path))
    });
    files
}

fn rules(document: &Document, loads: &Loads<'_>) -> Vec<Rule> {
    let mut rules: Vec<Rule> = loads
        .codes
        .iter()
        .map(|(code, (load, files, severity))| Rule {
            code: (*code).to_owned(),
            severity: severity.unwrap_or(Severity::Note),
            title: title(document, code),
            load: load.clone(),
            files: files.len(),
        })
        .collect();
    rules.sort_by(|a, b| {
        let weight = |rule: &Rule| (Reverse(rule.severity), Reverse(rule.load.findings()));
        (weight(a), &a.code).cmp(&(weight(b), &b.code))
    });
    rules
}

fn title(document: &Document, code: &str) -> String {
    let row = document.summary.findings.get(code);
    row.map_or_else(String::new, |row| row.title.clone())
}

fn targets(document: &Document) -> Vec<String> {
    let all = document.findings.iter().flat_map(|found| &found.targets);
    let mut targets: Vec<String> = all.cloned().collect();
    targets.sort();
    targets.dedup();
    targets
}

fn hazards(document: &Document, targets: &[String]) -> Vec<Hazard> {
    let mut hazards: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for found in document
        .findings
        .iter()
        .filter(|found| !found.targets.is_empty())
    {
        let counts = hazards.entry(&found.code);
        let counts = counts.or_insert_with(|| vec![0; targets.len()]);
        for (count, target) in counts.iter_mut().zip(targets) {
            *count += usize::from(found.targets.contains(target));
        }
    }
    let mut hazards: Vec<Hazard> = hazards
        .into_iter()
        .map(|(code, counts)| Hazard {
            code: code.to_owned(),
            title: title(document, code),
            counts: counts
                .into_iter()
                .map(|count| (count > 0).then_some(count))
                .collect(),
        })
        .collect();
    hazards.sort_by_key(|hazard| Reverse(hazard.counts.iter().max().copied()));
    hazards
}

fn levels(document: &Document) -> Vec<Level> {
    let references = &document.summary.references;
    let whole = references.all();
    let level = |name, means, count| Level {
        name,
        means,
        count,
        share: share(count, whole),
        codes: WEAK
            .iter()
            .filter(|(code, level)| *level == name && document.summary.findings.contains_key(*code))
            .map(|(code, _)| *code)
            .collect(),
    };
    vec![
        level(
            "confirmed",
            "public MUSA code declares or uses the counterpart",
            references.confirmed,
        ),
        level(
            "table",
            "somebody's table of names says so",
            references.table,
        ),
        level(
            "rule",
            "only the rule of the family says so: look it up in the SDK's headers",
            references.rule,
        ),
        level(
            "contested",
            "something speaks against it, too: try it on hardware",
            references.contested,
        ),
    ]
}

fn kept(document: &Document) -> Vec<(String, usize)> {
    let mut kept: Vec<(String, usize)> = document
        .summary
        .kept
        .iter()
        .map(|(reason, count)| (reason.replace('-', " "), *count))
        .collect();
    kept.sort_by_key(|(_, count)| Reverse(*count));
    kept
}
