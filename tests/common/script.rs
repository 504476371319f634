//! Programs that a test writes and runs.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Write a script that can be run at once.
///
/// A process of its own writes it: were the file open for writing here, a test that starts a program in another thread
/// at that moment would hand the open file on, and Linux runs no file that somebody may still write ("Text file busy").
pub(crate) fn write_script(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
    let mut writer = Command::new("/bin/sh")
        .args(["-c", "cat >\"$1\" && chmod 755 \"$1\"", "sh"])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = writer.stdin.take().expect("a pipe");
    input.write_all(text.as_bytes()).expect("written");
    drop(input);
    assert!(
        writer.wait().expect("it ends").success(),
        "{}",
        path.display()
    );
}
