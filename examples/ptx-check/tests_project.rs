//! The project's own cases, and the facts about the stand-in.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use torchada::mapping::ptx::{Ptx, is_of_form};

use crate::case;
use crate::check::{Outcome, all};
use crate::tests::LIMITS;

/// The cases that a port of PTX has to stand.
fn project(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/ptx")
        .join(name)
}

/// The cases of the project with those of every form, whose operands a seed chooses.
fn every_case(seed: u64) -> Vec<case::Case> {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut command = Command::new("python3");
    command
        .arg("-B")
        .arg(project("kernels.py"))
        .arg(file.path());
    let status = command.arg(seed.to_string()).status().unwrap();
    assert!(status.success());
    case::read(file.path()).unwrap()
}

/// Run all cases; no port may keep a statement or do something else.
fn all_are_same(seed: u64) {
    let cases = every_case(seed);
    let outcomes = all(&cases, &LIMITS).unwrap();
    let others: Vec<(&str, &Outcome)> = cases
        .iter()
        .zip(&outcomes)
        .filter(|(_, outcome)| **outcome != Outcome::Same)
        .map(|(case, outcome)| (case.name.as_str(), outcome))
        .collect();
    assert!(others.is_empty(), "seed {seed}: {others:#?}");
}

#[test]
fn each_case_of_the_project_is_the_same() {
    all_are_same(0);
}

#[test]
#[ignore = "half a minute with operands that are others each time"]
fn random_operands_are_the_same() {
    let given = std::env::var("PTX_CHECK_SEED").ok();
    let seed = given.map_or_else(
        || u64::from(std::process::id()),
        |seed| seed.parse().unwrap(),
    );
    all_are_same(seed);
}

/// Forms whose effect no output shows, or that end all threads of the block.
const UNSEEN: [&str; 4] = ["trap", "setmaxnreg.*", "griddepcontrol.*", "isspacep.local"];

#[test]
fn every_form_of_the_table_has_a_case() {
    let cases = every_case(0);
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | ':');
    let opcodes: BTreeSet<&str> = cases
        .iter()
        .flat_map(|case| case.source.split(|c| !is_part(c)))
        .collect();
    let table = Ptx::builtin();
    let translated = table.rows().iter().filter(|row| row.none.is_none());
    let missing: Vec<&str> = translated
        .flat_map(|row| row.forms.iter().map(move |form| (row, form.as_str())))
        .filter(|(row, form)| {
            let has_case = |opcode: &&&str| {
                is_of_form(opcode, form) && table.row(opcode).is_some_and(|one| one == *row)
            };
            !opcodes.iter().any(|opcode| has_case(&opcode))
        })
        .map(|(_, form)| form)
        .filter(|form| !UNSEEN.contains(form))
        .collect();
    assert!(missing.is_empty(), "no case has {missing:#?}");
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
