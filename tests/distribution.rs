//! The wheel: what is in it, and what builds with it. The tests are Python's, in `tests/wheel`, since what they try is
//! what pip, setuptools and `CMake` do; what they ported is compared with its original here.
//!
//! Tests start in the order of their names: one that takes a minute by itself must not be the last.

// The program prints more of it.
#[allow(unused_imports)]
use crate::compile_check;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::environments::{cache, printed_by};
use crate::common::passed::Suite;
use crate::common::recorded::run_with_ports;
use crate::common::trees::without_own_git;
use crate::compile_check::{Options, Tools, Verdict};
use tempfile::TempDir;
use torchada::mapping::Evidence;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[track_caller]
fn done(what: &str, output: &Output) -> String {
    assert!(output.status.success(), "{what}\n{}", printed_by(output));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// The environment with maturin, pip, setuptools, `CMake` and pytest.
fn tools() -> PathBuf {
    let output = Command::new("python3")
        .arg(root().join("tests/wheel/environment.py"))
        .env("TORCHADA_RUNTIME_CACHE", cache())
        .output()
        .expect("python3 can be started");
    let what = "the environment could not be made, so nothing of the wheel was tested.";
    PathBuf::from(done(what, &output))
}

/// A copy of what cargo built, by hard links: maturin takes the program from its place for a moment, and other tests
/// run it there.
fn built(profile: &Path) -> TempDir {
    let place = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder");
    let copy = place.path().join(profile.file_name().expect("a name"));
    let wanted = ["deps", "build", ".fingerprint"].map(|name| profile.join(name));
    let walk = walkdir::WalkDir::new(profile).into_iter();
    let walk = walk.filter_entry(|entry| {
        let mut wanted = wanted.iter();
        entry.depth() == 0
            || !entry.file_type().is_dir()
            || wanted.any(|folder| entry.path().starts_with(folder))
    });
    for entry in walk {
        let entry = entry.expect("readable");
        let path = copy.join(entry.path().strip_prefix(profile).expect("below"));
        if entry.file_type().is_dir() {
            std::fs::create_dir(path).expect("made");
        } else {
            std::fs::hard_link(entry.path(), path).expect("linked");
        }
    }
    place
}

/// Builds the wheel of what cargo has built: nothing is compiled.
fn wheel(tools: &Path, place: &Path) -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_torchada"));
    let folder = program.parent().expect("a folder");
    let name = folder.file_name().and_then(|name| name.to_str());
    let profile = match name.expect("a profile") {
        "debug" => "dev",
        name => name,
    };
    let target = built(folder);
    let output = Command::new(tools.join("bin/maturin"))
        .args(["build", "--locked", "--profile", profile, "--out"])
        .arg(place)
        .arg("--target-dir")
        .arg(target.path())
        .current_dir(root())
        .output()
        .expect("maturin can be started");
    done("the wheel could not be built.", &output);
    assert!(
        !printed_by(&output).contains("Compiling"),
        "the wheel is made of what is there\n{}",
        printed_by(&output)
    );
    let mut found = place.read_dir().expect("a folder");
    found.next().expect("the wheel").expect("readable").path()
}

/// The suite with all that it depends on but ports: what is packed, what packs it and what builds with it.
fn suite(tools: &Path) -> Suite {
    let tracked = without_own_git(&mut Command::new("git"))
        .arg("ls-files")
        .current_dir(root())
        .output();
    let mut suite = Suite::new("wheel")
        .with(&tools.to_string_lossy())
        .with(&done("", &tracked.expect("git can be started")))
        .with(&python_headers())
        .with(&std::env::var("TORCHADA_NVCC").unwrap_or_default())
        .with_version("g++")
        .with_version("make")
        .with_program_but_rules();
    for part in [
        "LICENSE",
        "README.md",
        "docs/build.md",
        "pyproject.toml",
        "examples/compile-check",
        "examples/shared",
        "tests/runtime/cuda_shells.py",
        "tests/runtime/environment.py",
        "tests/runtime/native.py",
        "tests/runtime/packages.py",
        "tests/runtime/tools.py",
        "tests/wheel",
        "tests/distribution.rs",
    ] {
        suite = suite.with_files(&root().join(part));
    }
    suite
}

#[test]
fn the_wheel_works_where_people_build() {
    let tools = tools();
    run_with_ports(&suite(&tools), |program| works(&tools, program));
}

/// Runs the tests. `program` takes the place of the wheel's own in builds that need not look for it.
fn works(tools: &Path, program: &Path) {
    let place = TempDir::new().expect("a temporary folder");
    let wheel = wheel(tools, place.path());
    let kept = place.path().join("kept");
    let output = Command::new(tools.join("bin/python"))
        .args(["-m", "pytest", "-c", "pytest.ini"])
        .current_dir(root().join("tests/wheel"))
        .env("TORCHADA_WHEEL", wheel)
        .env("TORCHADA_TOOLS", tools)
        .env("TORCHADA_BINARY", program)
        .env("TORCHADA_KEEP", &kept)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("pytest can be started");
    done("", &output);

    // What an extension's build ported compiles where the extension's own sources do.
    let tools = Tools::new(
        &compile_check::default_cache(),
        &[],
        Evidence::Contested,
        &[],
    )
    .unwrap_or_else(|error| panic!("the check can't be made: {error:#}"));
    let (cuda, musa) = (kept.join("cuda"), kept.join("musa"));
    let mut options = Options::new(&cuda, &musa);
    options.flags = vec![format!("-I{}", python_headers())];
    let outcome = compile_check::run(&tools, &options).unwrap_or_else(|error| panic!("{error:#}"));
    assert_eq!(
        outcome.files.len(),
        2,
        "{}",
        compile_check::text(&outcome, true)
    );
    for file in &outcome.files {
        assert!(
            file.verdict == Verdict::Passes,
            "{}",
            compile_check::text(&outcome, true)
        );
    }
}

/// The folder of Python's own headers.
fn python_headers() -> String {
    let code = "import sysconfig; print(sysconfig.get_path('include'))";
    let output = Command::new("python3").args(["-c", code]).output();
    done("", &output.expect("python3 can be started"))
}
