//! What hosts of code start: the hooks for pre-commit and the GitHub Action, run as they stand.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where the environment is kept, as those of the runtime's tests are.
fn cache() -> PathBuf {
    env::var_os("TORCHADA_RUNTIME_CACHE").map_or_else(
        || {
            let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
            temporary
                .parent()
                .expect("cargo's target folder")
                .join("runtime")
        },
        PathBuf::from,
    )
}

fn said(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&text).into_owned()
}

/// Run a script with the Python that has pre-commit.
fn passes(script: &str) {
    let folder = root().join("tests/hosts");
    let environment = Command::new("python3")
        .arg(folder.join("environment.py"))
        .arg(cache())
        .output()
        .expect("python3 starts");
    assert!(
        environment.status.success(),
        "the environment could not be made, so nothing was tested; is PyPI reachable?\n{}",
        said(&environment)
    );
    let python = String::from_utf8_lossy(&environment.stdout);
    let output = Command::new(python.trim())
        .arg("-B")
        .arg(folder.join(script))
        .arg(root())
        .arg(env!("CARGO_BIN_EXE_torchada"))
        .output()
        .expect("Python starts");
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn the_hooks_and_the_action_work() {
    // One after the other: both need the environment, which one of them makes.
    passes("hooks.py");
    passes("action.py");
}
