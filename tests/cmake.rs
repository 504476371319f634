//! Ported builds of `CMake`'s are read by `CMake` itself, with modules that stand in for MUSA's.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use crate::common::environments::{cache, printed_by};
use tempfile::TempDir;

fn run(program: impl Into<OsString>, arguments: &[&str]) -> Output {
    let program = program.into();
    let output = Command::new(&program).args(arguments).output();
    output.unwrap_or_else(|error| panic!("{} can't be started: {error}", program.display()))
}

/// `CMake`: from pip, into an environment that is kept.
fn cmake() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(installed)
}

fn installed() -> PathBuf {
    const VERSION: &str = "3.31.6";
    let home = cache().join(format!("cmake-{VERSION}"));
    let program = home.join("bin/cmake");
    if program.is_file() {
        return program;
    }
    // Another process may make the same: each makes its own, and the first to finish puts it in place.
    fs::create_dir_all(cache()).expect("a folder for environments");
    let making = TempDir::with_prefix_in("cmake-making-", cache()).expect("a folder");
    let made = making.path().join("site");
    let site = made.to_str().expect("a path in UTF-8");
    let wanted = format!("cmake=={VERSION}");
    let done = run(
        "python3",
        &[
            "-m",
            "pip",
            "install",
            "--quiet",
            "--retries",
            "10",
            "--target",
            site,
            &wanted,
        ],
    );
    assert!(
        done.status.success(),
        "CMake could not be had from pip, so no ported build was read.\n{}",
        printed_by(&done)
    );
    let data = made.join("cmake/data");
    let moved = fs::rename(&data, &home);
    assert!(
        moved.is_ok() || program.is_file(),
        "{}: {moved:?}",
        home.display()
    );
    program
}

/// Configure a fixture's ported tree, and return the output of `CMake`.
fn configure(fixture: &str, options: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tree = root.join("fixtures").join(fixture).join("expected");
    let build = TempDir::new().expect("a folder");
    let modules = format!("-DCMAKE_MODULE_PATH={}", root.join("tests/cmake").display());
    let (tree, build) = (
        tree.display().to_string(),
        build.path().display().to_string(),
    );
    let mut arguments = vec!["-S", &tree, "-B", &build, &modules];
    arguments.extend(options);
    run(cmake(), &arguments)
}

fn configures(fixture: &str, options: &[&str]) -> String {
    let done = configure(fixture, options);
    let text = printed_by(&done);
    assert!(
        done.status.success(),
        "{fixture}: CMake stops at the ported build\n{text}"
    );
    text
}

/// `CMake` gives the targets of a fixture and of its port the same sources, and the same ones to a compiler of GPUs.
fn gives_the_same_sources(fixture: &str, options: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let fixture = root.join("fixtures").join(fixture);
    let script = root.join("tests/cmake/same_sources.py");
    let paths = [script, fixture.join("input"), fixture.join("expected")];
    let [script, before, after] = paths.map(|path| path.display().to_string());
    let cmake = cmake().display().to_string();
    let mut arguments = vec![script.as_str(), "--cmake", &cmake, &before, &after];
    arguments.extend(options);
    let done = run("python3", &arguments);
    let text = printed_by(&done);
    assert!(done.status.success(), "{}\n{text}", fixture.display());
    text
}

#[test]
fn sources_that_a_build_generates_reach_the_compiler() {
    let text = gives_the_same_sources("build-cmake-generated", &[]);
    assert!(
        text.contains("7 sources for GPUs before, 7 after"),
        "{text}"
    );
}

#[test]
fn sources_of_functions_that_another_file_defines_reach_the_compiler() {
    let text = gives_the_same_sources("build-cmake-helpers", &[]);
    assert!(
        text.contains("3 sources for GPUs before, 3 after"),
        "{text}"
    );
}

#[test]
fn sources_whose_language_is_set_reach_the_compiler() {
    let text = gives_the_same_sources("build-cmake-source-languages", &[]);
    assert!(
        text.contains("3 sources for GPUs before, 3 after"),
        "{text}"
    );
}

#[test]
fn sources_that_a_script_reads_are_found_by_it() {
    gives_the_same_sources("build-cmake-kernel-texts", &[]);
    let text = gives_the_same_sources("build-cmake-handed-endings", &[]);
    assert!(
        text.contains("1 sources for GPUs before, 1 after"),
        "{text}"
    );
}

#[test]
fn a_language_becomes_the_module_that_knows_mcc() {
    let text = configures("build-cmake-languages", &[]);
    // The flags are set before the target that reads them.
    let want = "kernels:  -std=c++17 --offload-arch=mp_22 --offload-arch=mp_31";
    assert!(text.contains(want), "{text}");
}

#[test]
fn commands_of_the_old_module_become_those_of_its_like() {
    configures("build-cmake-targets", &[]);
}

#[test]
fn flags_of_a_language_reach_its_targets() {
    let text = configures("build-cmake-flags", &[]);
    for flag in [
        "-ffast-math",
        "-fno-strict-aliasing",
        "-U__CUDA__",
        "--offload-arch=mp_31",
    ] {
        assert!(text.contains(flag), "{flag} is missing\n{text}");
    }
}

#[test]
fn a_target_without_a_counterpart_stops_a_build_and_is_reported() {
    let done = configure("build-cmake-wrappers", &["-DENGINE_CUDA=ON"]);
    let text = printed_by(&done);
    assert!(
        !done.status.success() && text.contains("CUDA::nvrtc"),
        "{text}"
    );
    configures("build-cmake-wrappers", &[]);
}

#[test]
fn a_target_of_all_platforms_is_made_without_musa_too() {
    configures("build-cmake-branches", &[]);
    // The release that stands in the place of CUDA's version is none with which the build stops.
    configures("build-cmake-branches", &["-DCOMPUTE_BACKEND=cuda"]);
}
