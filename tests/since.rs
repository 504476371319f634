//! `torchada check --since REV`: findings on the lines that a change touches.

use std::fs;
use std::path::Path;

use crate::common::program::{text, torchada};
use crate::common::trees::{git, write_tree};
use serde_json::Value;

const KERNEL: &str = "int one = CUDART_VERSION;\nint two;\n";
/// Git puts the name into quotes where it shows it.
const NAME: &str = "a \"b\"\\é.cu";

/// A repository with one commit on `main`, and a branch from it.
fn repository() -> tempfile::TempDir {
    let place = write_tree(&[(NAME, KERNEL), ("old/k.cu", KERNEL)]);
    git(place.path(), &["init", "--quiet", "--initial-branch=main"]);
    commit(place.path());
    git(place.path(), &["checkout", "--quiet", "-b", "side"]);
    place
}

fn commit(place: &Path) {
    git(place, &["add", "--all"]);
    let who = ["-c", "user.name=a", "-c", "user.email=a@b"];
    git(
        place,
        &[&who[..], &["commit", "--quiet", "-m", "more"]].concat(),
    );
}

fn found(place: &Path, arguments: &[&str]) -> Vec<String> {
    let fixed = ["check", "--format", "json", "--since", "main"];
    let output = torchada(place, &[&fixed, arguments].concat());
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)));
    let findings = report["findings"].as_array().expect("a list");
    let places = findings.iter().map(|one| {
        let path = one["path"].as_str().unwrap_or_default();
        format!("{path}:{}", one["line"])
    });
    places.collect()
}

#[test]
fn only_lines_of_the_change_are_spoken_of() {
    let place = repository();
    let place = place.path();
    assert_eq!(found(place, &["."]), Vec::<String>::new());
    let changed = format!("// more\n{KERNEL}int three = CUDART_VERSION;\n");
    fs::write(place.join(NAME), changed).expect("written");
    fs::write(place.join("old/new.cu"), KERNEL).expect("written");
    commit(place);
    let new = [format!("{NAME}:4"), "old/new.cu:1".to_owned()];
    assert_eq!(found(place, &["."]), new);
    assert_eq!(found(place, &["old"]), ["old/new.cu:1"]);
    assert_eq!(found(place, &["old/new.cu"]), ["old/new.cu:1"]);
    let output = torchada(place, &["check", ".", "--since", "main"]);
    let printed = text(&output.stdout);
    assert!(
        printed.contains("unchanged   2 findings on lines that did not change"),
        "{printed}"
    );
}

/// What a directive kept from the compiler is found once it is gone, although its own lines are as they were.
#[test]
fn a_directive_that_is_gone_has_all_of_its_file_looked_at() {
    let place = repository();
    let place = place.path();
    let guarded = format!("#ifdef __HIP_PLATFORM_AMD__\n{KERNEL}#endif\n");
    fs::write(place.join("old/k.cu"), guarded).expect("written");
    commit(place);
    git(place, &["checkout", "--quiet", "-B", "main"]);
    git(place, &["checkout", "--quiet", "-b", "next"]);
    fs::write(place.join("old/k.cu"), KERNEL).expect("written");
    assert_eq!(found(place, &["."]), ["old/k.cu:1"]);
}

#[test]
fn what_the_other_branch_changed_since_is_no_change() {
    let place = repository();
    let place = place.path();
    git(place, &["checkout", "--quiet", "main"]);
    fs::write(place.join("old/k.cu"), "int one;\n").expect("written");
    commit(place);
    git(place, &["checkout", "--quiet", "side"]);
    assert_eq!(found(place, &["."]), Vec::<String>::new());
}

#[test]
fn a_revision_that_git_does_not_know_is_an_error() {
    let place = repository();
    for revision in ["nowhere", "--output=x"] {
        let since = format!("--since={revision}");
        let output = torchada(place.path(), &["check", ".", &since]);
        assert_eq!(output.status.code(), Some(2), "{revision}");
        let printed = text(&output.stderr);
        assert!(
            printed.contains("git can't tell what changed since"),
            "{printed}"
        );
    }
    assert!(!place.path().join("x").exists());
}

/// A declaration that is gone makes a name of another file unknown, whose lines are as they were.
#[test]
fn a_machine_without_git_hears_what_is_missing() {
    let place = repository();
    let empty = place.path().join("no-programs");
    fs::create_dir(&empty).expect("made");
    let run = |arguments: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_torchada"))
            .args(arguments)
            .current_dir(place.path())
            .env("PATH", &empty)
            .output()
            .expect("it runs");
        (
            output.status.code(),
            text(&output.stdout) + &text(&output.stderr),
        )
    };
    let (code, printed) = run(&["check", ".", "--since", "HEAD"]);
    assert_eq!(code, Some(2), "{printed}");
    assert!(
        printed.contains("there is no git on the PATH\nhelp: install git"),
        "{printed}"
    );
    let (_, printed) = run(&["check", ".", "--format", "concise"]);
    assert!(
        printed.contains("git could not list the tree (there is no git on the PATH)"),
        "{printed}"
    );
}

#[test]
fn what_a_gone_line_causes_elsewhere_is_new() {
    let use_of_own = "#include \"own.h\"\nint a = cudaOwn(1);\nint b = CUDART_VERSION;\n";
    let own = "inline int cudaOwn(int a) { return a; }\nint other;\n";
    let place = write_tree(&[("own.h", own), ("k.cu", use_of_own)]);
    let place = place.path();
    git(place, &["init", "--quiet", "--initial-branch=main"]);
    commit(place);
    git(place, &["checkout", "--quiet", "-b", "side"]);
    fs::write(place.join("own.h"), "int other;\n").expect("written");
    assert_eq!(found(place, &["."]), ["k.cu:2"]);
    // A use that is gone says nothing of the others.
    let without = use_of_own.replace("int b = CUDART_VERSION;\n", "");
    fs::write(
        place.join("own.h"),
        format!("{own}int c = CUDART_VERSION;\n"),
    )
    .expect("written");
    commit(place);
    git(place, &["checkout", "--quiet", "-B", "main"]);
    git(place, &["checkout", "--quiet", "-B", "side"]);
    fs::write(place.join("k.cu"), without).expect("written");
    assert_eq!(found(place, &["."]), Vec::<String>::new());
}
