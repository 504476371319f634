//! A real browser, for pages: Debian's chromium, driven by `tests/browser/drive.py`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Once;

use super::program::text;
use serde_json::{Value, json};

/// The program of Debian's chromium, which is installed where it is not there.
pub(crate) fn chromium() -> &'static str {
    static INSTALLED: Once = Once::new();
    let is_there = || {
        let version = Command::new("chromium").arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    };
    INSTALLED.call_once(|| {
        if !is_there() {
            let script = "export DEBIAN_FRONTEND=noninteractive; as=$([ $(id -u) = 0 ] || echo sudo -n); \
                          $as apt-get update -q && $as apt-get install -qy --no-install-recommends chromium";
            let output = Command::new("sh").args(["-c", script]).output();
            let output = output.expect("sh runs");
            assert!(
                is_there(),
                "the page is tested in chromium, which is not there and could not be installed: \
                 `apt-get install chromium` as root, and run the test again\n{}{}",
                text(&output.stdout),
                text(&output.stderr)
            );
        }
    });
    "chromium"
}

/// What came of some steps in a browser, during which the page must print nothing on its console and open nothing else.
pub(crate) fn results(input: &str) -> Vec<Value> {
    let printed = driven(input);
    assert_eq!(printed["messages"], json!([]));
    printed["results"].as_array().expect("a list").clone()
}

/// What came of some steps in a browser, with all that the page printed and opened meanwhile.
pub(crate) fn driven(input: &str) -> Value {
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/drive.py");
    let mut child = Command::new("python3")
        .arg(driver)
        .arg(chromium())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("python3 runs");
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(input.as_bytes()).expect("taken");
    drop(pipe);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}
