//! A run shows how far it is, to people at a terminal and to nobody else.

use std::process::{Command, Stdio};

use crate::common::passed::Suite;
use crate::common::program::{text, torchada};
use crate::common::trees::write_tree;
use serde_json::Value;

/// Starts a program with standard error at a terminal, and standard output in a pipe.
const AT_A_TERMINAL: &str = r#"
import fcntl, json, os, pty, struct, subprocess, sys, termios, threading
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
seen = []
def read():
    try:
        while piece := os.read(master, 65536):
            seen.append(piece)
    except OSError:  # Linux's way to say that nobody writes any more
        pass
reader = threading.Thread(target=read)
reader.start()
done = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=slave, stdin=subprocess.DEVNULL)
os.close(slave)
out = done.stdout.read()
code = done.wait()
reader.join()
print(json.dumps({"code": code, "out": out.decode(), "err": b"".join(seen).decode()}))
"#;

/// A tree of so many files.
fn tree(files: usize) -> tempfile::TempDir {
    let text = "void f(cudaStream_t s) { cudaStreamSynchronize(s); cudaFree(nullptr); }\n";
    let files: Vec<(String, &str)> = (0..files).map(|at| (format!("p/k{at}.cu"), text)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, *text)).collect();
    write_tree(&files)
}

/// Variables that decide whether somebody looks.
fn bare(command: &mut Command) -> &mut Command {
    command
        .env_remove("CI")
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env("TERM", "xterm")
}

fn at_a_terminal(
    folder: &std::path::Path,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> Value {
    let mut command = Command::new("python3");
    bare(&mut command)
        .args(["-c", AT_A_TERMINAL, env!("CARGO_BIN_EXE_torchada")])
        .args(arguments)
        .current_dir(folder)
        .envs(variables.iter().copied());
    let output = command.output().expect("Python starts");
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// The sequence that makes a terminal write letters bold.
const BOLD: &str = "\u{1b}[1m";

/// What only the bar says.
fn shows_a_bar(printed: &str) -> bool {
    printed.contains("translating [")
}

#[test]
fn a_run_shows_how_far_it_is_at_a_terminal_only() {
    Suite::without_rules("progress-terminal", "progress.rs").run(|| {
        let place = tree(80);
        let line = [
            "check",
            "p",
            "--format",
            "concise",
            "--fail-on",
            "never",
            "--progress",
            "now",
        ];
        let shown = at_a_terminal(place.path(), &line, &[]);
        let err = shown["err"].as_str().expect("text");
        assert!(shows_a_bar(err), "{err}");
        assert!(err.contains("/80 files"), "{err}");
        // What is left in the end is the summary; the bar's line was cleared before it.
        let last = err.rsplit("\r\u{1b}[2K").next().expect("a part");
        assert!(!shows_a_bar(last) && last.contains("checked p"), "{last}");
        // The result is the same as in a pipe, byte for byte.
        let mut piped = Command::new(env!("CARGO_BIN_EXE_torchada"));
        let piped = bare(&mut piped)
            .args(line)
            .current_dir(place.path())
            .stdin(Stdio::null())
            .output()
            .expect("it starts");
        assert_eq!(
            shown["out"],
            String::from_utf8_lossy(&piped.stdout).as_ref()
        );
        assert!(!shows_a_bar(&String::from_utf8_lossy(&piped.stderr)));
        // Nor where nobody wants it, or nobody can see it move.
        let never = [&line[..line.len() - 1], &["never"]].concat();
        let quiet = [&line[..], &["--quiet"]].concat();
        for (line, variables) in [
            (&never[..], &[][..]),
            (&quiet[..], &[][..]),
            (&line[..], &[("CI", "true")][..]),
            (&line[..], &[("TERM", "dumb")][..]),
        ] {
            let shown = at_a_terminal(place.path(), line, variables);
            let err = shown["err"].as_str().expect("text");
            assert!(!shows_a_bar(err), "{line:?} {variables:?}: {err}");
        }
        // A port writes, too.
        let shown = at_a_terminal(
            place.path(),
            &["port", "p", "--progress", "now"],
            &[("NO_COLOR", "1")],
        );
        let plain = shown["err"].as_str().expect("text");
        // Colours are another matter: the summary of the check had them.
        assert!(err.contains(BOLD) && !plain.contains(BOLD), "{plain}");
        let err = plain;
        assert!(
            shows_a_bar(err) && err.contains("ported p to p_musa"),
            "{err}"
        );
    });
}

#[test]
fn a_short_run_shows_none() {
    let place = tree(1);
    let shown = at_a_terminal(place.path(), &["check", "p"], &[]);
    let err = shown["err"].as_str().expect("text");
    assert_eq!(err, "");
}

#[test]
fn a_run_says_where_its_time_went() {
    let place = write_tree(&[("a.py", "import torch\n\ntorch.cuda.synchronize()\n")]);
    let silent = torchada(place.path(), &["check", "."]);
    let timed = torchada(place.path(), &["check", ".", "--timings"]);
    assert_eq!(text(&timed.stdout), text(&silent.stdout));
    assert_eq!(timed.status.code(), silent.status.code());
    let timings = text(&timed.stderr);
    for what in ["listing", "reading", "translating", "python-attributes"] {
        assert!(
            timings.lines().any(|line| line.trim().starts_with(what)),
            "{what} in {timings}"
        );
    }
}
