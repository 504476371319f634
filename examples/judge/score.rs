//! Verdicts against ports.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};

use crate::port::{FileReport, Finding, file_reports};
use crate::python::changes::Changes;
use crate::python::lines::Lines;
use crate::sheet::{Row, rows};
use crate::tree::read;
use crate::verdict::{Outcome, Treatment, Verdict, outcome};

/// What is counted.
#[derive(Default)]
struct Counts {
    rows: usize,
    edited: usize,
    wrong: usize,
    needed: usize,
    found: usize,
    silent: usize,
    noise: usize,
}

/// Print precision and recall, and the rows that are not as they should be.
pub(crate) fn score(
    out: &mut impl Write,
    table: &Path,
    projects: &Path,
    ports: &Path,
    portable: bool,
) -> Result<()> {
    let mut all: BTreeMap<String, BTreeMap<String, FileReport>> = BTreeMap::new();
    let mut counts = Counts::default();
    let mut list: Vec<(Outcome, String)> = Vec::new();
    let mut last: Option<(String, String, Changes)> = None;
    for row in rows(table)? {
        let text = if portable { &row.portable } else { &row.musa };
        if text.is_empty() {
            continue;
        }
        let verdict = Verdict::new(text).with_context(|| format!("row {}", row.id))?;
        let port = ports.join(&row.project);
        if !all.contains_key(&row.project) {
            all.insert(row.project.clone(), file_reports(&port)?);
        }
        let same = |one: &(String, String, Changes)| one.0 == row.project && one.1 == row.path;
        if !last.as_ref().is_some_and(same) {
            let before = read(&projects.join(&row.project), &row.path)?;
            let changes = Changes::new(&row.path, before, read(&port, &row.path)?)?;
            last = Some((row.project.clone(), row.path.clone(), changes));
        }
        let here = all.get(&row.project).and_then(|all| all.get(&row.path));
        let Some((_, _, changes)) = &last else {
            continue;
        };
        let (treatment, words) = treatment(&projects.join(&row.project), &row, changes, here)?;
        let outcome = outcome(&verdict, &treatment);
        counts.add(&verdict, &treatment, outcome);
        list.push((outcome, line(&row, text, &treatment, &words)));
    }
    list.sort();
    for (outcome, line) in &list {
        if *outcome != Outcome::Right {
            writeln!(out, "{outcome:?}: {line}")?;
        }
    }
    counts.print(out)
}

/// What the port did to a row's token, and what it reported of it.
fn treatment(
    root: &Path,
    row: &Row,
    changes: &Changes,
    report: Option<&FileReport>,
) -> Result<(Treatment, String)> {
    let text = read(root, &row.path)?;
    let lines = Lines::new(&text);
    let tokens = &changes.before;
    let at = tokens.iter().position(|token| {
        let word = token.word.unwrap_or(token.at.start);
        lines.at(word) == row.place && (token.word.is_some() || !row.token.is_empty())
    });
    let at = at.with_context(|| format!("row {}: no token at its place", row.id))?;
    let token = tokens.get(at).context("no such token")?;
    let (from, to) = (lines.at(token.around.start), lines.at(token.around.end));
    let none = FileReport::default();
    let report = report.unwrap_or(&none);
    let findings = report.findings.iter();
    let meets = |finding: &&Finding| finding.place.in_file(&text).meets(from, to);
    let about: Vec<&Finding> = findings.filter(meets).collect();
    let near = report.findings.iter();
    let near = near.filter(|finding| finding.place.in_file(&text).line == row.place.0);
    let mut kept = report.kept.iter();
    let kept = kept.find(|(place, _)| place.meets(from, to));
    let mut words: Vec<String> = if about.is_empty() {
        near.map(|finding| format!("(in the line: {})", finding.code))
            .collect()
    } else {
        let short = |finding: &&Finding| -> String {
            let message: String = finding.message.chars().take(60).collect();
            format!("{} {message}", finding.code)
        };
        about.iter().map(short).collect()
    };
    if let Some((_, reason)) = kept {
        words.push(format!("kept: {reason}"));
    }
    let edited = changes.is_touched(at).then(|| changes.became(at));
    let treatment = Treatment {
        edited,
        reported: !about.is_empty(),
        kept: kept.is_some(),
    };
    Ok((treatment, words.join("; ")))
}

fn line(row: &Row, verdict: &str, treatment: &Treatment, words: &str) -> String {
    let (line, column) = row.place;
    let now = treatment.edited.as_ref().map(|(own, whole)| {
        let whole: String = whole.chars().take(80).collect();
        format!(" now `{own}` in `{whole}`")
    });
    format!(
        "{} {}/{}:{line}:{column} `{}` wants {verdict}{} {words}",
        row.id,
        row.project,
        row.path,
        row.token,
        now.unwrap_or_default()
    )
}

impl Counts {
    fn add(&mut self, verdict: &Verdict, treatment: &Treatment, outcome: Outcome) {
        self.rows += 1;
        if treatment.edited.is_some() {
            self.edited += 1;
            self.wrong += usize::from(outcome == Outcome::WrongEdit);
        }
        if verdict.needs_a_word() {
            self.needed += 1;
            self.found += usize::from(outcome != Outcome::Missed);
        } else if *verdict == Verdict::Stay {
            self.silent += 1;
            self.noise += usize::from(outcome == Outcome::Noise);
        }
    }

    fn print(&self, out: &mut impl Write) -> Result<()> {
        let share = |part: usize, all: usize| -> String {
            // Counts of rows are far below the 2^52 that a float holds exactly.
            #[allow(clippy::cast_precision_loss)]
            let share = 100.0 * part as f64 / all.max(1) as f64;
            format!("{part} of {all} ({share:.1} %)")
        };
        writeln!(out, "{} rows", self.rows)?;
        writeln!(
            out,
            "precision: {} edits are right",
            share(self.edited - self.wrong, self.edited)
        )?;
        writeln!(
            out,
            "recall: {} tokens that need a word are edited or reported",
            share(self.found, self.needed)
        )?;
        writeln!(
            out,
            "noise: {} tokens that need none are reported",
            share(self.noise, self.silent)
        )?;
        Ok(())
    }
}
