//! `torchada check --baseline FILE`: findings that are known.

use std::fs;
use std::path::Path;

use crate::common::program::{text, torchada};
use crate::common::trees::write_tree;
use serde_json::Value;

const KERNEL: &str = "int version = CUDART_VERSION;\n";

/// The exit code and the codes found by a check against the baseline.
fn checked(place: &Path, more: &[&str]) -> (Option<i32>, Vec<String>) {
    let line = ["check", ".", "--format", "json", "--baseline", "known.json"];
    let output = torchada(place, &[&line, more].concat());
    let Ok(report) = serde_json::from_slice::<Value>(&output.stdout) else {
        return (output.status.code(), vec![text(&output.stderr)]);
    };
    let findings = report["findings"].as_array().expect("a list");
    let codes = findings.iter().map(|one| {
        let place = one["path"].as_str().unwrap_or_default();
        format!(
            "{place}:{} {}",
            one["line"],
            one["code"].as_str().unwrap_or_default()
        )
    });
    (output.status.code(), codes.collect())
}

fn with_state(place: &Path, state: &str) {
    let path = place.join("known.json");
    let mut known: Value =
        serde_json::from_slice(&fs::read(&path).expect("a baseline")).expect("JSON");
    known["findings"][0]["state"] = state.into();
    known["findings"][0]["note"] = "by a person".into();
    fs::write(path, known.to_string()).expect("written");
}

#[test]
fn what_is_known_is_not_found_again_wherever_its_line_goes() {
    let place = write_tree(&[("k.cu", KERNEL)]);
    let place = place.path();
    assert_eq!(checked(place, &["--update-baseline"]), (Some(0), vec![]));
    let moved = format!("// more\n\n    {KERNEL}int other = CUDART_VERSION;\n");
    fs::write(place.join("k.cu"), moved).expect("written");
    let new = vec!["k.cu:4 CPP056".to_owned()];
    assert_eq!(checked(place, &[]), (Some(1), new));
    let output = torchada(place, &["check", "k.cu", "--baseline", "known.json"]);
    assert!(
        text(&output.stdout).contains("baseline    1 open\n"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn a_state_stays_through_an_update_and_what_is_fixed_must_not_come_back() {
    let place = write_tree(&[("k.cu", KERNEL), ("other/k.cu", KERNEL)]);
    let place = place.path();
    checked(place, &["--update-baseline"]);
    with_state(place, "verified-on-hardware");
    assert_eq!(checked(place, &["--update-baseline"]), (Some(0), vec![]));
    let known = fs::read_to_string(place.join("known.json")).expect("a baseline");
    assert!(known.contains("verified-on-hardware") && known.contains("by a person"));
    with_state(place, "fixed");
    let back = vec!["k.cu:1 CPP056".to_owned()];
    assert_eq!(checked(place, &[]), (Some(1), back));
    // What is not looked at stays known.
    fs::remove_file(place.join("k.cu")).expect("removed");
    fs::write(place.join("j.cu"), KERNEL).expect("written");
    torchada(
        place,
        &[
            "check",
            "j.cu",
            "--baseline",
            "known.json",
            "--update-baseline",
        ],
    );
    assert_eq!(checked(place, &[]), (Some(0), vec![]));
}

#[test]
fn a_file_that_is_no_baseline_is_an_error() {
    let place = write_tree(&[("k.cu", KERNEL), ("known.json", "{\"findings\": []}")]);
    let place = place.path();
    let (code, printed) = checked(place, &[]);
    assert_eq!(code, Some(2));
    assert!(
        printed[0].contains("known.json is no baseline"),
        "{printed:?}"
    );
    assert!(printed[0].contains("move it aside"), "{printed:?}");
    fs::remove_file(place.join("known.json")).expect("removed");
    let (code, printed) = checked(place, &[]);
    assert_eq!(code, Some(2));
    assert!(
        printed[0].contains("--update-baseline` writes it"),
        "{printed:?}"
    );
}
