//! Every code of a finding has an explanation, and every explanation's example shows its finding.
//!
//! `UPDATE_DOCS=1 cargo test --test suite rules::` writes what the examples print, and `docs/rules.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::fixtures::place;
use crate::common::trees::without_own_git;
use crate::documents::{self, is_fresh, update};
use torchada::commands::codes;
use torchada::diagnostic::Code;
use torchada::mapping::Tables;
use torchada::mapping::causes::CauseTable;
use torchada::mapping::codes::{Explanation, Explanations};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn texts() -> &'static Explanations {
    Explanations::builtin()
}

#[test]
fn every_code_with_a_name_is_used() {
    let mut words = BTreeSet::new();
    for entry in walkdir::WalkDir::new(root().join("src")) {
        let path = entry.expect("readable").into_path();
        if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("readable");
            let is_end = |one: char| !one.is_ascii_alphanumeric() && one != '_';
            words.extend(text.split(is_end).map(str::to_owned));
        }
    }
    let named = texts().iter().filter_map(|text| text.name.as_ref());
    let unused: Vec<_> = named.filter(|name| !words.contains(*name)).collect();
    assert!(unused.is_empty(), "no rule has findings of {unused:?}");
}

#[test]
fn the_table_of_causes_lists_codes_and_libraries_that_there_are() {
    let codes: BTreeSet<&str> = codes::all().iter().map(|code| code.id).collect();
    let libraries = Tables::builtin().libraries().iter();
    let libraries: BTreeSet<&str> = libraries.map(|library| &*library.title).collect();
    let mut listed = BTreeSet::new();
    for row in CauseTable::builtin().rows() {
        for code in &row.codes {
            assert!(codes.contains(&**code), "no finding has {code}");
            assert!(listed.insert(code), "{code} stands twice");
        }
        for title in &row.replaced {
            assert!(libraries.contains(&**title), "no table is called {title}");
        }
    }
}

#[test]
fn every_code_is_explained() {
    let explained: BTreeSet<&str> = texts().iter().map(|text| text.code.as_str()).collect();
    let all = codes::all();
    let codes: BTreeSet<&str> = all.iter().map(|code| code.id).collect();
    assert_eq!(all.len(), codes.len(), "two codes have one id");
    let lacking: Vec<_> = codes.difference(&explained).collect();
    assert!(
        lacking.is_empty(),
        "mappings/rules/ lacks an explanation of {lacking:?}"
    );
    let stale: Vec<_> = explained.difference(&codes).collect();
    assert!(
        stale.is_empty(),
        "mappings/rules/ explains codes that no finding has: {stale:?}"
    );
}

/// What the program prints for an example, cut down to the findings of its code.
fn printed(text: &Explanation) -> String {
    let place = place();
    let folder = place.path().join("project");
    for (path, content) in &text.example.files {
        let full = folder.join(path);
        fs::create_dir_all(full.parent().expect("a parent")).expect("folders");
        fs::write(full, content).expect("written");
    }
    let program = Path::new(env!("CARGO_BIN_EXE_torchada"));
    let program_folder = program.parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let shell = |line: &str| {
        without_own_git(&mut Command::new("sh"))
            .args(["-c", line])
            .current_dir(&folder)
            .env("PATH", format!("{}:{path}", program_folder.display()))
            .env("GIT_CEILING_DIRECTORIES", place.path())
            .output()
            .expect("sh runs")
    };
    for line in &text.example.setup {
        let output = shell(line);
        assert!(
            output.status.success(),
            "{}: `{line}` fails: {}",
            text.code,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let output = shell(&format!(
        "torchada {} --select {} --color never",
        text.example.command, text.code
    ));
    let output_text = String::from_utf8_lossy(&output.stdout).into_owned();
    let findings = output_text.split("\nchecked ").next().unwrap_or_default();
    let findings = findings.split("\nread ").next().unwrap_or_default();
    let lines: Vec<&str> = findings.lines().map(str::trim_end).collect();
    lines.join("\n").trim().to_owned() + "\n"
}

#[test]
fn every_example_shows_its_finding() {
    let mut stored = BTreeMap::new();
    let mut faults = String::new();
    for text in texts().iter() {
        let code = text.code.as_str();
        if text.example.not_run.is_some() {
            continue;
        }
        let fresh = printed(text);
        if !fresh.contains(&format!("[{code}]")) {
            let _ = writeln!(faults, "the example of {code} does not give it:\n{fresh}");
        } else if texts().printed(code) != Some(&fresh) && !update() {
            let old = texts().printed(code).unwrap_or_default();
            let diff = similar::TextDiff::from_lines(old, &fresh);
            let _ = writeln!(faults, "{code}:\n{}", diff.unified_diff().context_radius(1));
        }
        stored.insert(code, fresh);
    }
    assert!(
        faults.is_empty(),
        "{faults}\n`UPDATE_DOCS=1 cargo test --test suite rules::` writes what is printed now: read it"
    );
    if update() {
        let mut page = String::from(
            "# What the examples of the rules make the program print. Generated: see cpp.toml.\n",
        );
        for (code, text) in &stored {
            let _ = write!(page, "\n{code} = '''\n{text}'''\n");
        }
        fs::write(root().join("mappings/rules/printed.toml"), page).expect("written");
    }
}

#[test]
fn the_document_is_up_to_date() {
    let rules: Vec<(Code, &Explanation)> = codes::all()
        .into_iter()
        .filter_map(|code| Some((code, texts().get(code.id)?)))
        .collect();
    let fresh = documents::rules::markdown(&rules, &|code| texts().printed(code)).expect("written");
    // Where an example prints something else, this has to run twice.
    is_fresh("docs/rules.md", &fresh, "rules::");
}
