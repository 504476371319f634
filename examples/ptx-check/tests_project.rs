//! The project's own cases, and the facts about the stand-in.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::case;
use crate::check::{Outcome, all};
use crate::tests::LIMITS;

/// The cases that a port of PTX has to stand.
fn project(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/ptx")
        .join(name)
}

#[test]
fn no_case_of_the_project_differs() {
    let cases = case::read(&project("cases.jsonl")).unwrap();
    let outcomes = all(&cases, &LIMITS).unwrap();
    let differ: Vec<(&str, &Outcome)> = cases
        .iter()
        .zip(&outcomes)
        .filter(|(_, outcome)| matches!(outcome, Outcome::Differs { .. }))
        .map(|(case, outcome)| (case.name.as_str(), outcome))
        .collect();
    assert!(differ.is_empty(), "{differ:#?}");
}

#[test]
fn the_cases_of_the_project_are_what_the_interpreter_says() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut command = Command::new("python3");
    command
        .arg("-B")
        .arg(project("kernels.py"))
        .arg(file.path());
    assert!(command.status().unwrap().success());
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    assert!(
        read(file.path()) == read(&project("cases.jsonl")),
        "run tests/ptx/kernels.py"
    );
}

#[test]
fn the_numbers_of_the_stand_in_are_right() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/ptx-check");
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let stand_in = example.join("stand_in");
    let mut compile = Command::new("g++");
    let flags = "-std=c++20 -O1 -w -ffp-contract=off -fno-builtin -frounding-math -no-pie -pthread";
    compile.args(flags.split(' ')).arg("-I").arg(&stand_in);
    let parts = ["block.cpp", "functions.cpp", "rounding.cpp"];
    compile.args(parts.map(|part| stand_in.join(part)));
    compile.arg(example.join("facts/formats.cpp"));
    compile.arg("-o").arg(path("facts"));
    assert!(compile.status().unwrap().success());
    std::fs::write(path("input"), []).unwrap();
    let mut run = Command::new(path("facts"));
    let ran = run
        .args(["input", "output", "4", "1"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let faults = std::fs::read(path("output")).unwrap();
    assert_eq!(faults, [0; 4], "{}", String::from_utf8_lossy(&ran.stdout));
}
