//! The messages of a port's build lead back to the original.
//!
//! `tests/explain_log/project` is a small project, `sdk` a header that lacks some of what its port needs, and `logs` the
//! messages of real tools that built the port. `UPDATE_FIXTURES=1` writes what becomes of the logs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::common::program::torchada;
use crate::common::trees::write_into;

fn data(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("tests/explain_log").join(name)
}

fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.expect("readable");
        let path = to.join(entry.path().strip_prefix(from).expect("below"));
        if entry.file_type().is_dir() {
            fs::create_dir_all(path).expect("made");
        } else {
            fs::copy(entry.path(), path).expect("copied");
        }
    }
}

/// The project, and its port in `app_musa`.
fn ported() -> TempDir {
    let place = TempDir::new().expect("a temporary folder");
    copy(&data("project"), &place.path().join("app"));
    let output = torchada(
        place.path(),
        &[
            "port",
            "app",
            "-o",
            "app_musa",
            "--no-stub",
            "--quiet",
            "--no-config",
        ],
    );
    assert!(output.status.success(), "{output:?}");
    place
}

fn explained(place: &Path, log: &str, more: &[&str]) -> String {
    write_into(place, &[("build.log", log)]);
    let line = [&["explain-log", "build.log", "--port", "app_musa"], more].concat();
    let output = torchada(place, &line);
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn what_real_tools_say_leads_back_to_the_original() {
    let place = ported();
    let mut logs: Vec<PathBuf> = fs::read_dir(data("logs"))
        .expect("readable")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "log"))
        .collect();
    logs.sort();
    assert!(logs.len() > 8, "the logs are gone");
    for path in logs {
        let log = fs::read_to_string(&path).expect("readable");
        let fresh = explained(place.path(), &log, &["--format", "concise"]);
        let expected = path.with_extension("expected");
        if std::env::var_os("UPDATE_FIXTURES").is_some() {
            fs::write(&expected, &fresh).expect("written");
        }
        let old = fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(fresh, old, "{}", path.display());
    }
}

/// Each place that a compiler finds at fault, by what it says.
fn places(printed: &str) -> Vec<&str> {
    let lines = printed.lines();
    lines
        .filter_map(|line| line.split(" error[").next())
        .collect()
}

#[test]
fn lines_that_moved_since_the_port_still_lead_back() {
    let place = ported();
    let path = place.path().join("app_musa/src/alloc.mu");
    let text = fs::read_to_string(&path).expect("there");
    let text = text.replacen(
        "static musaEvent_t done;",
        "// mine\n\nstatic musaEvent_t done; // kept",
        1,
    );
    fs::write(
        &path,
        text.replacen("int own()", "int more() { return mine; }\nint own()", 1),
    )
    .expect("written");
    let log = "src/alloc.mu:5:8: error: unknown type name 'musaEvent_t'\n\
               src/alloc.mu:11:43: error: use of undeclared identifier 'musaEventDisableTiming'\n\
               src/alloc.mu:16:21: error: use of undeclared identifier 'mine'\n\
               src/alloc.mu:17:20: error: use of undeclared identifier 'undeclared_here'\n";
    let printed = explained(place.path(), log, &["--format", "concise"]);
    assert_eq!(
        places(&printed),
        [
            "src/alloc.cu:3:8:",
            "src/alloc.cu:9:43:",
            "src/alloc.cu:13:1:",
            "src/alloc.cu:14:20:"
        ],
        "{printed}"
    );
    assert!(printed.contains("`mine` is not declared: on a line that was changed since the port"));
}

#[test]
fn paths_of_other_machines_and_folders_lead_to_the_port_and_those_of_headers_do_not() {
    let place = ported();
    let at = |path: &str| {
        let log = format!("{path}:14:20: error: use of undeclared identifier 'undeclared_here'\n");
        explained(place.path(), &log, &["--format", "concise"])
    };
    let own = place
        .path()
        .join("app_musa/src/alloc.mu")
        .display()
        .to_string();
    for path in [
        "src/alloc.mu",
        "./src/../src/alloc.mu",
        "../src/alloc.mu",
        "/builds/x/app_musa/src/alloc.mu",
        "/root/build-dir/src/alloc.mu",
        &own,
    ] {
        assert!(
            at(path).starts_with("src/alloc.cu:14:20: error[LOG001]"),
            "{}",
            at(path)
        );
    }
    for path in [
        "/usr/include/src/alloc.mu",
        "/x/site-packages/torch/src/alloc.mu",
        "other.mu",
        "/a/alloc.mu",
    ] {
        assert!(at(path).contains("warning[LOG013]"), "{}", at(path));
    }
    let log = "make[1]: Entering directory '/elsewhere/app_musa/src'\n\
               make[1]: Entering directory '/elsewhere/third_party'\n\
               alloc.mu:14:20: error: use of undeclared identifier 'undeclared_here'\n";
    let printed = explained(place.path(), log, &["--format", "concise"]);
    assert!(printed.starts_with("src/alloc.cu:14:20: "), "{printed}");
}

#[test]
fn an_error_of_a_header_counts_once_and_a_cause_says_what_settles_it() {
    let place = ported();
    let unit = |name: &str| {
        format!(
            "In file included from src/{name}.mu:1:\n\
             src/../include/check.h:16:11: error: use of undeclared identifier 'musaMemPrefetchAsync'; did you mean 'musaMemPrefetch'?\n"
        )
    };
    let log = unit("alloc") + &unit("graph") + &unit("sync");
    insta::assert_snapshot!(explained(place.path(), &log, &[]), @r#"
    read build.log: 6 lines, 1 error of 1 cause

        1  LOG001  `musaMemPrefetchAsync` is not declared: renamed from `cudaMemPrefetchAsync`, as somebody's table says
           include/check.h:16:11 (printed 3 times)
           see whether `musaMemPrefetch` does what `cudaMemPrefetchAsync` does; then tell the port, and port again
           for torchada.toml: names.cudaMemPrefetchAsync = { to = "musaMemPrefetch", evidence = "confirmed", source = "the compiler suggests it" }
    "#);
}

#[test]
fn json_has_the_place_in_the_port_and_the_line_of_the_log() {
    let place = ported();
    let log = "compiling\nsrc/sync.mu:6:11: error: use of undeclared identifier 'atomicAdd'\n";
    let printed = explained(place.path(), log, &["--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(report["findings"][0]["path"], "src/sync.cu");
    assert_eq!(report["findings"][0]["output_path"], "src/sync.mu");
    assert_eq!(report["causes"][0]["remedy"], "ptx = \"keep\"");
    assert_eq!(
        report["log"][0],
        serde_json::json!({
            "log_line": 2, "count": 1, "text": "use of undeclared identifier 'atomicAdd'",
            "path": "src/sync.mu", "line": 6, "column": 11, "approximate": false,
        })
    );
}

#[test]
fn facts_of_the_sdk_say_which_name_is_near() {
    let place = ported();
    let facts = r#"
[table]
id = "facts"
title = "a made SDK"

[facts]
format = 1
tables = "0.1.0"

[names]
cudaGraphInstantiate = { relation = "absent", evidence = "sdk", source = "not there: musaGraphInstantiate is in no header of the SDK", advice = "`musaGraphInstantiateWithFlags` of musa_runtime_api.h is near" }
"#;
    write_into(place.path(), &[("facts.toml", facts)]);
    let log = "src/graph.mu.o: undefined reference to `musaGraphInstantiate'\n";
    let printed = explained(place.path(), log, &["--facts", "facts.toml"]);
    assert!(printed.contains("src/graph.cu:6:5"), "{printed}");
    assert!(
        printed.contains("`musaGraphInstantiateWithFlags` of musa_runtime_api.h is near"),
        "{printed}"
    );
}

#[test]
fn what_a_build_has_proven_not_to_be_there_is_a_fact() {
    let place = ported();
    copy(&data("sdk"), &place.path().join("sdk"));
    let log = "src/graph.mu:6:5: error: use of undeclared identifier 'musaGraphInstantiate'\n\
               src/alloc.mu:3:8: error: unknown type name 'musaEvent_t'\n";
    write_into(place.path(), &[("build.log", log), ("sdk/bin/mcc", "")]);
    let line = [
        "learn",
        "--musa-home",
        "sdk",
        "--from-log",
        "build.log",
        "--port",
        "app_musa",
        "-o",
        "facts.toml",
    ];
    let output = torchada(place.path(), &line);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let facts = fs::read_to_string(place.path().join("facts.toml")).expect("there");
    let fact = |name: &str| {
        facts
            .lines()
            .find(|line| line.starts_with(name))
            .unwrap_or_default()
            .to_owned()
    };
    assert!(
        fact("cudaEvent_t ").contains("absent"),
        "{}",
        fact("cudaEvent_t ")
    );
    // A header declares it: the log does not speak against that.
    assert!(
        fact("cudaGraphInstantiate ").contains("declared: "),
        "{}",
        fact("cudaGraphInstantiate ")
    );
}

#[test]
fn a_build_is_shown_as_it_comes_and_explained_at_its_end() {
    let place = ported();
    let say = "echo compiling; printf '\\033[1msrc/alloc.mu:3:8: \\033[31merror: \\033[0munknown type name '\"'musaEvent_t'\"'\\n' >&2; exit 7";
    let line = [
        "build", "--port", "app_musa", "--format", "concise", "--", "sh", "-c", say,
    ];
    let output = torchada(place.path(), &line);
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(7), "{err}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "compiling\n");
    assert!(
        err.starts_with("src/alloc.mu:3:8: error: unknown type name 'musaEvent_t'\n\n"),
        "{err}"
    );
    assert!(
        err.contains("src/alloc.cu:3:8: error[LOG001]: `musaEvent_t` is not declared"),
        "{err}"
    );
    let line = [
        "build",
        "--port",
        "app_musa",
        "-o",
        "messages.json",
        "--format",
        "json",
        "--",
        "sh",
        "-c",
        say,
    ];
    assert_eq!(torchada(place.path(), &line).status.code(), Some(7));
    let messages = fs::read(place.path().join("messages.json")).expect("there");
    assert!(serde_json::from_slice::<serde_json::Value>(&messages).is_ok());
    let build = |command: &[&str]| {
        let line = [&["build", "--port", "app_musa", "--"], command].concat();
        let output = torchada(place.path(), &line);
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), err)
    };
    assert_eq!(build(&["true"]), (Some(0), String::new()));
    let (code, messages) = build(&["./no-such-program"]);
    assert_eq!(code, Some(2));
    assert!(
        messages.contains("a program on the PATH, or a path to one"),
        "{messages}"
    );
    // A command that failed without a known message is none without messages.
    let (code, messages) = build(&["sh", "-c", "echo one; exit 127"]);
    assert_eq!(code, Some(127));
    let failed =
        "1 line, none recognised as a message; the command failed: it ended with the exit code 127";
    assert!(
        messages.contains(failed) && !messages.contains("no message that stops"),
        "{messages}"
    );
}

#[test]
fn what_is_no_port_or_has_no_map_is_refused() {
    let place = ported();
    let refused = |line: &[&str]| {
        let output = torchada(place.path(), line);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    write_into(place.path(), &[("build.log", "")]);
    let line = ["explain-log", "build.log", "--port", "app"];
    let messages = refused(&line);
    assert!(
        messages.contains("app/.torchada/manifest.json") && messages.contains("--port DIR"),
        "{messages}"
    );
    let messages = refused(&["build", "--port", "app", "--", "true"]);
    assert!(
        messages.contains("app is no port") && messages.contains("--port DIR"),
        "{messages}"
    );
    fs::remove_file(place.path().join("app_musa/.torchada/map.pack")).expect("removed");
    let line = ["explain-log", "build.log", "--port", "app_musa"];
    assert!(refused(&line).contains("app_musa/.torchada/map.pack"));
}

/// The logs of clang are what it says today, too.
#[test]
#[ignore = "needs clang 19"]
fn clang_says_what_was_recorded() {
    let place = ported();
    let folder = place.path().join("app_musa");
    let mut messages = String::new();
    for source in ["src/alloc.mu", "src/graph.mu", "src/sync.mu"] {
        let output = Command::new("clang++-19")
            .args([
                "-x",
                "cuda",
                "--cuda-gpu-arch=sm_80",
                "-nocudainc",
                "-nocudalib",
            ])
            .args([
                "--cuda-device-only",
                "-Wno-unknown-cuda-version",
                "-fsyntax-only",
                "-isystem",
            ])
            .arg(data("sdk/include"))
            .arg(source)
            .current_dir(&folder)
            .output()
            .expect("clang runs");
        messages.push_str(&String::from_utf8_lossy(&output.stderr));
    }
    let fresh = explained(place.path(), &messages, &["--format", "concise"]);
    let old = fs::read_to_string(data("logs/make-clang.expected")).expect("there");
    assert_eq!(fresh, old);
}
