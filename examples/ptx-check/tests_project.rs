//! The project's own cases, and the facts about the stand-in.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use torchada::mapping::ptx::{Ptx, is_of_form};

use crate::case::{self, Case};
use crate::check::{Outcome, with};
use crate::fixtures;
use crate::passed::Suite;
use crate::port::port;
use crate::side_by_side::side_by_side;
use crate::tests::{LIMITS, compiler};

/// The cases that a port of PTX has to stand.
fn project(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/ptx")
        .join(name)
}

/// What writes cases, with all that the cases depend on.
fn interpreter(name: &'static str) -> Suite {
    Suite::new(name)
        .with_version("python3")
        .with_files(&project(""))
}

/// Has the interpreter write cases, and gives them.
fn written(seed: Option<u64>) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut command = Command::new("python3");
    command.arg("-B").arg(project("kernels.py"));
    command
        .arg(file.path())
        .args(seed.map(|seed| seed.to_string()));
    assert!(command.status().unwrap().success());
    std::fs::read_to_string(file.path()).unwrap()
}

/// The cases of the project with those of every form, whose operands a seed chooses.
fn every_case(seed: u64) -> Vec<Case> {
    let suite = interpreter("ptx-cases").with(&seed.to_string());
    let cases = suite.passed().unwrap_or_else(|| {
        let cases = written(Some(seed));
        suite.pass(&cases);
        cases
    });
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), cases).unwrap();
    case::read(file.path()).unwrap()
}

/// A suite with all that it depends on but ports.
pub(crate) fn suite(name: &'static str) -> Suite {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    Suite::new(name)
        .with_version("g++")
        .with_files(&root.join("examples/ptx-check"))
        .with_files(&root.join("examples/shared"))
}

/// A suite that depends on a case and its port, too.
pub(crate) fn with_case(suite: Suite, case: &Case) -> Suite {
    let folder = tempfile::tempdir().unwrap();
    let port = port(&case.source, folder.path()).unwrap();
    let suite = suite.with(&format!("{case:?}{:?}", port.codes));
    suite.with_tree(&fixtures::read(&port.root))
}

/// Run all cases that did not pass before; no port may keep a statement or do something else.
fn all_are_same(seed: u64) {
    let cases = every_case(seed);
    let suite = suite("ptx").with_program_but_rules();
    let suites = side_by_side(&cases, |case| with_case(suite.clone(), case));
    let new = (cases.into_iter().zip(suites)).filter(|(_, suite)| suite.passed().is_none());
    let (cases, suites): (Vec<Case>, Vec<Suite>) = new.unzip();
    let outcomes = if cases.is_empty() {
        Vec::new()
    } else {
        with(compiler(), &cases, &LIMITS).unwrap()
    };
    let mut others = Vec::new();
    for ((case, suite), outcome) in cases.iter().zip(suites).zip(&outcomes) {
        if *outcome == Outcome::Same {
            suite.pass("");
        } else {
            others.push((case.name.as_str(), outcome));
        }
    }
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
    interpreter("ptx-interpreter").run(|| {
        let cases = std::fs::read_to_string(project("cases.jsonl")).unwrap();
        assert!(written(None) == cases, "run tests/ptx/kernels.py");
    });
}

#[test]
fn the_numbers_of_the_stand_in_are_right() {
    suite("ptx-stand-in").run(|| {
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/ptx-check");
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let stand_in = example.join("stand_in");
        let mut compile = Command::new("g++");
        let flags =
            "-std=c++20 -O1 -w -ffp-contract=off -fno-builtin -frounding-math -no-pie -pthread";
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
    });
}
