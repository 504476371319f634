//! Files and folders that the user may not read: each is named, the rest is done, and the exit code says that it is not
//! the whole tree.

use std::path::Path;
use std::process::Output;

use crate::common::nobody::{give_away, program_as_nobody, set_mode};
use crate::common::program::text;
use crate::common::trees::{git, write_tree};
use serde_json::Value;
use tempfile::TempDir;

const KERNEL: &str = "#include <cuda_runtime.h>\nvoid f() { cudaMalloc(0, 0); }\n";

/// A tree in which the user may not read some paths.
struct Case {
    place: TempDir,
    locked: Vec<&'static str>,
    /// A folder into which the user may not write.
    write_locked: Option<&'static str>,
}

impl Case {
    fn new(locked: &[&'static str]) -> Self {
        let files = [
            ("p/deep/locked/a.cu", KERNEL),
            ("p/deep/b.cu", KERNEL),
            ("p/c.cu", KERNEL),
            ("p/setup.py", "import torch\ntorch.cuda.synchronize()\n"),
            ("p/notes.txt", "nothing\n"),
        ];
        Self {
            place: write_tree(&files),
            locked: locked.to_vec(),
            write_locked: None,
        }
    }

    fn run(&self, line: &[&str]) -> Output {
        let root = self.place.path();
        set_mode(root, 0o755);
        give_away(root);
        let all = |mode| {
            for path in &self.locked {
                set_mode(&root.join(path), mode);
            }
        };
        all(0);
        let unlocked = |mode| {
            if let Some(path) = self.write_locked {
                set_mode(&root.join(path), mode);
            }
        };
        unlocked(0o555);
        let output = program_as_nobody()
            .args(line)
            .current_dir(root)
            .env("GIT_CEILING_DIRECTORIES", root)
            .env("XDG_STATE_HOME", root.join("state"))
            .output();
        // So that the folder can be removed.
        all(0o755);
        unlocked(0o755);
        output.expect("it runs")
    }
}

/// The findings of a report about what could not be read: their codes and paths.
fn unread(report: &[u8]) -> Vec<(String, String)> {
    let report: Value = serde_json::from_slice(report).expect("JSON");
    let findings = report["findings"].as_array().expect("a list").iter();
    let of = |one: &Value, key: &str| one[key].as_str().expect("text").to_owned();
    let found = findings.map(|one| (of(one, "code"), of(one, "path"), of(one, "message")));
    let about = found.filter(|(_, _, message)| message.contains("Permission denied"));
    about
        .map(|(code, path, message)| {
            assert!(!message.contains("/tmp"), "{message}");
            (code, path)
        })
        .collect()
}

fn pair(code: &str, path: &str) -> (String, String) {
    (code.to_owned(), path.to_owned())
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_folder_is_named_and_the_rest_of_the_tree_is_ported() {
    let case = Case::new(&["p/deep/locked"]);
    let output = case.run(&["port", "p"]);
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains("1 failed"), "{printed}");
    let out = case.place.path().join("p_musa");
    for path in ["deep/b.mu", "c.mu"] {
        assert!(read(&out.join(path)).contains("musaMalloc"), "{path}");
    }
    assert!(!out.join("deep/locked").exists());
    let report = read(&out.join(".torchada/report.json"));
    assert_eq!(
        unread(report.as_bytes()),
        [pair("PRJ011", "deep/locked")],
        "{report}"
    );
    // Once it can be read, the next run does it.
    let output = Case {
        locked: Vec::new(),
        ..case
    };
    let second = output.run(&["port", "p"]);
    assert_eq!(second.status.code(), Some(0), "{}", text(&second.stderr));
    assert!(out.join("deep/locked/a.mu").exists());
}

#[test]
fn a_folder_that_git_tracks_is_named_file_by_file() {
    let case = Case::new(&["p/deep/locked"]);
    let repository = case.place.path().join("p");
    git(&repository, &["init", "-q"]);
    git(&repository, &["add", "-A"]);
    let output = case.run(&["check", "p", "--format", "json"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    let found = unread(&output.stdout);
    assert!(
        found.iter().all(|(code, _)| code == "PRJ011")
            && found.iter().any(|(_, path)| path.contains("p/deep/locked")),
        "{found:?}"
    );
}

#[test]
fn a_check_of_a_folder_that_it_could_not_read_has_failed() {
    let case = Case::new(&["p/deep/locked"]);
    let output = case.run(&["check", "p", "--format", "json", "--fail-on", "never"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert_eq!(
        unread(&output.stdout),
        [pair("PRJ011", "p/deep/locked")],
        "{}",
        text(&output.stdout)
    );
    // What is hidden from the list is no less unread.
    let output = case.run(&["check", "p", "--ignore", "PRJ"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

#[test]
fn files_are_named_and_the_rest_of_the_tree_is_done() {
    let locked = ["p/c.cu", "p/setup.py", "p/notes.txt"];
    let case = Case::new(&locked);
    let output = case.run(&["port", "p"]);
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains("3 failed"), "{printed}");
    let out = case.place.path().join("p_musa");
    assert!(read(&out.join("deep/b.mu")).contains("musaMalloc"));
    let report = read(&out.join(".torchada/report.json"));
    let named = ["c.cu", "notes.txt", "setup.py"].map(|path| pair("PRJ008", path));
    assert_eq!(unread(report.as_bytes()), named);

    // A check reads no text that it does not need.
    let output = case.run(&["check", "p", "--format", "json"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    let named = ["p/c.cu", "p/setup.py"].map(|path| pair("PRJ008", path));
    assert_eq!(unread(&output.stdout), named);
}

#[test]
fn whatever_is_shown_names_what_could_not_be_done() {
    let case = Case::new(&["p/c.cu"]);
    for line in [
        &["port", "p", "--diff"][..],
        &["port", "p", "--diff", "--by-rule"],
        &["port", "p", "--dry-run", "--quiet"],
        &["port", "p", "--quiet"],
    ] {
        let output = case.run(line);
        let messages = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line:?}: {messages}");
        assert!(
            messages.starts_with("c.cu:1:1: error[PRJ008]"),
            "{line:?}: {messages}"
        );
    }
    let counts = text(&case.run(&["port", "p", "--dry-run"]).stderr);
    let expected = "5 seen, 3 ported, 1 copied, 2 renamed, 1 failed\n";
    assert!(counts.contains(expected), "{counts}");
}

#[test]
fn a_file_of_the_output_that_can_not_be_written_is_named_and_counted_once() {
    let mut case = Case::new(&[]);
    assert_eq!(case.run(&["port", "p"]).status.code(), Some(0));
    for path in ["p/deep/b.cu", "p/deep/locked/a.cu"] {
        let path = case.place.path().join(path);
        std::fs::write(path, KERNEL.replace("(0, 0)", "(0, 1)")).expect("written");
    }
    // Whoever may not write into a folder may still look into it.
    let folder = case.place.path().join("p_musa/deep/locked");
    case.write_locked = Some("p_musa/deep/locked");
    let output = case.run(&["port", "p"]);
    let messages = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{messages}");
    let expected = "5 seen, 3 ported, 1 copied, 3 renamed, 1 failed\n";
    assert!(messages.contains(expected), "{messages}");
    let expected = "the output's `deep/locked/a.mu` can't be written: Permission denied";
    assert!(messages.contains(expected), "{messages}");
    assert!(!read(&folder.join("a.mu")).contains("(0, 1)"));
    assert!(read(&folder.join("../b.mu")).contains("(0, 1)"));
}

#[test]
fn a_port_is_not_in_step_with_a_tree_that_it_could_not_read() {
    let mut case = Case::new(&[]);
    assert_eq!(case.run(&["port", "p"]).status.code(), Some(0));
    case.locked.push("p/deep/locked");
    let output = case.run(&["port", "p", "--check"]);
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(printed.contains("deep/locked"), "{printed}");
}

#[test]
fn what_the_last_port_made_of_an_unreadable_source_stays_with_its_edits() {
    let mut case = Case::new(&[]);
    assert_eq!(case.run(&["port", "p"]).status.code(), Some(0));
    let out = case.place.path().join("p_musa");
    let edited = format!("// mine\n{}", read(&out.join("c.mu")));
    std::fs::write(out.join("c.mu"), &edited).expect("written");
    case.locked.extend(["p/deep/locked", "p/c.cu"]);
    let checked = text(&case.run(&["port", "p", "--check"]).stderr);
    assert!(
        checked.contains("2 files that could not be looked at") && !checked.contains("gone"),
        "{checked}"
    );
    let printed = text(&case.run(&["port", "p"]).stderr);
    assert!(
        !printed.contains("removed") && !printed.contains("PRJ043"),
        "{printed}"
    );
    assert_eq!(read(&out.join("c.mu")), edited);
    assert!(read(&out.join("deep/locked/a.mu")).contains("musaMalloc"));
    // The next port knows both as the last one's.
    case.locked.clear();
    let source = case.place.path().join("p/c.cu");
    std::fs::write(&source, KERNEL.replace("(0, 0)", "(0, 1)")).expect("written");
    let last = case.run(&["port", "p"]);
    assert_eq!(last.status.code(), Some(0), "{}", text(&last.stderr));
    let merged = read(&out.join("c.mu"));
    assert!(
        merged.contains("musaMalloc(0, 1)") && merged.starts_with("// mine\n"),
        "{merged}"
    );
    assert!(!out.join("c.mu.ported").exists());
}

#[test]
fn where_only_a_copy_of_the_report_can_not_be_written_the_exit_code_is_not_that_of_nothing() {
    let mut case = Case::new(&[]);
    std::fs::create_dir(case.place.path().join("reports")).expect("made");
    case.write_locked = Some("reports");
    let output = case.run(&["port", "p", "--report", "reports/r.json"]);
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains("all else is done"), "{printed}");
    assert!(case.place.path().join("p_musa/c.mu").is_file());
}

#[test]
fn a_baseline_that_can_not_be_written_is_named_with_its_option() {
    let mut case = Case::new(&[]);
    std::fs::create_dir(case.place.path().join("known")).expect("made");
    case.write_locked = Some("known");
    let known = ["--baseline", "known/b.json", "--update-baseline"];
    let output = case.run(&[&["check", "p"][..], &known].concat());
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(
        printed.contains("give another FILE to --baseline"),
        "{printed}"
    );
}

#[test]
fn what_is_named_itself_is_refused() {
    let case = Case::new(&["p/deep/locked", "p/c.cu"]);
    for line in [
        &["port", "p/deep/locked"][..],
        &["check", "p/deep/locked"],
        &["port", "p/c.cu"],
        &["check", "p/c.cu"],
    ] {
        let output = case.run(line);
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line:?}: {printed}");
        assert!(printed.contains("Permission denied"), "{line:?}: {printed}");
    }
}
