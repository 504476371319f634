//! What a suite of Python's has the program port: where each of these ports is what it was, the suite passes as it did.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::fixtures::{self, Port};
use super::passed::Suite;
use super::script::write_script;
use super::side_by_side::side_by_side;
use torchada::cli::Exit;

/// Run a suite that has the program port, unless it passed with the same files and the same ports. `tests` takes the
/// program that it is to call, and panics where it fails.
pub(crate) fn run_with_ports(suite: &Suite, tests: impl FnOnce(&Path)) {
    let mark = suite.mark();
    let folder = mark.with_extension("ports");
    if suite
        .passed()
        .is_some_and(|passed| passed == ports(&folder))
    {
        return;
    }
    // Without its mark no suite has passed, whatever becomes of what was recorded.
    let _ = fs::remove_file(&mark);
    tests(&recorder(&folder));
    suite.pass(&ports(&folder));
}

/// A new folder for the ports that are recorded, with a program in it that takes the place of torchada.
fn recorder(folder: &Path) -> PathBuf {
    let _ = fs::remove_dir_all(folder);
    let kept = folder.join("kept");
    fs::create_dir_all(&kept).expect("made");
    let head = format!(
        "#!/bin/sh\nKEPT='{}'\nPROGRAM='{}'\n",
        kept.display(),
        env!("CARGO_BIN_EXE_torchada")
    );
    let path = folder.join("torchada");
    write_script(&path, &(head + include_str!("recorder.sh")));
    path
}

/// A digest of what the program makes now of all that was recorded in a folder.
fn ports(folder: &Path) -> String {
    let found = fs::read_dir(folder.join("kept")).into_iter().flatten();
    let found: Vec<PathBuf> = found.map(|entry| entry.expect("readable").path()).collect();
    let mut ports = side_by_side(&found, |kept| port(kept));
    ports.sort_unstable();
    blake3::hash(ports.concat().as_bytes()).to_string()
}

/// A digest of one port: how it ended, what it wrote and what it reported.
fn port(kept: &Path) -> String {
    let place = fixtures::place();
    let input = fixtures::read(&kept.join("input"));
    fixtures::write(&place.path().join("input"), &input);
    let output = place.path().join("output");
    let arguments = fs::read_to_string(kept.join("arguments")).unwrap_or_default();
    let ended = Command::new(env!("CARGO_BIN_EXE_torchada"))
        .arg("port")
        .arg(place.path().join("input"))
        .arg("-o")
        .arg(&output)
        .args(arguments.lines())
        .output()
        .expect("it starts");
    let text = if output.join(".torchada").is_dir() {
        let Port {
            tree,
            report_text,
            outputs,
            ..
        } = Port::read(place.path(), &input, Exit::Done);
        format!("{:?}{tree:?}{report_text}{outputs:?}", ended.status.code())
    } else {
        let messages = String::from_utf8_lossy(&ended.stderr).into_owned();
        format!("{:?}{messages}", ended.status.code())
    };
    blake3::hash(text.as_bytes()).to_string()
}
