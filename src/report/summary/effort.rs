//! How much work each file is.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use crate::diagnostic::{Finding, Severity};
use crate::mapping::effort::Effort;
use crate::report::Report;
use crate::report::causes::Causes;
use crate::report::causes::rows::where_all;
use crate::report::format::plain::one_line;
use crate::report::format::row::row;
use crate::report::format::style::{DIM, PATH};
use crate::report::model::FileEffort;
use crate::text::counted;

/// How many files are named with their grades; the report has them all.
const FILES: usize = 5;

/// How many codes say what the work of a file is.
const CODES: usize = 3;

impl Report {
    /// Grade every file whose findings weigh something, and gather the findings by cause. The report must be sorted.
    pub fn grade(&mut self, scale: &'static Effort) {
        let causes = Causes::of_findings(&self.findings, scale);
        let mut points: BTreeMap<&str, usize> = BTreeMap::new();
        for (finding, weight) in self.findings.iter().zip(&causes.points) {
            *points.entry(&finding.path).or_default() += weight;
        }
        self.effort = points
            .into_iter()
            .filter_map(|(path, points)| {
                let grade = scale.grade(points)?;
                Some(FileEffort {
                    path: path.to_owned(),
                    points,
                    grade: &grade.name,
                })
            })
            .collect();
        self.causes = causes.all;
    }
}

/// Write how many files have which grade, and the files with the most points, without auxiliary code.
pub(in crate::report) fn effort(
    report: &Report,
    scale: &Effort,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut own: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    let mut auxiliary: BTreeSet<&str> = BTreeSet::new();
    for one in &report.findings {
        if one.auxiliary {
            auxiliary.insert(&one.path);
        } else {
            own.entry(&one.path).or_default().push(one);
        }
    }
    let files = report.effort.iter();
    let mut files: Vec<_> = files
        .filter(|file| !auxiliary.contains(&*file.path))
        .collect();
    if files.is_empty() {
        return Ok(());
    }
    let grades = scale.grades().iter().rev();
    let counts: Vec<String> = grades
        .filter_map(|grade| {
            let count = files.iter().filter(|file| file.grade == grade.name).count();
            (count > 0).then(|| format!("{} {}", counted(count, "file"), grade.name))
        })
        .collect();
    row(out, "effort", &counts.join(", "))?;
    files.sort_by_key(|file| (Reverse(file.points), &file.path));
    for file in files.iter().take(FILES) {
        let (points, grade) = (file.points, file.grade);
        let path = one_line(&file.path);
        let codes = codes(own.get(&*file.path).map_or(&[], Vec::as_slice));
        let text =
            format!("{points:>6} min  {grade:<9}  {PATH}{path}{PATH:#}  {DIM}{codes}{DIM:#}");
        row(out, "", &text)?;
    }
    match files.len().saturating_sub(FILES) {
        0 => Ok(()),
        more => row(
            out,
            "",
            &format!("{DIM}and {more} more; {}{DIM:#}", where_all(report)),
        ),
    }
}

/// The codes of what is to be done in a file, those first that weigh most. Notes are named where there is nothing else.
fn codes(findings: &[&Finding]) -> String {
    let mut counts: BTreeMap<(Reverse<Severity>, &str), usize> = BTreeMap::new();
    let is_more = |one: &&&Finding| one.code.severity > Severity::Note;
    let has_more = findings.iter().any(|one| is_more(&one));
    for one in findings.iter().filter(|one| !has_more || is_more(one)) {
        *counts
            .entry((Reverse(one.code.severity), one.code.id))
            .or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|((severity, code), count)| (*severity, Reverse(*count), *code));
    let codes: Vec<&str> = counts.iter().map(|((_, code), _)| *code).collect();
    let more = if codes.len() > CODES { " …" } else { "" };
    format!("{}{more}", codes.get(..CODES).unwrap_or(&codes).join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Finding};

    const LACKING: Code = Code::error("CPP999", "for the test");
    const WORTH_KNOWING: Code = Code::note("CPP998", "for the test");

    #[test]
    fn what_was_understood_once_weighs_little_again() {
        let scale = Effort::builtin();
        let points = |findings: Vec<Finding>| {
            let mut report = Report {
                findings,
                ..Report::default()
            };
            report.grade(scale);
            report.effort.iter().map(|file| file.points).sum::<usize>()
        };
        let finding = |path: &str, message: &str| Finding::whole(LACKING, path, message);
        let one = points(vec![finding("k.cu", "a")]);
        let again = points(vec![finding("k.cu", "a"), finding("l.cu", "a")]);
        let two = points(vec![finding("k.cu", "a"), finding("k.cu", "b")]);
        assert!(one < again && again < two && two == 2 * one);
        assert_eq!(points(vec![Finding::whole(WORTH_KNOWING, "k.cu", "a")]), 0);
    }
}
