//! `torchada port --watch` as somebody sees it who works on a project: each change is ported, and it says what came of it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::common::trees::write_tree;

/// How long a line is waited for: the machine may have other work.
const PATIENCE: Duration = Duration::from_mins(1);

/// A program that runs until the test ends.
struct Watching {
    child: Child,
    messages: Receiver<String>,
}

impl Watching {
    fn of(command: &mut Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
        let (say, messages) = channel();
        let err = BufReader::new(child.stderr.take().expect("a pipe"));
        thread::spawn(move || {
            for line in err.lines().map_while(Result::ok) {
                let _ = say.send(line);
            }
        });
        Self { child, messages }
    }

    /// What it says up to a line with some words, that line included.
    fn until(&self, words: &str) -> String {
        let mut all = String::new();
        loop {
            let line = self.messages.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("no `{words}` after\n{all}"));
            all.push_str(&line);
            all.push('\n');
            if line.contains(words) {
                return all;
            }
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn each_change_is_ported_and_spoken_of() {
    let place = write_tree(&[
        ("p/k.cu", "void f() { cudaFree(nullptr); }\n"),
        ("p/words.txt", "words\n"),
    ]);
    let place = place.path();
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchada"));
    let command = command.args(["port", "p", "-o", "m", "--watch", "--no-facts"]);
    let watching = Watching::of(command.current_dir(place));
    let first = watching.until("watching p; Ctrl-C ends it");
    assert!(first.contains("ported p to m"), "{first}");
    let port = |path: &str| fs::read_to_string(place.join("m").join(path)).unwrap_or_default();
    assert!(port("k.mu").contains("musaFree(nullptr)"));

    let more = "void f() { cudaFree(nullptr); }\nint v = CUDART_VERSION;\n";
    fs::write(place.join("p/k.cu"), more).expect("written");
    let messages = watching.until("CPP056");
    assert!(
        messages.starts_with("k.cu changed: ported in "),
        "{messages}"
    );
    assert!(
        messages.contains("findings: 1 new; 1 error in all"),
        "{messages}"
    );
    assert!(messages.contains("\nk.cu:2:9: error[CPP056]"), "{messages}");
    assert!(port("k.mu").contains("int v"));

    // A fault of the configuration ends nothing.
    fs::write(place.join("p/torchada.toml"), "ptx = 3\n").expect("written");
    let messages = watching.until("torchada.toml:1");
    assert!(
        messages.contains("torchada.toml changed: not ported"),
        "{messages}"
    );
    fs::remove_file(place.join("p/torchada.toml")).expect("removed");
    watching.until("findings: ");
    fs::rename(place.join("p/k.cu"), place.join("p/l.cu")).expect("renamed");
    let messages = watching.until("l.cu:2:9");
    assert!(
        messages.contains("k.cu, l.cu changed: ported in "),
        "{messages}"
    );
    assert!(messages.contains("findings: 1 new, 1 gone"), "{messages}");
    assert!(port("k.mu").is_empty() && port("l.mu").contains("int v"));
}

#[test]
fn what_is_no_port_of_files_is_not_watched() {
    let place = write_tree(&[("k.cu", "")]);
    for more in ["--diff", "--check", "--dry-run", "--in-place"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_torchada"));
        let command = command.args(["port", ".", "--watch", more]);
        let output = command.current_dir(place.path()).output().expect("it ran");
        assert_eq!(output.status.code(), Some(2), "{more}");
    }
}
