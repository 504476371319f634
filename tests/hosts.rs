//! What hosts of code start: the hooks for pre-commit and the GitHub Action, run as they stand; the workflows, audited.

use std::path::Path;
use std::process::Command;

use crate::common::environments::{cache, printed_by};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Run a script with the Python that has pre-commit and zizmor.
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
        printed_by(&environment)
    );
    let python = String::from_utf8_lossy(&environment.stdout);
    let output = Command::new(python.trim())
        .arg("-B")
        .arg(folder.join(script))
        .arg(root())
        .arg(env!("CARGO_BIN_EXE_torchada"))
        .output()
        .expect("Python starts");
    assert!(output.status.success(), "{}", printed_by(&output));
}

#[test]
fn the_hooks_the_action_and_the_workflows_work() {
    // One after the other: all need the environment, which one of them makes.
    passes("hooks.py");
    passes("action.py");
    passes("workflows.py");
}
