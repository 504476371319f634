//! `torchada run`: an unchanged program ends as it does under Python alone, and has the package in place before torch.
//!
//! Torch is a module of the test's own here, and the package has nothing to patch (`TORCHADA_PLATFORM=cpu`): what
//! becomes of real programs is tried in `tests/runtime`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::common::passed::Suite;
use crate::common::program::text;
use crate::common::script::write_script;
use crate::common::trees::write_into;

/// Says all that a program can know of how it was started, and of how torch was imported, in its own process and in
/// children of each kind.
const PROGRAM: &str = r#"
import multiprocessing
import os
import subprocess
import sys


def torch_as_imported():
    import torch

    with open(os.environ["IN_PLACE"], "a") as file:
        file.write(f"{'torchada' in sys.modules}\n")
    return torch.NAME, torch.__spec__.name, type(torch.__spec__.loader).__name__, type(torch.__loader__).__name__


def child(queue):
    queue.put(torch_as_imported())


if __name__ == "__main__":
    main = sys.modules["__main__"]
    print(sys.argv[1:], sys.path[0], __spec__ and __spec__.name, main.__dict__.get("__file__"), sys.flags, sys.orig_argv[1:])
    print("torch" in sys.modules, "importlib.abc" in sys.modules, sorted(set(os.environ) - set(os.environ["KNOWN"].split())))
    print(torch_as_imported())
    for method in ("spawn", "fork", "forkserver") if "program.py" in __file__ or "tool" in __file__ else ():
        context = multiprocessing.get_context(method)
        queue = context.Queue()
        process = context.Process(target=child, args=(queue,))
        process.start()
        print(method, queue.get(timeout=60))
        process.join()
    for options in ([], ["-E"], ["-I"], ["-S"]):
        code = "import sys; print(len(sys.argv), sys.argv)"
        done = subprocess.run([sys.executable, *options, "-c", code, "x"], capture_output=True, text=True)
        print(options, done.returncode, done.stdout, done.stderr, flush=True)
    end = sys.argv[-1]
    if end == "raise":
        {}["no such key"]
    if end == "kill":
        sys.stdout.flush()
        os.kill(os.getpid(), 15)
    sys.exit(end if end != "7" else 7)
"#;

struct Project {
    place: TempDir,
}

impl Project {
    fn new() -> Self {
        let place = TempDir::new().expect("a temporary folder");
        write_into(
            place.path(),
            &[
                ("site/torch/__init__.py", "NAME = 'torch of the test'\n"),
                (
                    "site/sitecustomize.py",
                    "import builtins\nbuiltins.OTHER = 'was imported'\n",
                ),
                ("program.py", PROGRAM),
                ("package/__init__.py", ""),
                ("package/program.py", PROGRAM),
                ("folder/__main__.py", PROGRAM),
            ],
        );
        let script = format!("#!/usr/bin/env python3\n{PROGRAM}");
        write_script(&place.path().join("bin/tool"), &script);
        write_script(
            &place.path().join("bin/shell"),
            "#!/bin/sh\nexec tool \"$@\"\n",
        );
        Self { place }
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let place = self.place.path();
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .current_dir(place)
            .env("PATH", format!("{}:{path}", place.join("bin").display()))
            .env("PYTHONPATH", place.join("site"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("IN_PLACE", place.join("in-place"))
            .env("TORCHADA_PLATFORM", "cpu")
            .env("XDG_STATE_HOME", place.join("state"))
            .env(
                "KNOWN",
                "TORCHADA_BINARY TORCHADA_DEVICE TORCHADA_FORCE_CUDA_AVAILABLE",
            )
            .env_remove("TORCHADA_DEVICE");
        command
    }

    /// What a command line comes to, and whether the package was in place in each process that imported torch.
    fn run(&self, program: &str, line: &[&str]) -> (Output, String) {
        let journal = self.place.path().join("in-place");
        let _ = fs::remove_file(&journal);
        let output = self
            .command(program)
            .args(line)
            .output()
            .expect("it starts");
        (output, fs::read_to_string(journal).unwrap_or_default())
    }
}

fn own() -> &'static str {
    env!("CARGO_BIN_EXE_torchada")
}

#[track_caller]
fn same(one: &Output, other: &Output) {
    assert_eq!(text(&one.stdout), text(&other.stdout));
    assert_eq!(text(&one.stderr), text(&other.stderr));
    assert_eq!(one.status, other.status);
}

#[test]
fn a_program_ends_as_it_does_under_python_alone() {
    Suite::without_rules("run-ends", "run.rs")
        .with_version("python3")
        .run(|| {
            let project = Project::new();
            // What is run, and in how many processes it imports torch.
            for (line, processes) in [
                (&["program.py", "--flag", "0"][..], 4),
                (&["program.py", "raise"], 4),
                (&["-m", "package.program", "a b", "7"], 4),
                (
                    &["-W", "ignore", "folder", "-x", "words for standard error"],
                    1,
                ),
                (&["tool", "--device", "kill"], 4),
            ] {
                let tool = project.place.path().join("bin/tool").display().to_string();
                let plain = if line[0] == "tool" {
                    project.run(&tool, &line[1..])
                } else {
                    project.run("python3", line)
                };
                let (ours, in_place) = project.run(own(), &[&["run"], line].concat());
                same(&plain.0, &ours);
                assert!(!ours.status.success(), "{line:?} ends with an error");
                assert_eq!(plain.1, "False\n".repeat(processes));
                assert_eq!(in_place, "True\n".repeat(processes), "{line:?}");
            }
            let shell = project.run(own(), &["run", "shell", "kill"]);
            assert_eq!(shell.1, "True\n".repeat(4));
        });
}

#[test]
fn another_sitecustomize_is_imported_as_it_would_be() {
    Suite::without_rules("run-sitecustomize", "run.rs")
        .with_version("python3")
        .run(|| {
            let project = Project::new();
            let code = "import sys, sitecustomize; print(OTHER, sitecustomize.__file__, sys.argv)";
            let plain = project.run("python3", &["-c", code, "1"]).0;
            assert!(plain.status.success(), "{}", text(&plain.stderr));
            same(&plain, &project.run(own(), &["run", "-c", code, "1"]).0);
            let theirs = "import nowhere\n";
            write_into(project.place.path(), &[("site/sitecustomize.py", theirs)]);
            let code = "import torch, sys; print(torch.NAME)";
            let plain = project.run("python3", &["-c", code]).0;
            assert!(text(&plain.stderr).contains("nowhere"));
            same(&plain, &project.run(own(), &["run", "-c", code]).0);
        });
}

/// Of the package in a program's folder everything is used, and what it lacks is the program's own.
#[test]
fn a_port_has_its_own_package() {
    let project = Project::new();
    let root = project.place.path();
    write_into(root, &[("p/train.py", "import torch\n")]);
    let ported = Command::new(own())
        .args(["port", "p", "-q", "-o", "ported"])
        .current_dir(root)
        .status();
    assert!(ported.expect("it starts").success());
    let code = "import torch, torchada, torchada.tools\nprint(torchada.__file__, torchada.tools.__file__)\n";
    write_into(root, &[("ported/train.py", code)]);
    assert!(!root.join("ported/torchada/tools").exists());
    let output = project.run(own(), &["run", "ported/train.py"]).0;
    let printed = text(&output.stdout);
    let folder = |name: &str| root.join(name).display().to_string();
    assert!(
        printed.starts_with(&folder("ported/torchada/__init__.py")),
        "{printed}{}",
        text(&output.stderr)
    );
    assert!(
        printed.contains(&folder("state/torchada/runtime-")),
        "{printed}"
    );
}

#[test]
fn what_cannot_be_run_is_reported() {
    let project = Project::new();
    for (line, message) in [
        (&["run"][..], "required arguments were not provided"),
        (&["run", "--", "nowhere"], "nowhere is to be run"),
        (
            &["run", "--nowhere", "program.py"],
            "there is no option --nowhere",
        ),
        (&["run", "-uW", "error", "-I", "program.py"], "with -I"),
        (
            &["run", "--python", "nowhere", "program.py"],
            "there is no program nowhere",
        ),
        (
            &["run", "--device", "gpu", "program.py"],
            "invalid value 'gpu'",
        ),
    ] {
        let output = project.run(own(), line).0;
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line:?}: {printed}");
        assert!(printed.contains(message), "{line:?}: {printed}");
    }
    // A script that is not there is Python's to speak of. It begins with the name that it was started by: `python3`, or the
    // whole path.
    let [plain, ours] = [
        ("python3", &["nowhere.py"][..]),
        (own(), &["run", "nowhere.py"]),
    ]
    .map(|(program, line)| project.run(program, line).0);
    let behind_name = |output: &Output| {
        let printed = text(&output.stderr);
        printed.split_once(": ").map(|(_, rest)| rest.to_owned())
    };
    assert_eq!(behind_name(&plain), behind_name(&ours));
    assert_eq!(plain.status.code(), ours.status.code());
}

#[test]
fn where_torch_is_not_there_a_program_that_ends_by_it_says_what_is_needed() {
    let project = Project::new();
    fs::remove_dir_all(project.place.path().join("site/torch")).expect("removed");
    let plain = "import sys; sys.path = [each for each in sys.path if 'packages' not in each]\n";
    let run = |code: &str| {
        let code = format!("{plain}{code}");
        let output = project.run(own(), &["run", "-c", &code]).0;
        (output.status.code(), text(&output.stderr))
    };
    let (code, messages) = run("import torch");
    assert_eq!(code, Some(1));
    assert!(messages.contains("No module named 'torch'"), "{messages}");
    assert!(
        messages.contains("install PyTorch 2.7.1 or later there, or name a Python"),
        "{messages}"
    );
    let (code, messages) = run("try:\n import torch\nexcept ImportError:\n pass");
    assert_eq!((code, &*messages), (Some(0), ""));
    let (code, messages) = run("import torch.nn.nowhere as n");
    assert_eq!(code, Some(1), "{messages}");
}

#[test]
fn each_line_of_bench_that_the_documentation_has_is_one_that_it_takes() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let suite = Suite::without_rules("run-bench", "run.rs");
    suite.with_files(&docs).run(|| {
        let project = Project::new();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut lines = 0;
        for page in ["cli.md", "verify.md", "guide/python-project.md"] {
            let page = fs::read_to_string(root.join("docs").join(page)).expect("readable");
            for line in page.lines() {
                let Some(rest) = line.trim_start().strip_prefix("torchada bench") else {
                    continue;
                };
                lines += 1;
                // With `--help` at its end it is read as far as there, and measures nothing.
                let words = rest.split('#').next().unwrap_or_default();
                let words = words
                    .split("  ")
                    .find(|words| !words.is_empty())
                    .unwrap_or_default();
                let words = words.split_whitespace().chain(["--help"]);
                let mut line = vec!["bench"];
                line.extend(words);
                let output = project.run(own(), &line).0;
                let printed = text(&output.stdout);
                assert!(
                    output.status.success(),
                    "{line:?}: {}",
                    text(&output.stderr)
                );
                assert!(
                    !printed.starts_with("usage: torchada bench [-h]"),
                    "{line:?}: {printed}"
                );
            }
        }
        assert!(lines >= 5, "{lines}");
    });
}

#[test]
fn a_platform_that_is_none_is_an_error() {
    let project = Project::new();
    let run = |platform: &str| {
        let mut command = project.command(own());
        let command = command
            .args(["run", "-c", "import torch"])
            .env("TORCHADA_PLATFORM", platform);
        let output = command.output().expect("it starts");
        (output.status.code(), text(&output.stderr))
    };
    let (code, messages) = run("foo");
    assert_eq!(code, Some(1));
    assert!(
        messages.contains("TORCHADA_PLATFORM=foo is none of cuda, musa and cpu"),
        "{messages}"
    );
    assert_eq!(run("cpu").0, Some(0));
}

/// `--device` reaches the program, and the import of torch raises the error about a wrong one.
#[test]
fn a_device_that_is_not_there_is_an_error_at_the_import_of_torch() {
    let project = Project::new();
    let run = |line: &[&str]| {
        let mut command = project.command(own());
        let output = command.args(line).env_remove("TORCHADA_PLATFORM").output();
        let output = output.expect("it starts");
        (
            output.status.code(),
            text(&output.stdout) + &text(&output.stderr),
        )
    };
    let (code, printed) = run(&[
        "run",
        "--device",
        "musa",
        "-c",
        "print(1)\nimport torch\nprint(2)",
    ]);
    assert_eq!(code, Some(1));
    assert!(printed.starts_with("1\n"), "{printed}");
    assert!(
        printed.contains("has no torch_musa. Install it"),
        "{printed}"
    );
    let (code, printed) = run(&["run", "--device", "musa", "-c", "print('no torch')"]);
    assert_eq!((code, &*printed), (Some(0), "no torch\n"));
}

#[test]
fn the_package_is_unpacked_for_this_user_once() {
    let project = Project::new();
    let names = || {
        let state = project.place.path().join("state/torchada");
        let names = fs::read_dir(state).expect("listed");
        let mut names: Vec<_> = names.map(|entry| entry.expect("readable").path()).collect();
        names.sort();
        names
    };
    for _ in 0..2 {
        let output = project.run(own(), &["run", "-c", "import torch"]).0;
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let [folder] = &names()[..] else {
        panic!("{:?}", names())
    };
    let startup = folder.join("torchada/tools/run/startup/sitecustomize.py");
    fs::write(&startup, "raise SystemExit(3)\n").expect("written");
    let output = project.run(own(), &["run", "-c", "import torch"]).0;
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(names(), [folder.clone()] as [std::path::PathBuf; 1]);
}
