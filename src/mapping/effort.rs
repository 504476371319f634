//! How much work a file is, by its findings: the weights and grades of `mappings/effort.toml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::read_table::{builtin_table, table};
use crate::word_list::{ends_with_one, has, starts_with_one};

/// The weights of findings, and the grades that their sums give.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Effort {
    /// Points by severity.
    severity: BTreeMap<String, usize>,
    /// Points by code, where that says more than the severity.
    #[serde(default)]
    code: BTreeMap<String, usize>,
    /// Points for each further finding of one code and message: it was understood once, and has only to be done again.
    repeat: usize,
    /// Codes of which one act settles all findings with the same advice.
    settled_at_once: Vec<String>,
    /// Codes of names that somebody looks up once, wherever they stand.
    looked_up_once: Vec<String>,
    /// The grades, lightest first.
    grade: Vec<Grade>,
    /// Which files are code beside the project's own programs.
    auxiliary: Auxiliary,
    /// What the codes of findings about a part of an input begin with.
    pub parts: PartCodes,
    /// Which files a summary sends nobody to first.
    late: PathMarks,
    /// For each level of evidence that asks for a look, the codes of what was translated on it.
    evidence: BTreeMap<String, Vec<String>>,
}

/// Which files are tests, benchmarks, examples, documentation and files of CI, by their paths.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Auxiliary {
    /// Names of folders.
    folders: Vec<String>,
    /// The names among `folders` whose code people take over into their own.
    shown: Vec<String>,
    /// Names of files, without their endings.
    names: Vec<String>,
    /// What such names begin with.
    fronts: Vec<String>,
    /// What such names end with.
    ends: Vec<String>,
    /// What the names of such folders begin with.
    folder_fronts: Vec<String>,
}

/// What codes begin with.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartCodes {
    /// What codes about C++ and CUDA begin with.
    pub cpp: String,
    /// What codes about Python begin with.
    pub python: String,
}

/// Which files set up the machine on which a project runs, are a library that the project carries along, or are for the CPU,
/// by their paths.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PathMarks {
    /// What their names end with, or begin with before a point.
    names: Vec<String>,
    /// Names of folders.
    folders: Vec<String>,
}

/// One grade of effort.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grade {
    /// A word: `low`.
    pub name: String,
    /// The points from which it holds.
    pub from: usize,
    /// The meaning of the grade.
    pub meaning: String,
}

/// Which of the findings of one code and message a finding is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Occurrence {
    /// The first one.
    First,
    /// A further one, on a line that no finding before it was on.
    Further,
    /// A further one on a line that reads as another one does: what replaces one replaces both.
    SameLine,
}

builtin_table!(Effort, table!("effort.toml"));

impl Effort {
    /// The points of a finding. What weighs nothing weighs nothing again.
    pub fn points(&self, code: &str, severity: &str, occurrence: Occurrence) -> usize {
        let weight = self
            .code
            .get(code)
            .or_else(|| self.severity.get(severity))
            .copied()
            .unwrap_or(0);
        match occurrence {
            Occurrence::First => weight,
            Occurrence::Further if has(&self.looked_up_once, code) => 0,
            Occurrence::Further => weight.min(self.repeat),
            Occurrence::SameLine => 0,
        }
    }

    /// Whether one act settles all findings of a code that have the same advice.
    pub fn has_one_fix(&self, code: &str) -> bool {
        has(&self.settled_at_once, code)
    }

    /// The grade for so many points; `None` for none.
    pub fn grade(&self, points: usize) -> Option<&Grade> {
        self.grade.iter().rev().find(|grade| points >= grade.from)
    }

    /// Whether a file is a test, a benchmark, an example, documentation or a file of CI, by its path relative to the tree's root.
    pub fn is_auxiliary(&self, path: &str) -> bool {
        let Auxiliary {
            folders,
            names,
            fronts,
            ends,
            folder_fronts,
            ..
        } = &self.auxiliary;
        let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
        let is_hidden = |folder: &str| {
            let mut fronts = folder_fronts.iter();
            fronts.any(|front| folder.starts_with(front.as_str()))
        };
        let is_known = |folder: &str| folders.iter().any(|one| folder.eq_ignore_ascii_case(one));
        above
            .split('/')
            .any(|folder| is_known(folder) || is_hidden(folder))
            || has(names, stem)
            || starts_with_one(stem, fronts)
            || ends_with_one(stem, ends)
    }

    /// Whether a file is an example, a benchmark or documentation: people take its code over, and call it from their own.
    pub fn is_shown(&self, path: &str) -> bool {
        let above = path.rsplit_once('/').map_or("", |(above, _)| above);
        let shown = &self.auxiliary.shown;
        above
            .split('/')
            .any(|folder| shown.iter().any(|one| folder.eq_ignore_ascii_case(one)))
    }

    /// Whether a file sets up the machine on which a project runs, belongs to a library that the project carries along, or is
    /// for the CPU.
    pub fn is_late(&self, path: &str) -> bool {
        let PathMarks { names, folders } = &self.late;
        let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
        let mut above = above.split('/');
        names
            .iter()
            .any(|one| name.ends_with(one.as_str()) || stem == one)
            || above.any(|folder| has(folders, folder))
    }

    /// The codes of what was translated on a level of evidence: `rule`, `contested`.
    pub fn codes_of(&self, level: &str) -> &[String] {
        self.evidence.get(level).map_or(&[], Vec::as_slice)
    }

    /// The grades, lightest first.
    pub fn grades(&self) -> &[Grade] {
        &self.grade
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_and_benchmarks_are_told_by_their_paths() {
        let effort = Effort::builtin();
        for path in [
            "tests/a/b.py",
            "pkg/test_a.py",
            "Tests/a.cu",
            "pkg/a_test.cc",
            "conftest.py",
            "pkg/.mim/tools/a.py",
        ] {
            assert!(effort.is_auxiliary(path), "{path}");
        }
        for path in [
            "pkg/testing/a.py",
            "pkg/latest.py",
            "test",
            "pkg/attest_a.py",
        ] {
            assert!(!effort.is_auxiliary(path), "{path}");
        }
    }

    #[test]
    fn the_scale_is_sound() {
        let effort = Effort::builtin();
        let from: Vec<usize> = effort.grades().iter().map(|grade| grade.from).collect();
        assert!(from.is_sorted() && from.first() == Some(&1), "{from:?}");
        for severity in ["error", "warning", "note"] {
            assert!(effort.severity.contains_key(severity), "{severity}");
        }
    }
}
