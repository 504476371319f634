//! Whole trees in, whole trees out: every folder of `fixtures/`, byte for byte.
//!
//! `UPDATE_FIXTURES=1 cargo test --test suite port::` writes what the program gives; read each change
//! before you keep it, because a fixture says what is right and not what happens.

use std::fs;
use std::path::Path;

use crate::common::fixtures::{Fixture, all, difference, read, write};
use crate::common::side_by_side::side_by_side;
use serde_json::Value;
use torchada::cli::Exit;

/// Findings, a line each.
fn findings(list: &Value) -> String {
    lines(list, |finding| {
        let at = place(finding);
        let text = |key: &str| finding[key].as_str().unwrap_or_default();
        format!(
            "{at}: {}[{}] {}",
            text("severity"),
            text("code"),
            text("message")
        )
    })
}

/// Findings in what no build for MUSA compiles, and why none does, a line each.
fn not_built(list: &Value) -> String {
    lines(list, |finding| {
        let text = |key: &str| finding[key].as_str().unwrap_or_default();
        let (severity, code) = (text("severity"), text("code"));
        format!("{}: {severity}[{code}] {}", place(finding), text("why"))
    })
}

/// What stays for a reason that is no fault, a line each.
fn kept(report: &Value) -> String {
    let single = lines(&report["kept"], |kept| {
        let text = |key: &str| kept[key].as_str().unwrap_or_default();
        format!("{}: {} {}", place(kept), text("reason"), text("name"))
    });
    let whole = lines(&report["kept_paths"], |kept| {
        let text = |key: &str| kept[key].as_str().unwrap_or_default();
        format!("{}: {}", text("path"), text("reason"))
    });
    whole + &single
}

fn lines(list: &Value, line: impl Fn(&Value) -> String) -> String {
    let list = list.as_array().expect("a list");
    list.iter().map(|entry| line(entry) + "\n").collect()
}

fn place(entry: &Value) -> String {
    let cell = entry["cell"].as_u64();
    let cell = cell.map_or(String::new(), |cell| format!(":cell {cell}"));
    format!(
        "{}{cell}:{}:{}",
        entry["path"].as_str().unwrap_or_default(),
        entry["line"],
        entry["column"]
    )
}

/// Compare with a file of the fixture, or write it.
fn hold(fixture: &Fixture, file: &str, fresh: &str, update: bool) -> String {
    let path = fixture.folder.join(file);
    if update {
        let result = match fresh {
            "" if path.exists() => fs::remove_file(&path),
            "" => Ok(()),
            text => fs::write(&path, text),
        };
        result.expect("the fixture can be written");
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    if committed == fresh {
        return String::new();
    }
    let diff = similar::TextDiff::from_lines(committed.as_str(), fresh);
    format!("{file}:\n{}", diff.unified_diff().context_radius(0))
}

fn check(fixture: &Fixture, update: bool) -> String {
    let port = fixture.port(&[]);
    let expected = fixture.folder.join("expected");
    if update {
        if expected.exists() {
            fs::remove_dir_all(&expected).expect("removed");
        }
        write(&expected, &port.tree);
    }
    let mut faults = difference(&read(&expected), &port.tree);
    faults += &hold(
        fixture,
        "findings.txt",
        &findings(&port.report["findings"]),
        update,
    );
    faults += &hold(
        fixture,
        "suppressed.txt",
        &findings(&port.report["suppressed"]),
        update,
    );
    faults += &hold(
        fixture,
        "not_built.txt",
        &not_built(&port.report["not_built"]),
        update,
    );
    faults += &hold(fixture, "kept.txt", &kept(&port.report), update);
    // What was taken back shows in how the port ends.
    let taken_back = findings(&port.report["findings"]).contains(" error[CPP040] ");
    let ends = if taken_back {
        Exit::Partial
    } else {
        Exit::Done
    };
    if port.exit != ends {
        faults.extend([format!("the port ended with {:?}\n", port.exit)]);
    }
    faults
}

#[test]
fn every_fixture_becomes_what_is_expected() {
    let update = std::env::var_os("UPDATE_FIXTURES").is_some();
    let wanted = std::env::var("FIXTURE").unwrap_or_default();
    let mut fixtures = all();
    fixtures.retain(|fixture| fixture.name.contains(&wanted));
    let faults = side_by_side(&fixtures, |fixture| {
        let found = check(fixture, update);
        match found.as_str() {
            "" => found,
            _ => format!("── {}\n{found}\n", fixture.name),
        }
    });
    let faults = faults.concat();
    assert!(
        faults.is_empty(),
        "these fixtures differ (- expected, + given):\n\n{faults}\n\
         `UPDATE_FIXTURES=1 cargo test --test suite port::` takes what the port gives, once you have read it; \
         `FIXTURE=NAME` runs those whose name holds NAME"
    );
}

#[test]
fn every_fixture_is_complete() {
    for fixture in all() {
        for part in ["input", "expected"] {
            assert!(
                fixture.folder.join(part).is_dir(),
                "fixtures/{} has no folder `{part}`",
                fixture.name
            );
        }
        for entry in fs::read_dir(&fixture.folder).expect("readable") {
            let name = entry.expect("readable").file_name();
            let known = [
                "input",
                "expected",
                "args",
                "findings.txt",
                "suppressed.txt",
                "not_built.txt",
                "kept.txt",
            ];
            assert!(
                known
                    .iter()
                    .any(|known| Path::new(known) == Path::new(&name)),
                "fixtures/{}/{} means nothing to the test",
                fixture.name,
                name.display()
            );
        }
    }
}
