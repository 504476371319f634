//! A fork of a project that follows its upstream for ten releases: what the fork changed in its port
//! lives on, and asks for a decision only where upstream changed the same.
//!
//! The releases are real ones, taken from the index of Python's packages and compared with their
//! hashes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use crate::common::fixtures::{self, Port};
use crate::common::passed::Suite;
use crate::common::program::{text, torchada};
use crate::common::side_by_side::side_by_side;
use tempfile::TempDir;

/// The file that the fork tunes, and its name upstream.
const KERNEL: &str = "csrc/cuda/scatter_cuda.mu";
const KERNEL_UPSTREAM: &str = "csrc/cuda/scatter_cuda.cu";
/// What the fork has there.
const TUNED: &str = "#define THREADS 512";
/// What it has at the top of a file that is copied.
const HEAD: &str = "# A fork for MUSA\n\n";
/// A file of its own.
const OWN: &str = "csrc/cuda/tuning.muh";

/// The releases, oldest first, and where they lie; fetched once for all tests.
fn releases() -> &'static [(String, PathBuf)] {
    static RELEASES: LazyLock<Vec<(String, PathBuf)>> = LazyLock::new(fetched);
    &RELEASES
}

fn fetched() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/releases");
    let list = root.join("torch-scatter.txt");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("releases/torch-scatter");
    let output = Command::new("python3")
        .arg(root.join("fetch.py"))
        .args([&list, &folder])
        .output()
        .expect("Python runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let list = fs::read_to_string(list).expect("there");
    list.lines()
        .skip(1)
        .filter_map(|line| line.split_whitespace().next())
        .map(|version| (version.to_owned(), folder.join(version)))
        .collect()
}

/// Ports of all releases, which depend on the rules by what the releases become.
fn suite(name: &'static str) -> Suite {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let suite = Suite::new(name)
        .with_program_but_rules()
        .with_files(&tests.join("releases.rs"));
    ports().iter().fold(suite, Suite::with_port)
}

/// The port of each release, made once for all tests.
fn ports() -> &'static [Port] {
    static PORTS: LazyLock<Vec<Port>> = LazyLock::new(|| {
        side_by_side(releases(), |(_, folder)| {
            fixtures::port(&fixtures::read(folder), &[], &["--no-stub"])
        })
    });
    &PORTS
}

/// Every file below a folder, with its bytes.
fn all_files(root: &Path) -> impl Iterator<Item = (String, Vec<u8>)> {
    let entries = walkdir::WalkDir::new(root).into_iter();
    entries
        .map(|entry| entry.expect("readable"))
        .filter(|entry| entry.file_type().is_file())
        .map(move |entry| {
            let path = entry.path().strip_prefix(root).expect("below");
            let content = fs::read(entry.path()).expect("readable");
            (path.display().to_string(), content)
        })
}

/// Every file of a port but the program's own.
fn files(root: &Path) -> BTreeMap<String, String> {
    all_files(root)
        .filter(|(path, _)| !path.starts_with(".torchada"))
        .map(|(path, content)| (path, text(&content)))
        .collect()
}

/// The line that the fork tunes.
fn threads(code: &str) -> &str {
    let mut lines = code.lines();
    lines
        .find(|line| line.starts_with("#define THREADS "))
        .expect("the line is there")
}

/// The port of a release as the fork wants it.
fn wanted(port: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut wanted = port.clone();
    let kernel = &port[KERNEL];
    wanted.insert(KERNEL.to_owned(), kernel.replace(threads(kernel), TUNED));
    wanted.insert(
        "README.md".to_owned(),
        format!("{HEAD}{}", port["README.md"]),
    );
    wanted.insert(OWN.to_owned(), "#define TUNED 1\n".to_owned());
    wanted
}

#[test]
fn a_fork_follows_ten_releases() {
    suite("releases-fork").run(|| {
    let releases = releases();
    assert_eq!(releases.len(), 11);
    let place = TempDir::new().expect("a temporary folder");
    let fork = place.path().join("fork");
    let port = |source: &Path, output: &str, more: &[&str]| {
        let source = source.to_str().expect("UTF-8");
        let line = [&["port", source, "-o", output, "--no-stub"], more].concat();
        let output = torchada(place.path(), &line);
        (output.status.code(), text(&output.stderr))
    };
    let mut upstream = String::new();
    let (mut conflicts, mut expected) = (Vec::new(), Vec::new());
    for (version, source) in releases {
        let (code, printed) = port(source, version, &[]);
        assert_eq!(code, Some(0), "{version}: {printed}");
        let wanted = wanted(&files(&place.path().join(version)));
        let code = fs::read_to_string(source.join(KERNEL_UPSTREAM)).expect("there");
        let line = threads(&code).to_owned();
        let is_first = upstream.is_empty();
        if is_first {
            assert_eq!(port(source, "fork", &[]).0, Some(0));
            for path in [KERNEL, "README.md", OWN] {
                fs::write(fork.join(path), &wanted[path]).expect("written");
            }
        } else {
            if line != upstream {
                expected.push(version.clone());
            }
            let (code, printed) = port(source, "fork", &[]);
            if code == Some(1) {
                conflicts.push(version.clone());
                let marked = fs::read_to_string(fork.join(KERNEL)).expect("there");
                let place = format!(
                    "<<<<<<< yours\n{TUNED}\n||||||| last port\n{upstream}\n=======\n{line}\n>>>>>>> new port\n"
                );
                assert!(marked.contains(&place), "{version}: {marked}");
                let decided = marked.replace(&place, &format!("{TUNED}\n"));
                fs::write(fork.join(KERNEL), decided).expect("written");
            } else {
                assert_eq!(code, Some(0), "{version}: {printed}");
            }
        }
        let there = files(&fork);
        let paths = wanted.keys().chain(there.keys());
        let differ: Vec<_> = paths
            .filter(|path| wanted.get(*path) != there.get(*path))
            .collect();
        assert!(differ.is_empty(), "{version}: {differ:?}");
        let (code, printed) = port(source, "fork", &["--check"]);
        assert_eq!(code, Some(0), "{version}: {printed}");
        upstream = line;
    }
    assert_eq!(conflicts, expected);
    assert!(!conflicts.is_empty(), "no release changed the line");
    });
}

/// Every byte that a port leaves for others, its own folder's among it, without what it keeps for the
/// next run.
fn left(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let name = root.display().to_string();
    all_files(root)
        .filter(|(path, _)| !path.starts_with(".torchada/cache"))
        .map(|(path, content)| match path.as_str() {
            ".torchada/report.json" => {
                let content = text(&content).replace(&name, "OUTPUT");
                (path, content.into_bytes())
            }
            _ => (path, content),
        })
        .collect()
}

#[test]
fn each_release_is_ported_as_without_what_the_last_port_left() {
    suite("releases-cache").run(|| {
        let place = TempDir::new().expect("a temporary folder");
        let tree = place.path().join("tree");
        let port = |output: &Path, more: &[&str]| {
            let output = output.to_str().expect("UTF-8");
            let line = [&["port", "tree", "-o", output, "--no-stub"], more].concat();
            let output = torchada(place.path(), &line);
            (output.status.code(), text(&output.stderr))
        };
        let (cached, plain) = (place.path().join("cached"), place.path().join("plain"));
        for (version, source) in releases() {
            let _ = fs::remove_dir_all(&tree);
            for entry in walkdir::WalkDir::new(source) {
                let entry = entry.expect("readable");
                let to = tree.join(entry.path().strip_prefix(source).expect("below"));
                if entry.file_type().is_dir() {
                    fs::create_dir_all(to).expect("a folder");
                } else {
                    fs::copy(entry.path(), to).expect("copied");
                }
            }
            let (code, printed) = port(&cached, &[]);
            assert_eq!(
                port(&plain, &["--no-cache"]).0,
                code,
                "{version}: {printed}"
            );
            let (with, without) = (left(&cached), left(&plain));
            let mut paths = with.keys().chain(without.keys());
            let differs = paths.find(|path| with.get(*path) != without.get(*path));
            assert_eq!(differs, None, "{version}");
        }
    });
}
