//! The runtime's Python, on a double of `torch_musa`: the suite of the double itself, and that of the stub.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::environments::{cache, printed_by};
use crate::common::fixtures;
use crate::common::passed::Suite;
use crate::common::recorded::run_with_ports;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runtime")
}

/// Runs a script of the testbed with a Python; it looks for the right one itself. `program` is what the stub asks for
/// ports; without it the tests that build extensions would be left out.
fn run(script: &str, arguments: &[&str], program: &Path) -> Output {
    for python in ["python3", "python3.11"] {
        let output = Command::new(python)
            .arg(folder().join(script))
            .args(arguments)
            .current_dir(folder())
            .env("TORCHADA_RUNTIME_CACHE", cache())
            .env("TORCHADA_BINARY", program)
            .output();
        match output {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            other => return other.expect("Python can be started"),
        }
    }
    panic!("there is no python3 and no python3.11: the runtime testbed needs Python 3.11 with pip");
}

/// Makes the environment before any test runs, so that a failure of it is not taken for a test's. Returns its folder.
fn environment() -> PathBuf {
    let made = run("environment.py", &[], program());
    assert!(
        made.status.success(),
        "the environment could not be made, so nothing of the runtime was tested.\n{}",
        printed_by(&made)
    );
    PathBuf::from(String::from_utf8_lossy(&made.stdout).trim())
}

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_torchada"))
}

/// A suite on the double, with the testbed, the stub and the environment that it depends on.
fn suite(name: &'static str) -> Suite {
    Suite::new(name)
        .with(&environment().to_string_lossy())
        .with_files(&folder())
        .with_files(&folder().join("../runtime.rs"))
        .with_files(&folder().join("../../src/stub/torchada"))
}

/// Runs pytest on the double.
fn passes(testbed: &[&str], pytest: &[&str], program: &Path) {
    let python = ["python", "-m", "pytest", "-c", "pytest.ini"];
    let line = [testbed, &python, pytest].concat();
    let done = run("with-double", &line, program);
    assert!(done.status.success(), "{}", printed_by(&done));
}

#[test]
fn the_double_is_like_torch_musa() {
    suite("double").run(|| passes(&["--no-stub"], &[], program()));
}

/// The try-out's suite, and of the double's own what holds for the package over it, too.
const TRY_OUT: [&str; 6] = [
    "tryout",
    "on_musa/test_autograd.py",
    "on_musa/test_graphs.py",
    "on_musa/test_memory.py",
    "on_musa/test_streams.py",
    "on_musa/test_tensors.py",
];

#[test]
fn a_program_is_tried_out_on_a_device_of_pythons() {
    suite("try-out").run(|| passes(&["--try-out"], &TRY_OUT, program()));
}

#[test]
#[ignore = "takes two more versions of PyTorch"]
fn a_program_is_tried_out_on_other_versions_of_pytorch() {
    for version in ["2.11.0", "2.15.0"] {
        passes(&["--try-out", "--torch", version], &TRY_OUT, program());
    }
}

/// Files of the stub's suite that take as long as all others together, since each of their tests is a process: they run
/// beside the others.
const PROCESSES: [&str; 2] = ["stub/test_import.py", "stub/test_cpp_ops.py"];
const EXTENSIONS: &str = "stub/test_cpp_extension.py";

#[test]
fn code_written_for_cuda_runs_through_the_stub() {
    let beside = PROCESSES.into_iter().chain([EXTENSIONS]);
    let beside = beside.flat_map(|file| ["--ignore", file]);
    let pytest: Vec<&str> = std::iter::once("stub").chain(beside).collect();
    suite("stub").run(|| passes(&[], &pytest, program()));
}

/// What programs do to torch, on another version than the one that every run has.
fn cases_hold_with(version: &str) {
    passes(&["--torch", version], &["stub/cases"], program());
}

#[test]
#[ignore = "downloads torch, 530 MB, and compiles the double for it"]
fn cases_hold_with_torch_2_11() {
    cases_hold_with("2.11.0");
}

#[test]
#[ignore = "downloads torch, 540 MB, and compiles the double for it"]
fn cases_hold_with_torch_2_15() {
    cases_hold_with("2.15.0");
}

#[test]
fn the_stub_is_imported_in_any_order_and_has_operators_of_a_users_own() {
    suite("stub-processes").run(|| passes(&[], &PROCESSES, program()));
}

#[test]
fn extensions_are_built_through_the_stub() {
    let suite = suite("stub-builds").with_program_but_rules();
    run_with_ports(&suite, |program| passes(&[], &[EXTENSIONS], program));
}

/// Ports `tests/runtime/sample`, a project that trains on a GPU, and gives the folder.
fn ported(dialect: &str, place: &Path) -> PathBuf {
    let target = place.join(dialect);
    let output = Command::new(env!("CARGO_BIN_EXE_torchada"))
        .args(["port", "--dialect", dialect, "--output"])
        .arg(&target)
        .arg(folder().join("sample"))
        .output()
        .expect("torchada can be started");
    assert!(output.status.success(), "{}", printed_by(&output));
    target
}

/// Runs a project's own tests, as who works on it does, and gives what pytest says last.
fn tested(project: &Path, command: &mut Command) -> String {
    let output = command
        .args(["-m", "pytest", "-q"])
        .current_dir(project)
        .env("PYTHONDONTWRITEBYTECODE", "")
        .env("PYTHONPYCACHEPREFIX", environment().join("bytecode"))
        .env("OMP_NUM_THREADS", "1")
        .output()
        .expect("Python can be started");
    let printed = printed_by(&output);
    assert!(output.status.success(), "{printed}");
    printed.lines().last().unwrap_or_default().to_owned()
}

/// The project's tests, unless they passed with the same port. `python` starts Python.
fn passes_ported(name: &'static str, dialect: &str, python: &dyn Fn() -> Command, skips: bool) {
    let place = tempfile::tempdir().expect("a temporary folder");
    let project = ported(dialect, place.path());
    let suite = suite(name).with_tree(&fixtures::read(&project));
    suite.run(|| {
        let last = tested(&project, &mut python());
        assert_eq!(last.contains("skipped"), skips, "{last}");
    });
}

/// Python on the double; a port brings its own runtime package.
fn on_musa() -> Command {
    let mut command = Command::new("python3");
    command
        .arg(folder().join("with-double"))
        .args(["--no-stub", "python"])
        .env("TORCHADA_RUNTIME_CACHE", cache());
    command
}

/// Python on the CPU, where half of the tests are skipped for want of a device.
fn without_musa() -> Command {
    Command::new(environment().join("bin/python"))
}

#[test]
fn a_ported_project_passes_its_tests_on_musa() {
    passes_ported("sample-musa", "musa", &on_musa, false);
}

#[test]
fn a_portable_project_passes_its_tests_on_musa() {
    passes_ported("sample-portable", "portable", &on_musa, false);
}

#[test]
fn a_portable_project_passes_its_tests_without_musa() {
    passes_ported("sample-cpu", "portable", &without_musa, true);
}

#[test]
fn a_download_that_fails_is_called_one() {
    Suite::new("runtime-download")
        .with_version("python3")
        .with_files(&folder())
        .run(|| {
            let place = tempfile::tempdir().expect("a temporary folder");
            let output = Command::new("python3")
                .arg(folder().join("environment.py"))
                .env("TORCHADA_RUNTIME_CACHE", place.path())
                .env("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
                .env("PIP_CONFIG_FILE", "/dev/null")
                .env_remove("PIP_FIND_LINKS")
                .output()
                .expect("python3 can be started");
            let printed = printed_by(&output);
            assert!(!output.status.success(), "{printed}");
            assert!(
                printed.contains("the download of torch-2.7.1 failed"),
                "{printed}"
            );
        });
}
