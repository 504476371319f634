//! How much work each file is.

use std::collections::BTreeMap;

use super::Report;
use super::causes::Causes;
use super::model::FileEffort;
use crate::mapping::effort::Effort;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Finding, Severity};

    const LACKING: Code = Code {
        id: "CPP999",
        severity: Severity::Error,
        title: "for the test",
    };
    const WORTH_KNOWING: Code = Code {
        id: "CPP998",
        severity: Severity::Note,
        title: "for the test",
    };

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
