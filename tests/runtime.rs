//! The runtime's Python, on a double of `torch_musa`: the suite of the double itself, and that of the stub.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::environments::{cache, printed_by};
use crate::common::passed::Suite;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runtime")
}

/// Runs a script of the testbed with a Python; it looks for the right one itself.
fn run(script: &str, arguments: &[&str]) -> Output {
    for python in ["python3", "python3.11"] {
        let output = Command::new(python)
            .arg(folder().join(script))
            .args(arguments)
            .current_dir(folder())
            .env("TORCHADA_RUNTIME_CACHE", cache())
            // what builds extensions through the stub; without it those tests would be left out
            .env("TORCHADA_BINARY", env!("CARGO_BIN_EXE_torchada"))
            .output();
        match output {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            other => return other.expect("Python can be started"),
        }
    }
    panic!("there is no python3 and no python3.11: the runtime testbed needs Python 3.11 with pip");
}

/// Makes the environment, so that its failure is told from a test's. Returns its folder.
fn environment() -> PathBuf {
    let made = run("environment.py", &[]);
    assert!(
        made.status.success(),
        "the environment could not be made, so nothing of the runtime was tested.\n{}",
        printed_by(&made)
    );
    PathBuf::from(String::from_utf8_lossy(&made.stdout).trim())
}

/// Runs a suite of pytest's on the double, unless it passed with the same testbed, stub and environment.
fn passes(name: &'static str, testbed: &[&str], pytest: &[&str]) {
    let environment = environment();
    let program = Path::new(env!("CARGO_BIN_EXE_torchada"));
    let hangs_on = Suite::new(name)
        .with(&environment.to_string_lossy())
        .with_files(&folder())
        .with_files(&folder().join("../../src/stub/torchada"));
    let hangs_on = if name == BUILDS {
        hangs_on.with_files(program)
    } else {
        hangs_on
    };
    hangs_on.run(|| {
        let python = ["python", "-m", "pytest", "-c", "pytest.ini"];
        let line = [testbed, &python, pytest].concat();
        let done = run("with-double", &line);
        assert!(done.status.success(), "{}", printed_by(&done));
    });
}

/// What builds extensions asks the translator.
const BUILDS: &str = "stub-builds";

#[test]
fn the_double_is_like_torch_musa() {
    passes("double", &["--no-stub"], &[]);
}

#[test]
fn code_written_for_cuda_runs_through_the_stub() {
    passes(
        "stub",
        &[],
        &["stub", "--ignore", "stub/test_cpp_extension.py"],
    );
}

#[test]
fn extensions_are_built_through_the_stub() {
    passes(BUILDS, &[], &["stub/test_cpp_extension.py"]);
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
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("OMP_NUM_THREADS", "1")
        .output()
        .expect("Python can be started");
    let printed = printed_by(&output);
    assert!(output.status.success(), "{printed}");
    printed.lines().last().unwrap_or_default().to_owned()
}

/// A project's tests on the double; the port brings its own runtime package.
fn tested_on_musa(dialect: &str) -> String {
    let place = tempfile::tempdir().expect("a temporary folder");
    let project = ported(dialect, place.path());
    let mut command = Command::new("python3");
    command
        .arg(folder().join("with-double"))
        .args(["--no-stub", "python"])
        .env("TORCHADA_RUNTIME_CACHE", cache());
    tested(&project, &mut command)
}

#[test]
fn a_ported_project_passes_its_tests_on_musa() {
    let last = tested_on_musa("musa");
    // on the CPU half of them are skipped, for want of a device
    assert!(!last.contains("skipped"), "{last}");
}

#[test]
fn a_portable_project_passes_its_tests_on_musa() {
    let last = tested_on_musa("portable");
    assert!(!last.contains("skipped"), "{last}");
}

#[test]
fn a_portable_project_passes_its_tests_without_musa() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let project = ported("portable", place.path());
    let python = environment().join("bin/python");
    let last = tested(&project, &mut Command::new(python));
    assert!(last.contains("skipped"), "there is no device: {last}");
}

#[test]
fn a_download_that_fails_is_called_one() {
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
}
