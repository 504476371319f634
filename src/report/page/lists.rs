//! The lists of a page: files, rules, and hazards by target.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::read::Document;
use super::rows::{Load, Loads};
use super::shares::share;
use crate::diagnostic::Severity;
use crate::mapping::effort::Effort;

/// A file with findings.
pub(super) struct FileRow {
    pub(super) path: String,
    pub(super) load: Load,
    pub(super) grade: &'static str,
    pub(super) class: String,
    pub(super) share: String,
}

/// A rule with its findings.
pub(super) struct RuleRow {
    pub(super) code: String,
    pub(super) severity: Severity,
    pub(super) title: String,
    pub(super) load: Load,
    pub(super) files: usize,
}

/// A hazard, and how many of its places concern each target.
pub(super) struct HazardRow {
    pub(super) code: String,
    pub(super) title: String,
    pub(super) counts: Vec<Option<usize>>,
}

pub(super) fn files(loads: &Loads<'_>, scale: &'static Effort) -> Vec<FileRow> {
    let most = loads.files.values().map(|load| load.points).max();
    let mut files: Vec<FileRow> = loads
        .files
        .iter()
        .map(|(path, load)| {
            let grade = scale.grade(load.points).map_or("", |grade| &grade.name);
            FileRow {
                path: (*path).to_owned(),
                load: load.clone(),
                grade,
                class: grade.replace(' ', "-"),
                share: share(load.points, most.unwrap_or(0)),
            }
        })
        .collect();
    files.sort_by(|a, b| {
        let weight = |file: &FileRow| (Reverse(file.load.points), Reverse(file.load.findings()));
        (weight(a), &a.path).cmp(&(weight(b), &b.path))
    });
    files
}

pub(super) fn rules(document: &Document, loads: &Loads<'_>) -> Vec<RuleRow> {
    let mut rules: Vec<RuleRow> = loads
        .codes
        .iter()
        .map(|(code, (load, files, severity))| RuleRow {
            code: (*code).to_owned(),
            severity: severity.unwrap_or(Severity::Note),
            title: document.title(code).to_owned(),
            load: load.clone(),
            files: files.len(),
        })
        .collect();
    rules.sort_by(|a, b| {
        let weight = |rule: &RuleRow| (Reverse(rule.severity), Reverse(rule.load.findings()));
        (weight(a), &a.code).cmp(&(weight(b), &b.code))
    });
    rules
}

pub(super) fn targets(document: &Document) -> Vec<String> {
    let all = document.findings.iter().flat_map(|found| &found.targets);
    let mut targets: Vec<String> = all.cloned().collect();
    targets.sort();
    targets.dedup();
    targets
}

pub(super) fn hazards(document: &Document, targets: &[String]) -> Vec<HazardRow> {
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
    let mut hazards: Vec<HazardRow> = hazards
        .into_iter()
        .map(|(code, counts)| HazardRow {
            code: code.to_owned(),
            title: document.title(code).to_owned(),
            counts: counts
                .into_iter()
                .map(|count| (count > 0).then_some(count))
                .collect(),
        })
        .collect();
    hazards.sort_by_key(|hazard| Reverse(hazard.counts.iter().max().copied()));
    hazards
}
