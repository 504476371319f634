//! What the program is built of comes from crates.io, under licences that `deny.toml` allows.
//!
//! `cargo deny check` says more, and takes minutes to build: `docs/dependencies.md` says how it is run.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use spdx::{Expression, ParseMode};
use toml::Table;

/// The packages of the build for this machine, as cargo lists them.
fn packages() -> Vec<Value> {
    let rustc = Command::new("rustc")
        .arg("-vV")
        .output()
        .expect("rustc runs");
    let printed = String::from_utf8(rustc.stdout).expect("UTF-8");
    let host = printed.lines().find_map(|line| line.strip_prefix("host: "));
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--format-version=1", "--locked"])
        .args(["--filter-platform", host.expect("a host")])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let all = metadata["packages"].as_array().expect("a list");
    let others = all
        .iter()
        .filter(|one| one["name"] != env!("CARGO_PKG_NAME"));
    others.cloned().collect()
}

fn deny() -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deny.toml");
    let text = fs::read_to_string(path).expect("readable");
    text.parse().expect("TOML")
}

/// The texts of a list in a table of `deny.toml`.
fn list(deny: &Table, table: &str, key: &str) -> Vec<String> {
    let list = deny[table][key].as_array().expect("a list").iter();
    list.map(|one| one.as_str().expect("text").to_owned())
        .collect()
}

#[test]
fn every_licence_is_allowed() {
    let allowed = list(&deny(), "licenses", "allow");
    let mut faults = Vec::new();
    for package in packages() {
        let licence = package["license"].as_str().unwrap_or_default();
        // `MIT/Apache-2.0` is how it was written once.
        let expression = Expression::parse_mode(licence, ParseMode::LAX);
        let is_allowed = expression
            .is_ok_and(|expression| expression.evaluate(|one| allowed.contains(&one.to_string())));
        if !is_allowed {
            faults.push(format!("{}: `{licence}`", package["name"]));
        }
    }
    assert!(
        faults.is_empty(),
        "not among the licences of deny.toml: {faults:#?}"
    );
}

#[test]
fn every_dependency_is_from_an_allowed_registry() {
    let allowed = list(&deny(), "sources", "allow-registry");
    for package in packages() {
        // A room of the program itself.
        let manifest = package["manifest_path"].as_str().unwrap_or_default();
        if manifest.starts_with(concat!(env!("CARGO_MANIFEST_DIR"), "/src/")) {
            continue;
        }
        let source = package["source"].as_str().unwrap_or("a folder");
        let known = allowed
            .iter()
            .any(|one| source == format!("registry+{one}"));
        assert!(known, "{} comes from {source}", package["name"]);
    }
}

#[test]
fn no_dependency_is_banned() {
    let deny = deny();
    let banned = deny["bans"]["deny"].as_array().expect("a list");
    let banned: Vec<&str> = banned
        .iter()
        .filter_map(|one| one["crate"].as_str())
        .collect();
    assert!(!banned.is_empty());
    for package in packages() {
        let name = package["name"].as_str().expect("a name");
        assert!(!banned.contains(&name), "{name} is banned");
    }
}
