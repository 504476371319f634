//! README.md tells the truth: its examples are run, and its commands are those of `.ci/run`.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// Where the examples are said to run.
const SHOWN: &str = "/home/you/torchada";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).expect("README.md is there")
}

/// The blocks of one language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let open = format!("```{language}\n");
    let pieces = text.split(open.as_str()).skip(1);
    pieces
        .filter_map(|piece| piece.split("```").next().map(str::to_owned))
        .collect()
}

/// A folder with the fixtures, where the examples run.
fn place() -> TempDir {
    let place = TempDir::new().expect("a temporary folder");
    let fixtures = root().join("fixtures");
    let status = Command::new("cp")
        .arg("-R")
        .arg(fixtures)
        .arg(place.path())
        .status();
    assert!(status.expect("cp runs").success());
    place
}

#[test]
fn the_examples_show_what_happens() {
    let place = place();
    let real = place.path().canonicalize().expect("there");
    let program = format!("'{}' ", env!("CARGO_BIN_EXE_torchada"));
    for block in blocks(&readme(), "console") {
        let (command, shown) = block.split_once('\n').expect("a command and its output");
        let command = command.strip_prefix("$ ").expect("a prompt");
        let line = command.replacen(
            "torchada ",
            &program,
            usize::from(command.starts_with("torchada ")),
        );
        let output = Command::new("sh")
            .args(["-c", &format!("{line} 2>&1")])
            .current_dir(&real)
            .env("GIT_CEILING_DIRECTORIES", real.parent().expect("a parent"))
            .output()
            .expect("sh runs");
        let real_output = String::from_utf8_lossy(&output.stdout);
        let real_output = real_output.replace(&real.display().to_string(), SHOWN);
        assert_eq!(
            shown, real_output,
            "README.md shows something else for `{command}`"
        );
    }
}

#[test]
fn the_configuration_is_sound() {
    let [sample] = blocks(&readme(), "toml").try_into().expect("one sample");
    let place = TempDir::new().expect("a temporary folder");
    fs::create_dir(place.path().join("p")).expect("made");
    fs::write(place.path().join("p/torchada.toml"), sample).expect("written");
    fs::write(
        place.path().join("p/k.cu"),
        "void f() { cudaProfilerStart(); cudaFree(0); }\n",
    )
    .expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_torchada"))
        .args(["port", "p"])
        .current_dir(place.path())
        .output()
        .expect("it runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let ported = fs::read_to_string(place.path().join("p_musa/k.mu")).expect("written");
    assert_eq!(ported, "void f() { cudaProfilerStart(); musaFree(0); }\n");
}

#[test]
fn two_commands_do_all_the_set_up_and_ci_runs_the_second() {
    let commands: Vec<String> = blocks(&readme(), "sh")
        .into_iter()
        .filter(|block| block.starts_with("cargo "))
        .map(|block| block.trim().to_owned())
        .collect();
    let [port, test] = commands.as_slice() else {
        panic!(
            "README.md gives {} commands for a fresh machine: {commands:?}",
            commands.len()
        )
    };
    assert!(
        port.starts_with("cargo run --release -- port fixtures/"),
        "{port}"
    );
    let script = fs::read_to_string(root().join(".ci/run")).expect(".ci/run is there");
    let runs: Vec<&str> = script
        .lines()
        .filter(|line| {
            !line.starts_with('#') && !line.starts_with("set ") && !line.starts_with("cd ")
        })
        .filter(|line| !line.is_empty())
        .collect();
    assert_eq!(
        runs,
        [test.as_str()],
        ".ci/run and README.md give different commands"
    );
}

#[test]
fn every_link_into_the_tree_leads_somewhere() {
    for page in [
        "README.md",
        "docs/architecture.md",
        "docs/report.md",
        "docs/rules.md",
    ] {
        let text = fs::read_to_string(root().join(page)).expect("readable");
        let folder = root().join(page);
        let folder = folder.parent().expect("a parent");
        for target in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let file = target.split('#').next().unwrap_or_default();
            if !file.is_empty() && !file.contains("://") {
                assert!(
                    folder.join(file).exists(),
                    "{page} links to {file}, which is not there"
                );
            }
        }
    }
}
