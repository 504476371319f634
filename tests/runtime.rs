//! The runtime's Python, on a double of `torch_musa`: the suite of the double itself, and that of the stub.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runtime")
}

/// Where environments are kept: below cargo's target folder, unless somebody says otherwise.
fn cache() -> OsString {
    env::var_os("TORCHADA_RUNTIME_CACHE").unwrap_or_else(|| {
        let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let target = temporary.parent().expect("cargo's target folder");
        target.join("runtime").into_os_string()
    })
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
            .env("TORCHADA_BIN", env!("CARGO_BIN_EXE_torchada"))
            .output();
        match output {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            other => return other.expect("Python can be started"),
        }
    }
    panic!("there is no python3 and no python3.11: the runtime testbed needs Python 3.11 with pip");
}

fn said(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&text).into_owned()
}

/// Runs a suite on the double; the environment is made first, so that its failure is told from a test's.
fn passes(suite: &[&str]) {
    let environment = run("environment.py", &[]);
    assert!(
        environment.status.success(),
        "the environment could not be made, so nothing of the runtime was tested.\n{}",
        said(&environment)
    );
    let done = run("with-double", suite);
    assert!(done.status.success(), "{}", said(&done));
}

#[test]
fn the_double_is_like_torch_musa() {
    passes(&["--no-stub", "python", "-m", "pytest", "-c", "pytest.ini"]);
}

#[test]
fn code_written_for_cuda_runs_through_the_stub() {
    passes(&["python", "-m", "pytest", "-c", "pytest.ini", "stub"]);
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
    let said = said(&output);
    assert!(!output.status.success(), "{said}");
    assert!(
        said.contains("the download of torch-2.7.1 failed"),
        "{said}"
    );
}
