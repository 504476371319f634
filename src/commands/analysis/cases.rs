//! What each rule does to a few lines of code: the cases of `tests/cases/`, a file for each rule.
//!
//! `cargo test --lib cases::` runs all of them, and `RULE=python-devices cargo test --lib cases::` those of the rules
//! whose names hold that word. With `UPDATE_CASES=1` the test writes what the program gives: read it, because a case
//! says what is right and not what happens.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs, thread};

use clap::Parser;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::whole_tree::tree_keeping;
use super::{FileOverlay, Run, TranslatedTree, tree, with_context};
use crate::cli::{Cli, Command};
use crate::config::Settings;
use crate::diagnostic::Finding;
use crate::emit::{self, FileChange};
use crate::machine::Environment as Machine;
use crate::progress::Silent;
use crate::rules::{RuleSettings, build, cpp, lints, python};

/// A file of `tests/cases/`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// What the case shows, as a sentence.
    shows: String,
    /// Arguments of `torchada port`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    arguments: Vec<String>,
    /// The rules without which this one has nothing to do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    beside: Vec<String>,
    /// The files of a tree, by their paths.
    input: BTreeMap<String, String>,
    /// The result that the port has to have.
    #[serde(flatten)]
    effect: Effect,
}

/// The result of a port: files, findings and references that stay.
#[derive(Serialize, Deserialize, Default, PartialEq, Debug)]
struct Effect {
    /// The files that become other ones, by the paths that they have then.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    output: BTreeMap<String, String>,
    /// The findings, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    findings: Vec<String>,
    /// What stays for a reason that is no fault, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    kept: Vec<String>,
}

impl Effect {
    fn of(tree: &TranslatedTree) -> Self {
        let mut effect = Self::default();
        effect.report(&tree.findings);
        effect.report(&tree.project.findings);
        for (file, done) in tree.project.files.iter().zip(&tree.translated) {
            let old = file.text.as_deref().unwrap_or_default();
            if done.is_changed() || file.path != file.output {
                let new = String::from_utf8_lossy(&done.text(old)).into_owned();
                effect.output.insert(file.output.to_string(), new);
            }
            effect.report(&done.findings);
            for kept in &done.kept {
                let text = String::from_utf8_lossy(kept.range.of(old)).into_owned();
                let reason = serde_json::to_value(kept.reason).expect("a word");
                let reason = reason.as_str().expect("a word");
                effect.kept.push(format!("{}: {reason} {text}", file.path));
            }
        }
        effect.findings.sort();
        effect.kept.sort();
        effect
    }

    fn report(&mut self, findings: &[Finding]) {
        let line = |one: &Finding| {
            let severity = one.code.severity.as_str();
            let (place, code) = (&one.start, one.code.id);
            let (line, column) = (place.line, place.column);
            let message = &one.message;
            format!("{}:{line}:{column}: {severity}[{code}] {message}", one.path)
        };
        self.findings.extend(findings.iter().map(line));
    }
}

impl Case {
    /// Port the tree with all rules, or with one.
    fn port(&self, only: Option<&[String]>) -> Effect {
        let place = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new());
        let place = place.expect("a temporary folder");
        let root = place.path().join("tree");
        for (path, text) in &self.input {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
            fs::write(path, text).expect("written");
        }
        let line = ["torchada", "port", "--no-ignore", "--jobs=1"].map(str::to_owned);
        let root = root.display().to_string();
        let line = line.iter().chain(&self.arguments).chain([&root]);
        let cli = Cli::try_parse_from(line).expect("a sound command line");
        let Command::Port(arguments) = cli.command else {
            panic!("{root} is ported");
        };
        let settings = Settings::port(&arguments, &Machine::none()).expect("sound settings");
        let effect = with_context(&settings, |run| {
            let rules = RuleSettings {
                only: only.map(<[String]>::to_vec),
                ..run.rules.clone()
            };
            let run = Run {
                rules: &rules,
                ..run
            };
            let effect = Effect::of(&tree(run, &Silent)?);
            if only.is_none() {
                let overlay = FileOverlay::default();
                let again = tree_keeping(0, run, &overlay, &Silent)?;
                let again = Effect::of(&again);
                let shows = &self.shows;
                assert_eq!(again, effect, "{shows}, with texts that are read again");
            }
            Ok(effect)
        });
        effect.expect("the tree can be read")
    }

    /// The faults of the case, and the result that the port gives.
    fn check(&self, rule: &str) -> (Vec<String>, Effect) {
        let whole = self.port(None);
        let mut faults = Vec::new();
        if whole != self.effect {
            let shown = |effect: &Effect| toml::to_string_pretty(effect).expect("serialized");
            let (expected, actual) = (shown(&self.effect), shown(&whole));
            let path = Path::new(&rule);
            let change = FileChange::of_text(path, path, expected.as_bytes(), actual.as_bytes());
            let mut shown = Vec::new();
            emit::diff(&change, &mut shown).expect("written to memory");
            faults.push(String::from_utf8_lossy(&shown).into_owned());
        }
        let mut only = self.beside.clone();
        if self.port(Some(&only)) == whole {
            faults.push("the rule does nothing".to_owned());
        }
        only.push(rule.to_owned());
        let alone = self.port(Some(&only));
        if alone != whole {
            let enough = |other: &&str| {
                let with = [&only[..], &[(*other).to_owned()]].concat();
                self.port(Some(&with)) == whole
            };
            let others = rules();
            let other = others.iter().find(|other| enough(other));
            let other = other.map_or("…", |other| *other);
            faults.push(format!(
                "another rule acts, too: take its words out of the case, or say `beside = [\"{other}\"]`; \
                 without it: {alone:#?}"
            ));
        }
        (faults, whole)
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// The names of all rules.
fn rules() -> BTreeSet<&'static str> {
    let of_python = python::RULES.iter().chain(python::CLOSING);
    let of_python = of_python.map(|rule| rule.name);
    let of_cpp = cpp::RULES.iter().map(|rule| rule.name);
    let of_builds = build::RULES.iter().map(|rule| rule.name);
    let all = of_python.chain(of_cpp).chain(of_builds);
    all.chain([
        lints::NAME,
        python::cython::NAME,
        python::split_decisions::NAME,
        python::reserved::find::NAME,
    ])
    .collect()
}

fn read(path: &Path) -> Cases {
    let text = fs::read_to_string(path).unwrap_or_default();
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn each_case_becomes_what_it_says_by_its_rule_alone() {
    let update = env::var_os("UPDATE_CASES").is_some();
    let wanted = env::var("RULE").unwrap_or_default();
    let rules: Vec<&'static str> = rules().into_iter().collect();
    let rules = rules.into_iter().filter(|rule| rule.contains(&wanted));
    let check = |rule: &'static str| -> Vec<String> {
        let path = folder().join(format!("{rule}.toml"));
        let mut cases = read(&path);
        let mut faults = Vec::new();
        for case in &mut cases.case {
            let (found, actual) = case.check(rule);
            faults.extend(
                found
                    .iter()
                    .map(|fault| format!("── {rule}: {}\n{fault}", case.shows)),
            );
            if update {
                case.effect = actual;
            }
        }
        if update {
            let text = toml::to_string_pretty(&cases).expect("serialized");
            fs::write(&path, text).expect("written");
        }
        faults
    };
    // Each rule has a thread of its own: a thread of a pool that waits for the files of one case would begin the cases of
    // another rule, and of a third one above these, until its stack is full.
    let faults: Vec<String> = thread::scope(|scope| {
        let check = &check;
        let started = rules.map(|rule| scope.spawn(move || check(rule)));
        let started: Vec<_> = started.collect();
        let done = started.into_iter().map(|one| one.join().expect("no panic"));
        done.flatten().collect()
    });
    assert!(
        faults.is_empty(),
        "these cases differ (- expected, + actual):\n\n{}\n`UPDATE_CASES=1 cargo test --lib cases::` takes what is actual, \
         once you have read it",
        faults.join("\n")
    );
}

#[test]
fn each_rule_has_a_case_and_each_file_a_rule() {
    let files: BTreeSet<String> = fs::read_dir(folder())
        .expect("readable")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| !read(path).case.is_empty())
        .map(|path| {
            path.file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    let rules: BTreeSet<String> = rules().into_iter().map(str::to_owned).collect();
    assert_eq!(files, rules);
}

#[test]
fn each_lint_has_a_case() {
    let cases = read(&folder().join("lints.toml"));
    let findings: Vec<&String> = cases
        .case
        .iter()
        .flat_map(|case| &case.effect.findings)
        .collect();
    for code in lints::CODES {
        let code = format!("[{}]", code.id);
        assert!(findings.iter().any(|one| one.contains(&code)), "{code}");
    }
}
