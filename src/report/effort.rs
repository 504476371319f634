//! How much work each file is.

use std::collections::{BTreeMap, BTreeSet};

use super::Report;
use super::model::FileEffort;
use crate::mapping::effort::Effort;

impl Report {
    /// Grade every file whose findings weigh something.
    pub fn grade(&mut self, scale: &'static Effort) {
        let mut seen: BTreeSet<(&str, &str, &str)> = BTreeSet::new();
        let mut points: BTreeMap<&str, usize> = BTreeMap::new();
        for finding in &self.findings {
            let code = finding.code;
            let first = seen.insert((&finding.path, code.id, &finding.message));
            *points.entry(&finding.path).or_default() +=
                scale.points(code.id, code.severity.as_str(), first);
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
            report.effort.first().map_or(0, |file| file.points)
        };
        let finding = |message: &str| Finding::whole(LACKING, "k.cu", message);
        let one = points(vec![finding("a")]);
        let again = points(vec![finding("a"), finding("a")]);
        let two = points(vec![finding("a"), finding("b")]);
        assert!(one < again && again < two && two == 2 * one);
        assert_eq!(points(vec![Finding::whole(WORTH_KNOWING, "k.cu", "a")]), 0);
    }
}
