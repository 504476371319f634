//! CONTRIBUTING.md is followed: its files are written, its commands run, and what it names is there.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::followed::follow;
use crate::common::markdown::blocks;
use crate::common::passed::Suite;
use tempfile::TempDir;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page() -> String {
    fs::read_to_string(root().join("CONTRIBUTING.md")).expect("CONTRIBUTING.md is there")
}

#[test]
fn the_guide_can_be_followed() {
    let place = TempDir::new().expect("a temporary folder");
    let done = follow(&root().join("CONTRIBUTING.md"), place.path(), "/home/you");
    assert_eq!((done.files, done.commands), (3, 3));
}

#[test]
fn what_the_guide_names_is_there() {
    let page = page();
    for block in blocks(&page) {
        // What is shown of a test is in one.
        if block.code.starts_with("[[case]]") {
            let mut cases = fs::read_dir(root().join("tests/cases")).expect("a folder");
            let shown = cases.any(|file| {
                let text = fs::read_to_string(file.expect("readable").path());
                text.is_ok_and(|text| text.contains(block.code.trim()))
            });
            assert!(shown, "no file of tests/cases has\n{}", block.code);
        }
        for word in block
            .code
            .split_whitespace()
            .filter(|_| block.language == "sh")
        {
            if let Some(module) = word.strip_suffix("::") {
                let is_there = root().join(format!("tests/{module}.rs")).is_file();
                assert!(
                    is_there || module == "cases",
                    "there is no module {module} of tests"
                );
            }
        }
    }
    let prose: String = page.split("```").step_by(2).collect();
    for name in prose.split('`').skip(1).step_by(2) {
        // `NAME` stands for what a reader puts there.
        let is_open = [" ", "frees-twice", "NAME"]
            .iter()
            .any(|part| name.contains(part));
        let is_path = name.contains('/') && !is_open;
        if is_path && name != "try/k.cu" {
            assert!(root().join(name).exists(), "CONTRIBUTING.md names {name}");
        }
    }
}

/// The document of the rooms leads to files that are there, by a whole path or by its end.
#[test]
fn the_files_that_the_document_of_the_rooms_names_are_there() {
    let page = fs::read_to_string(root().join("docs/architecture.md")).expect("architecture.md");
    let files: Vec<String> = ["src", "tests", "benches"]
        .iter()
        .flat_map(|folder| walkdir::WalkDir::new(root().join(folder)))
        // What other tests make and remove meanwhile is none of the files.
        .filter_map(Result::ok)
        .map(|entry| entry.path().display().to_string())
        .collect();
    let prose: String = page.split("```").step_by(2).collect();
    let names = prose.split('`').skip(1).step_by(2);
    let is_open = |name: &str| name.contains(['*', ' ']) || name.contains("NAME");
    let lost: Vec<&str> = names
        .filter(|name| name.split('.').next_back() == Some("rs") && !is_open(name))
        .filter(|name| !files.iter().any(|file| file.ends_with(&format!("/{name}"))))
        .collect();
    assert!(lost.is_empty(), "architecture.md names {lost:?}");
}

/// The changelog has a heading for the program's version, or names it as the next release.
#[test]
fn the_changelog_knows_the_version() {
    let text = fs::read_to_string(root().join("CHANGELOG.md")).expect("CHANGELOG.md is there");
    let mut headings = text.lines().filter_map(|line| line.strip_prefix("## "));
    assert_eq!(headings.next(), Some("Unreleased"));
    let version = env!("CARGO_PKG_VERSION");
    match headings.next() {
        Some(latest) => assert!(latest.starts_with(version), "{latest} is not {version}"),
        None => assert!(text.contains(&format!("will be {version}")), "{version}"),
    }
}

/// A copy of what `.ci/version` reads, with a changelog.
fn release(changelog: &str) -> TempDir {
    let place = TempDir::new().expect("a temporary folder");
    fs::create_dir(place.path().join(".ci")).expect("made");
    for file in [".ci/version", "Cargo.toml"] {
        fs::copy(root().join(file), place.path().join(file)).expect("copied");
    }
    fs::write(place.path().join("CHANGELOG.md"), changelog).expect("written");
    place
}

#[test]
fn a_tag_is_released_only_where_all_agree_on_the_version() {
    let version = env!("CARGO_PKG_VERSION");
    let run = |changelog: &str, tag: &str| {
        let place = release(changelog);
        // A file that was just written may still be open in a process that another test is starting, and can't be run then.
        let output = Command::new("bash")
            .arg(place.path().join(".ci/version"))
            .arg(tag)
            .output()
            .expect("bash runs");
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        (output.status.success(), text)
    };
    let changelog = format!("# Changes\n\n## Unreleased\n\n## {version} (2026-12-01)\n");
    let tag = format!("v{version}");
    assert_eq!(run(&changelog, &tag), (true, format!("{version}\n")));
    let (is_good, messages) = run(&changelog, "v99.0.0");
    assert!(
        !is_good && messages.contains("Cargo.toml has the version"),
        "{messages}"
    );
    let (is_good, messages) = run("# Changes\n\n## Unreleased\n", &tag);
    assert!(
        !is_good && messages.contains("CHANGELOG.md has no heading"),
        "{messages}"
    );
}

/// What an index gets builds the program, and has no tests and nothing that they run.
#[test]
fn what_is_published_holds_no_fixtures() {
    let files = published(env!("CARGO_PKG_NAME"));
    for wanted in ["build.rs", "src/lib.rs", "src/stub/torchada/build.py"] {
        assert!(files.iter().any(|file| file == wanted), "{wanted}");
    }
    for aside in [
        "benches/",
        "examples/",
        "fixtures/",
        "src/rules/",
        "src/syntax/",
        "tests/",
    ] {
        let found = files.iter().find(|file| file.starts_with(aside));
        assert_eq!(found, None);
    }
    // The tables lie at the root of the checkout, and their package has a link to them.
    let files = published("torchada-mapping");
    assert!(files.iter().any(|file| file == "mappings/runtime.toml"));
}

/// The files of a package, as an index gets them.
fn published(package: &str) -> Vec<String> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args([
            "package",
            "--list",
            "--allow-dirty",
            "--offline",
            "--package",
        ])
        .arg(package)
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
    assert!(!messages.contains("manifest has no"), "{messages}");
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(str::to_owned).collect()
}

#[test]
fn the_program_is_packed_for_people() {
    let suite = Suite::without_rules("contributing-archive", "contributing.rs");
    suite.with_files(&root().join(".ci")).run(|| {
    let place = TempDir::new().expect("a temporary folder");
    let output = Command::new(root().join(".ci/archive"))
        .args([env!("CARGO_BIN_EXE_torchada"), "1.2.3", "a-target"])
        .arg(place.path())
        .output();
    assert!(output.expect("bash runs").status.success());
    let script = "sha256sum --check --quiet *.sha256 && tar -xzf *.tar.gz && ./torchada-1.2.3-a-target/torchada --version \
        && ls torchada-1.2.3-a-target torchada-1.2.3-a-target/completions torchada-1.2.3-a-target/man";
    let output = Command::new("sh")
        .args(["-c", script])
        .current_dir(place.path())
        .output()
        .expect("sh runs");
    let messages = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for part in ["LICENSE", "torchada.bash", "torchada.1", "torchada-port.1"] {
        assert!(messages.contains(part), "no {part} in\n{messages}");
    }
    });
}

/// The pipelines run the scripts of `.ci` that people run, too, and modules of tests that exist.
#[test]
fn the_pipelines_run_what_is_there() {
    let text = |name: &str| {
        fs::read_to_string(root().join(".github/workflows").join(name)).expect("readable")
    };
    let (ci, release) = (text("ci.yml"), text("release.yml"));
    assert!(ci.contains("- run: .ci/run\n"));
    assert!(release.contains(".ci/version \"$TAG\"") && release.contains(".ci/archive "));
    let site = text("site.yml");
    let words = ci.split_whitespace().chain(site.split_whitespace());
    let mut modules = words.filter_map(|word| word.strip_suffix("::"));
    let missing = modules.find(|name| !root().join(format!("tests/{name}.rs")).is_file());
    assert_eq!(missing, None);
    assert!(release.contains("cargo publish --locked --no-verify --workspace"));
}
