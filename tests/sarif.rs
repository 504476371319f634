//! `torchada check --format sarif` writes what the schema of SARIF 2.1.0 takes.

use crate::common::trees;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::common::program::{text, torchada};
use crate::common::trees::write_into;
use jsonschema::Validator;
use serde_json::Value;
use torchada::commands::codes;
use torchada::diagnostic::Finding;
use torchada::mapping::codes::Explanations;
use torchada::report;

/// The schema; `tests/schemas/README.md` says where it is from.
fn schema() -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas/sarif-2.1.0.json");
    let text = fs::read_to_string(path).expect("readable");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    let options = jsonschema::options().should_validate_formats(true);
    options.build(&schema).expect("a schema")
}

/// What the schema has against a log, each with its place in it.
fn faults(schema: &Validator, log: &Value) -> Vec<String> {
    schema
        .iter_errors(log)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect()
}

fn log(folder: &Path, arguments: &[&str]) -> Value {
    let output = torchada(folder, &[arguments, &["--format", "sarif"]].concat());
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)))
}

fn results(log: &Value) -> &[Value] {
    log["runs"][0]["results"].as_array().expect("a list")
}

fn codes_of(log: &Value) -> BTreeSet<String> {
    let ids = results(log).iter().map(|one| &one["ruleId"]);
    ids.map(|id| id.as_str().expect("a code").to_owned())
        .collect()
}

/// The examples of all rules in one tree, in folders whose names need escapes, with two files in
/// which comments hide findings.
#[test]
fn the_findings_of_every_example_are_valid() {
    let schema = schema();
    let place = tempfile::tempdir().expect("a folder");
    let texts = Explanations::builtin();
    let mut expected = BTreeSet::new();
    for text in texts.iter() {
        let example = &text.example;
        if example.command == "check ." && example.setup.is_empty() && example.not_run.is_none() {
            expected.insert(text.code.clone());
            for (path, content) in &example.files {
                let path = format!("é {} %41#?/{path}", text.code);
                write_into(place.path(), &[(&path, content)]);
            }
        }
    }
    assert!(expected.len() > 100, "most examples are of this kind");
    let folders: Vec<String> = fs::read_dir(place.path())
        .expect("readable")
        .map(|entry| entry.expect("readable").file_name().into_string())
        .collect::<Result<_, _>>()
        .expect("UTF-8");
    let mut folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    folders.sort_unstable();
    let log = log(place.path(), &[&["check"], &folders[..]].concat());
    assert_eq!(faults(&schema, &log), [""; 0]);
    let lacking: Vec<_> = expected.difference(&codes_of(&log)).cloned().collect();
    assert_eq!(lacking, [""; 0], "no result with these codes");
    for result in results(&log) {
        let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        let uri = uri.as_str().expect("a URI");
        let path = percent_encoding::percent_decode_str(uri).decode_utf8();
        let path = place.path().join(&*path.expect("UTF-8"));
        assert!(path.exists(), "{uri} leads nowhere");
    }
}

#[test]
fn what_a_comment_hides_is_valid_and_suppressed() {
    let schema = schema();
    for name in ["markers-in-comments", "python-markers"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fixtures")
            .join(name);
        let log = log(&folder, &["check", "input"]);
        assert_eq!(faults(&schema, &log), [""; 0], "{name}");
        let hidden = results(&log)
            .iter()
            .filter(|one| !one["suppressions"].is_null());
        assert!(hidden.count() > 0, "{name}");
    }
}

/// What no run shows is valid, too: a finding of each code about a whole file.
#[test]
fn a_finding_of_every_code_is_valid() {
    let of = |path: &str| -> Vec<Finding> {
        let codes = codes::all().into_iter();
        codes
            .map(|code| Finding::whole(code, path, "`x`: \"%\"\u{1}\n\u{2028}"))
            .collect()
    };
    let texts = Explanations::builtin();
    let log = report::sarif(
        &of("a b/ü:\\#.cu"),
        &[],
        report::Hidden {
            in_source: &of("."),
            external: &of("c"),
        },
        &|code| texts.get(code),
        &|_| None,
    );
    let log: Value = serde_json::from_slice(&log).expect("JSON");
    assert_eq!(faults(&schema(), &log), [""; 0]);
    assert_eq!(codes_of(&log).len(), codes::all().len());
}

#[test]
fn a_log_without_findings_is_valid() {
    let place = trees::write_tree(&[("k.cu", "int a;\n")]);
    let log = log(place.path(), &["check", "."]);
    assert_eq!(faults(&schema(), &log), [""; 0]);
}

/// The schema is one that can say no.
#[test]
fn a_wrong_log_is_refused() {
    let place = trees::write_tree(&[("k.cu", "int a = CUDART_VERSION;\n")]);
    let sound = log(place.path(), &["check", "."]);
    for (pointer, wrong) in [
        ("/runs/0/results/0/level", Value::from("fatal")),
        ("/runs/0/results/0/message", serde_json::json!({})),
        ("/version", Value::from("0.1.0")),
        (
            "/runs/0/results/0/locations/0/physicalLocation/region/startLine",
            Value::from(0),
        ),
    ] {
        let mut log = sound.clone();
        *log.pointer_mut(pointer).expect(pointer) = wrong;
        assert_ne!(faults(&schema(), &log), [""; 0], "{pointer}");
    }
}
