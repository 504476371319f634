//! Trees made of real names and of pieces of the fixtures, spliced and broken at random: what holds for every port holds
//! for them. `docs/fuzzing.md` says how to try more of them.

use crate::common::fixtures;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use crate::common::fixtures::{Node, Port, difference, line, port, write_in_order};
use crate::common::fuzz::{Fault, SOUPS, fault, found_cases, new_cases};
use crate::common::soups::Case;
use serde_json::Value;
use torchada::cli::Exit;
use torchada::mapping::{Relation, Section, Tables};
use torchada::syntax::python::first_difference_of_readers;
use torchada::syntax::{LexOptions, TokenKind, cmake_errors, lex, python_errors, syntax_errors};

fn bytes(node: Option<&Node>) -> Option<&[u8]> {
    match node {
        Some(Node::File { bytes, .. }) => Some(bytes),
        _ => None,
    }
}

/// How often names that the tables would not leave as they are stand in code.
fn references(text: &[u8]) -> BTreeMap<Vec<u8>, usize> {
    let mut found = BTreeMap::new();
    for token in lex(text, LexOptions { template: false }).tokens {
        let word = token.text(text);
        let row = Tables::builtin().get(Section::Names, word);
        let counts = |row: &torchada::mapping::Row| {
            row.stem && row.needs.is_empty() && row.relation != Relation::Same
        };
        if token.kind == TokenKind::Identifier && row.is_some_and(counts) {
            *found.entry(word.to_vec()).or_default() += 1;
        }
    }
    found
}

/// At how many places in a file the report says something; without end where the file is left as a whole.
fn reported(report: &Value, path: &Path) -> usize {
    let path = path.to_string_lossy();
    let about = |one: &Value| one["path"] == *path;
    let whole = ["PRJ006", "PRJ018"];
    let kept = report["kept_paths"].as_array().into_iter().flatten();
    let left = kept.filter_map(|one| one["path"].as_str()).any(|kept| {
        let rest = path.strip_prefix(kept.trim_end_matches('/'));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    let mut findings = report["findings"].as_array().into_iter().flatten();
    if left || findings.any(|one| about(one) && whole.iter().any(|code| one["code"] == *code)) {
        return usize::MAX;
    }
    let lists = ["findings", "not_built", "suppressed", "kept"].iter();
    let entries = lists.filter_map(|list| report[*list].as_array()).flatten();
    entries.filter(|entry| entry["path"] == *path).count()
}

/// The port of a process in another place of the world, whose folder was filled from the last file to the first.
fn port_elsewhere(case: &Case) -> Port {
    let place = fixtures::place();
    write_in_order(&place.path().join("input"), case.tree.iter().rev());
    let line = line(place.path(), &case.arguments, &["--no-config", "--jobs=3"]);
    let output = Command::new(env!("CARGO_BIN_EXE_torchada"))
        .args(&line[1..])
        .env("LC_ALL", "tr_TR.UTF-8")
        .env("TZ", "Pacific/Chatham")
        .env("GIT_CEILING_DIRECTORIES", place.path())
        .output()
        .expect("it runs");
    let exit = match output.status.code() {
        Some(0) => Exit::Done,
        Some(1) => Exit::Partial,
        code => panic!("{code:?}: {}", String::from_utf8_lossy(&output.stderr)),
    };
    Port::read(place.path(), &case.tree, exit)
}

/// Whether two ports are the same, byte by byte.
fn same(property: &'static str, one: &Port, other: &Port) -> Result<(), Fault> {
    let difference = difference(&one.tree, &other.tree);
    if !difference.is_empty() {
        return fault(property, difference);
    }
    if one.report_text != other.report_text {
        let diff = similar::TextDiff::from_lines(&one.report_text, &other.report_text);
        return fault(property, diff.unified_diff().to_string());
    }
    Ok(())
}

/// Whether each file of a port is as sound as it was, and tells of what is left in it.
fn files(case: &Case, port: &Port) -> Result<(), Fault> {
    let outputs = &port.outputs;
    // In that dialect C++ is left to the build.
    let portable = case.arguments.iter().any(|one| one == "portable");
    for (path, node) in &case.tree {
        let Node::File { bytes: old, .. } = node else {
            continue;
        };
        let became = outputs.get(path).and_then(|path| port.tree.get(path));
        let Some(new) = bytes(became) else {
            return fault("every file is in the port", path.display().to_string());
        };
        let ending = path.extension().unwrap_or_default();
        if ending == "py" && !old.contains(&0) && python_errors(new) > python_errors(old) {
            return fault("Python is as sound as it was", path.display().to_string());
        }
        let lists = path.ends_with("CMakeLists.txt") || ending == "cmake";
        if lists && cmake_errors(new) > cmake_errors(old) {
            return fault("CMake is as sound as it was", path.display().to_string());
        }
        if !portable && ["cu", "cuh", "cpp", "h"].iter().any(|one| ending == *one) {
            let left: usize = references(new).values().sum();
            let reported = reported(&port.report, path);
            if left > reported {
                let seen = format!(
                    "{}: {left} are left, {reported} places reported",
                    path.display()
                );
                return fault("what is left is reported", seen);
            }
        }
    }
    Ok(())
}

/// The codes of a port's findings.
fn codes(port: &Port) -> BTreeSet<&str> {
    let findings = port.report["findings"].as_array().into_iter().flatten();
    findings.filter_map(|one| one["code"].as_str()).collect()
}

/// Whether a grammar reads a file as its language has it. Where it does not, what it makes of the rest after a change is
/// chance, and checking by it takes back what is right.
fn is_sound(path: &Path, node: &Node) -> bool {
    let Some(text) = bytes(Some(node)) else {
        return true;
    };
    let ending = path.extension().unwrap_or_default();
    if ["py", "pyi", "pyx"].iter().any(|one| ending == *one) {
        return first_difference_of_readers(text).is_none() && python_errors(text) == Some(0);
    }
    let other = [
        "txt", "cmake", "sh", "mk", "toml", "yml", "yaml", "cfg", "md",
    ];
    other.iter().any(|one| ending == *one) || syntax_errors(text) == Some(0)
}

/// What holds for every port.
fn holds(case: &Case) -> Result<(), Fault> {
    let ported = |more: &[&str]| {
        let more = [&["--no-config"], more].concat();
        port(&case.tree, &case.arguments, &more)
    };
    let once = ported(&["--jobs", "1"]);
    if codes(&once).contains("PRJ009") {
        return fault("no rule gives up", "PRJ009");
    }
    if once.report["summary"]["files"]["failed"] != 0 {
        return fault("no file fails", once.report["summary"].to_string());
    }
    files(case, &once)?;
    same("nothing around it shows", &once, &port_elsewhere(case))?;
    if case.tree.iter().all(|(path, node)| is_sound(path, node)) {
        let full = ported(&["--verify=full"]);
        same("reading more shows nothing", &once, &full)?;
    }
    let again = port(
        &once.tree,
        &case.arguments,
        &["--no-config", "--rename", "never"],
    );
    let difference = difference(&once.tree, &again.tree);
    if !difference.is_empty() {
        return fault("a port of a port changes nothing", difference);
    }
    Ok(())
}

#[test]
fn what_was_found_once_stays_mended() {
    found_cases(&SOUPS, holds);
}

#[test]
fn what_holds_for_every_port_holds_for_any_tree() {
    new_cases(&SOUPS, 100, holds);
}
