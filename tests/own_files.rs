//! Files that commands write where the user says: nothing that another wrote is lost, and a place that can't be
//! written is known before anything is.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::common::passed::Suite;
use crate::common::program::{text, torchada};
use crate::common::trees::{read_tree, write_into, write_tree};

const KERNEL: &str = "#include <cuda_runtime.h>\nint v = CUDART_VERSION;\n";
const LOG: &str = "k.mu:2:9: error: unknown type name 'musaEvent_t'\n";

/// A tree, its port, and a log of a build of the port.
fn place() -> TempDir {
    let place = write_tree(&[("p/k.cu", KERNEL), ("build.log", LOG)]);
    let ported = torchada(place.path(), &["port", "p", "-o", "q", "-q"]);
    assert!(ported.status.success(), "{}", text(&ported.stderr));
    place
}

/// Run a command that must refuse and change nothing.
#[track_caller]
fn refused(place: &Path, line: &[String], messages: &[&str]) {
    let before = read_tree(place);
    let words: Vec<&str> = line.iter().map(String::as_str).collect();
    let output = torchada(place, &words);
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{line:?}: {err}");
    for message in messages {
        assert!(err.contains(message), "{line:?}: no `{message}` in\n{err}");
    }
    assert_eq!(read_tree(place), before, "{line:?}");
}

/// A command that writes a file, with `FILE` in the place of its name.
const WRITERS: [&[&str]; 9] = [
    &["port", "p", "-o", "new", "--report", "FILE"],
    &["port", "p/k.cu", "-o", "new.mu", "--report", "FILE"],
    &["explain-log", "build.log", "--port", "q", "-o", "FILE"],
    &["build", "--port", "q", "-o", "FILE", "--", "true"],
    &["report", "q", "-o", "FILE"],
    &["alias-header", "p", "-o", "FILE"],
    &["check", "p", "--update-baseline", "--baseline", "FILE"],
    &["unport", "a.patch", "--input", "p", "-o", "FILE"],
    &["run", "--report=FILE", "program.py"],
];

/// The command line that writes `file`.
fn line(writer: &[&str], file: &str) -> Vec<String> {
    let words = writer.iter();
    words.map(|word| word.replace("FILE", file)).collect()
}

#[test]
fn nothing_takes_the_place_of_a_file_that_another_wrote() {
    let place = place();
    write_into(place.path(), &[("mine.txt", "mine\n"), ("p/empty.py", "")]);
    for writer in WRITERS {
        for file in ["mine.txt", "p/k.cu", "build.log"] {
            refused(place.path(), &line(writer, file), &["help", file]);
        }
    }
    let empty = line(WRITERS[0], "p/empty.py");
    refused(place.path(), &empty, &["p/empty.py is there"]);
}

#[test]
fn a_place_that_cannot_be_written_is_known_before_anything_is_done() {
    let place = place();
    for writer in WRITERS {
        let option = writer
            .iter()
            .find(|word| word.starts_with("--report") || **word == "-o");
        let option = match writer[0] {
            "port" | "run" => "--report",
            "check" => "--baseline",
            _ => option.expect("an option"),
        };
        refused(
            place.path(),
            &line(writer, "none/file"),
            &["there is no folder none", option],
        );
        if writer[0] != "check" {
            let line = line(writer, "p");
            refused(place.path(), &line, &["p is a folder", option]);
        }
    }
}

#[test]
fn what_a_command_wrote_it_writes_again() {
    Suite::without_rules("own-files-twice", "own_files.rs").run(|| {
        let place = place();
        let twice = |line: &[&str], codes: &[i32]| {
            for _ in 0..2 {
                let output = torchada(place.path(), line);
                let code = output.status.code().expect("an end");
                assert!(codes.contains(&code), "{line:?}: {}", text(&output.stderr));
            }
        };
        twice(&["port", "p", "-o", "q", "--report", "r.json"], &[0]);
        twice(
            &["port", "p", "-o", "other", "--report", "other/r.json"],
            &[0],
        );
        for format in [
            "causes", "full", "concise", "json", "github", "gitlab", "sarif", "junit",
        ] {
            let file = format!("answer.{format}");
            let line = [
                "explain-log",
                "build.log",
                "--port",
                "q",
                "--format",
                format,
                "-o",
                &file,
            ];
            twice(&line, &[1]);
            let nothing = format!("nothing.{format}");
            fs::write(place.path().join("empty.log"), "").expect("written");
            let line = [
                "explain-log",
                "empty.log",
                "--port",
                "q",
                "--format",
                format,
                "-o",
                &nothing,
            ];
            twice(&line, &[0]);
        }
    });
}
