//! `torchada check` from outside: what it says of which paths, and how it ends.

use std::fs;
use std::process::Output;

use crate::common::fixtures::{Ported, run, write};
use crate::common::passed::Suite;
use crate::common::program::{text, torchada, torchada_with};
use crate::common::trees::{read_tree, write_tree};
use serde_json::Value;
use tempfile::TempDir;

/// An error, a note and a warning.
const KERNEL: &str = "\
#include <cuda_runtime.h>
int version = CUDART_VERSION;
auto magic = NCCL_API_MAGIC;
#include <cublasXt.h>
";

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

/// The report on standard output.
fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)))
}

/// `path:line code` of each finding of the report.
fn places(report: &Value) -> Vec<String> {
    let findings = report["findings"].as_array().expect("a list");
    findings
        .iter()
        .map(|finding| {
            let word = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
            format!("{}:{} {}", word("path"), finding["line"], word("code"))
        })
        .collect()
}

#[test]
fn the_findings_are_those_of_a_port() {
    Suite::without_rules("check-findings", "check.rs").of_each(
        |Ported {
             fixture,
             input,
             port,
         }| {
            let place = TempDir::new().expect("a temporary folder");
            let folder = place.path().join("input");
            write(&folder, input);
            let folder = folder.to_str().expect("UTF-8").to_owned();
            let words = ["torchada", "check", &folder, "--format", "json"];
            let line = words.iter().map(Into::into);
            let line: Vec<_> = line
                .chain(fixture.arguments.iter().map(Into::into))
                .collect();
            let (_, out, _) = run(&line, b"");
            let checked = text(&out).replace(&format!("{folder}/"), "");
            let checked: Value = serde_json::from_str(&checked).expect("JSON");
            for key in ["findings", "not_built", "suppressed", "kept", "kept_paths"] {
                let bare = |report: &Value| {
                    let mut list = report[key].clone();
                    for entry in list.as_array_mut().expect("a list") {
                        // A check has no output.
                        entry
                            .as_object_mut()
                            .expect("an object")
                            .remove("output_path");
                    }
                    list
                };
                assert_eq!(
                    bare(&checked),
                    bare(&port.report),
                    "{}: {key}",
                    fixture.name
                );
            }
            assert_eq!(
                checked["summary"]["references"], port.report["summary"]["references"],
                "{}",
                fixture.name
            );
        },
    );
}

#[test]
fn nothing_is_written() {
    let place = write_tree(&[("p/k.cu", KERNEL)]);
    let before = read_tree(place.path());
    for format in ["full", "concise", "json"] {
        torchada(place.path(), &["check", "p", "--format", format]);
        torchada(place.path(), &["check", "p/k.cu", "--format", format]);
    }
    assert_eq!(read_tree(place.path()), before);
}

#[test]
fn a_finding_is_shown_with_its_source() {
    let place = write_tree(&[("p/k.cu", KERNEL)]);
    let output = torchada(place.path(), &["check", "p", "--select", "CPP056"]);
    let shown = text(&output.stdout);
    assert!(
        shown.starts_with(
            "error[CPP056]: `CUDART_VERSION` is a number of CUDA's, and MUSA has none that means the same\n \
             --> p/k.cu:2:15\n  |\n\
             2 | int version = CUDART_VERSION;\n  |               ^^^^^^^^^^^^^^\n"
        ),
        "{shown}"
    );
    // Colours are for terminals.
    assert!(!shown.contains('\x1b'), "{shown}");
    let colored = ["check", "p", "--color", "always"];
    assert!(text(&torchada(place.path(), &colored).stdout).contains('\x1b'));
}

#[test]
fn a_message_about_many_places_is_shown_once() {
    let lines = "int v = CUDART_VERSION;\n".repeat(12);
    let place = write_tree(&[("a.cu", &lines), ("b.cu", &lines)]);
    let shown = text(&torchada(place.path(), &["check", "a.cu", "b.cu"]).stdout);
    assert_eq!(shown.matches("error[CPP056]").count(), 2, "{shown}");
    let others = "= note: the same at 2:9, 3:9, 4:9, 5:9, 6:9, 7:9, 8:9, 9:9 and 3 more";
    assert_eq!(shown.matches(others).count(), 2, "{shown}");
    assert!(shown.contains("24  CPP056"), "{shown}");
    let arguments = ["check", "a.cu", "--format", "concise"];
    let concise = text(&torchada(place.path(), &arguments).stdout);
    assert_eq!(concise.lines().count(), 12);
}

#[test]
fn a_line_each_is_all_that_programs_have_to_read() {
    let place = write_tree(&[("p/k.cu", KERNEL)]);
    let output = torchada(place.path(), &["check", "p", "--format", "concise"]);
    let lines = text(&output.stdout);
    assert_eq!(lines.lines().count(), 3, "{lines}");
    assert!(lines.starts_with("p/k.cu:2:15: error[CPP056]: "), "{lines}");
    assert!(text(&output.stderr).contains("1 error, 1 warning, 1 note"));
    let quiet = torchada(place.path(), &["check", "p", "-q"]);
    assert_eq!(code(&quiet), Some(1));
    assert!(quiet.stdout.is_empty() && quiet.stderr.is_empty());
}

#[test]
fn several_paths_are_named_as_they_were_typed() {
    let place = write_tree(&[
        ("p/a/k.cu", KERNEL),
        ("p/b/k.cu", KERNEL),
        ("single.cu", KERNEL),
    ]);
    let line = ["--select", "CPP056", "--format", "json"];
    let check = |paths: &[&str]| {
        let arguments: Vec<&str> = ["check"]
            .iter()
            .chain(paths)
            .chain(&line)
            .copied()
            .collect();
        places(&report(&torchada(place.path(), &arguments)))
    };
    assert_eq!(
        check(&["single.cu", "p/b"]),
        ["p/b/k.cu:2 CPP056", "single.cu:2 CPP056"]
    );
    assert_eq!(check(&["./p/b"]), ["p/b/k.cu:2 CPP056"]);
    assert_eq!(check(&["p/b", "--root", "p"]), ["p/b/k.cu:2 CPP056"]);
    assert_eq!(check(&["p/a/k.cu", "--root", "p"]), ["p/a/k.cu:2 CPP056"]);
    // A finding in a file that two of the paths name is reported once.
    assert_eq!(check(&["p", "p/a/k.cu"]).len(), 2);
    let here = torchada(&place.path().join("p"), &["check", ".", "--format", "json"]);
    assert!(places(&report(&here)).contains(&"a/k.cu:2 CPP056".to_owned()));
    let input = [
        "check",
        "-",
        "--stdin-path",
        "x/y.cu",
        "--format",
        "concise",
    ];
    let output = torchada_with(place.path(), &input, KERNEL);
    assert!(text(&output.stdout).starts_with("x/y.cu:2:15: "));
}

#[test]
fn what_the_reading_of_a_file_finds_is_said_however_the_file_is_named() {
    let place = write_tree(&[
        ("p/wide.cu", "i\0n\0t\0 \0a\0;\0"),
        ("p/other.cu", "i\0n\0t\0"),
        ("p/k.cu", KERNEL),
    ]);
    for paths in [
        &["p/wide.cu"][..],
        &["p/wide.cu", "--root", "p"],
        &["p/wide.cu", "p/k.cu", "--root", "p"],
        &["p/wide.cu", "p/k.cu"],
    ] {
        let line = ["check", "--select", "PRJ006", "--format", "json"];
        let report = report(&torchada(place.path(), &[&line, paths].concat()));
        assert_eq!(places(&report), ["p/wide.cu:1 PRJ006"], "{paths:?}");
    }
}

#[test]
fn each_file_of_several_paths_is_looked_at_once() {
    let place = write_tree(&[
        ("p/a/k.cu", KERNEL),
        ("p/a/deep/k.cu", KERNEL),
        ("p/b/k.cu", KERNEL),
    ]);
    let of = |paths: &[&str]| {
        let line = ["check", "--select", "CPP056", "--format", "json"];
        let report = report(&torchada(place.path(), &[&line, paths].concat()));
        let files = report["summary"]["files"].clone();
        (places(&report).join(" "), files["seen"].clone())
    };
    let (a, deep, b) = (
        "p/a/k.cu:2 CPP056",
        "p/a/deep/k.cu:2 CPP056",
        "p/b/k.cu:2 CPP056",
    );
    // A part of a tree does not have the files of the rest.
    let part = ["p/a", "p/b/k.cu", "--root", "p"];
    assert_eq!(of(&part), (format!("{deep} {a} {b}"), 3.into()));
    let part = ["p/b", "--root", "p"];
    assert_eq!(of(&part), (b.to_owned(), 1.into()));
    let parts = ["p/a", "p/b", "--root", "p"];
    assert_eq!(of(&parts), (format!("{deep} {a} {b}"), 3.into()));
    for paths in [
        ["p/a", "p/a"],
        ["p/a/deep", "p/a"],
        ["p/a", "p/a/deep/k.cu"],
    ] {
        assert_eq!(of(&paths), (format!("{deep} {a}"), 2.into()), "{paths:?}");
    }
    let twice = of(&["p/b/k.cu", "./p/b/k.cu"]);
    assert_eq!(twice, (b.to_owned(), 1.into()));
}

#[test]
fn a_file_of_a_tree_knows_what_the_tree_knows() {
    let place = write_tree(&[
        ("p/k.cu", "#include \"own.h\"\nint a = CUDART_VERSION;\n"),
        ("p/own.h", "#define CUDART_VERSION 12000\n"),
    ]);
    let count = |arguments: &[&str]| {
        let output = torchada(
            place.path(),
            &[&["check", "p/k.cu", "--format", "json"], arguments].concat(),
        );
        places(&report(&output)).len()
    };
    assert_eq!(count(&[]), 1);
    assert_eq!(count(&["--root", "p"]), 0);
}

#[test]
fn the_summary_of_a_file_by_itself_names_the_root_of_its_project() {
    let place = write_tree(&[
        ("p/src/k.cu", KERNEL),
        ("p/CMakeLists.txt", "project(p)\n"),
        ("single.cu", KERNEL),
    ]);
    let says = |folder: &str, line: &[&str]| {
        let folder = place.path().join(folder);
        let output = torchada(&folder, &[&["check", "--format", "summary"], line].concat());
        text(&output.stdout)
    };
    assert!(says(".", &["p/src/k.cu"]).contains("`--root p` follows"));
    assert!(says("p/src", &["k.cu"]).contains("`--root ..` follows"));
    let here = says("p", &["src/k.cu"]);
    assert!(here.contains("`--root .` follows"), "{here}");
    // Nothing is to be followed where there is no project, or where it is known.
    for line in [&["single.cu"][..], &["p/src/k.cu", "--root", "p"], &["p"]] {
        assert!(!says(".", line).contains("--root"), "{line:?}");
    }
}

#[test]
fn a_file_that_a_port_wrote_is_left_out_as_its_tree_leaves_it_out() {
    let place = write_tree(&[("cuda/k.cu", KERNEL), ("cuda/m.py", "import torch\n")]);
    let ported = torchada(place.path(), &["port", "cuda", "-o", "musa", "-q"]);
    assert_eq!(code(&ported), Some(0));
    let line = [
        "check",
        "--root",
        ".",
        "--select=CPP056",
        "--format",
        "json",
        "cuda/k.cu",
        "musa/k.mu",
        "musa/torchada/_tables.py",
    ];
    let found = report(&torchada(place.path(), &line));
    assert_eq!(places(&found), ["cuda/k.cu:2 CPP056"]);
    assert_eq!(found["summary"]["files"]["skipped"]["output of a port"], 2);
    let line = ["check", "--root", ".", "musa/torchada/_tables.py"];
    assert_eq!(code(&torchada(place.path(), &line)), Some(0));
    // A port that is looked at by itself is a tree like any other.
    let line = ["check", "--root", "musa", "--format", "json", "musa/k.mu"];
    let itself = report(&torchada(place.path(), &line));
    assert!(itself["summary"]["files"]["skipped"]["output of a port"].is_null());
}

#[test]
fn a_file_that_one_of_the_trees_has_counts_once() {
    let place = write_tree(&[("v/k.cu", KERNEL), ("v/j.cu", KERNEL)]);
    for line in [["v", "v/k.cu"], ["v/k.cu", "v"]] {
        let line = [&["check", "--select=CPP056", "--format", "json"], &line[..]].concat();
        let found = report(&torchada(place.path(), &line));
        assert_eq!(found["summary"]["files"]["seen"], 2);
        assert_eq!(places(&found), ["v/j.cu:2 CPP056", "v/k.cu:2 CPP056"]);
    }
}

#[test]
fn codes_are_selected_and_left_out_by_their_fronts() {
    let place = write_tree(&[("p/k.cu", KERNEL)]);
    let check = |arguments: &[&str]| {
        let output = torchada(
            place.path(),
            &[&["check", "p", "--format", "json"], arguments].concat(),
        );
        let report = report(&output);
        let codes = report["summary"]["findings"]
            .as_object()
            .expect("an object");
        let codes: Vec<&str> = codes.keys().map(String::as_str).collect();
        (codes.join(" "), code(&output))
    };
    let all = ("CPP003 CPP010 CPP056".to_owned(), Some(1));
    assert_eq!(check(&[]), all);
    assert_eq!(check(&["--select", "CPP"]), all);
    assert_eq!(check(&["--select", "CPP00"]).0, "CPP003");
    assert_eq!(check(&["--select", "CPP003,CPP01"]).0, "CPP003 CPP010");
    assert_eq!(
        check(&["--select", "CPP003", "--select", "CPP010"]),
        ("CPP003 CPP010".to_owned(), Some(0))
    );
    assert_eq!(
        check(&["--select", "CPP", "--ignore", "CPP056"]),
        ("CPP003 CPP010".to_owned(), Some(0))
    );
    // The configuration says it too, and the command line goes before it.
    fs::write(
        place.path().join("p/torchada.toml"),
        "ignore = [\"CPP056\"]\nselect = [\"CPP\"]\n",
    )
    .expect("written");
    assert_eq!(check(&[]).0, "CPP003 CPP010");
    assert_eq!(check(&["--ignore", "CPP01"]).0, "CPP003 CPP056");
}

#[test]
fn codes_that_nothing_answers_to_are_refused_with_a_suggestion() {
    let place = write_tree(&[("p/k.cu", KERNEL)]);
    for (arguments, help) in [
        (["--select", "CPP02,CPP999"], "`CPP999`"),
        (["--ignore", "CPP0567"], "did you mean `CPP056`"),
        (["--select", ""], "torchada rules"),
    ] {
        let line = [&["check", "p"], &arguments[..]].concat();
        let output = torchada(place.path(), &line);
        assert_eq!(code(&output), Some(2), "{arguments:?}");
        let err = text(&output.stderr);
        assert!(err.contains(help), "{err}");
        assert!(output.stdout.is_empty());
    }
    fs::write(
        place.path().join("p/torchada.toml"),
        "select = [\"CCP056\"]\n",
    )
    .expect("written");
    let output = torchada(place.path(), &["check", "p"]);
    assert_eq!(code(&output), Some(2));
    let err = text(&output.stderr);
    assert!(
        err.contains("torchada.toml:1:11") && err.contains("`CPP056`"),
        "{err}"
    );
}

#[test]
fn the_exit_code_says_how_bad_it_is() {
    let place = write_tree(&[
        ("error.cu", "int a = CUDART_VERSION;\n"),
        ("warning.cu", "#include <cublasXt.h>\n"),
        ("note.cu", "auto a = NCCL_API_MAGIC;\n"),
        ("clean.cu", "cudaStream_t a;\n"),
    ]);
    let ends = |file: &str, fail_on: &str| {
        let output = torchada(place.path(), &["check", file, "--fail-on", fail_on]);
        code(&output).expect("an exit code")
    };
    let row = |file: &str| ["error", "warning", "note", "never"].map(|word| ends(file, word));
    assert_eq!(row("error.cu"), [1, 1, 1, 0]);
    assert_eq!(row("warning.cu"), [0, 1, 1, 0]);
    assert_eq!(row("note.cu"), [0, 0, 1, 0]);
    assert_eq!(row("clean.cu"), [0, 0, 0, 0]);
    for wrong in [
        &["check", "nowhere"][..],
        &["check", "clean.cu", "nowhere"],
        &["check", "clean.cu", "--fail-on", "ever"],
        &["check", "clean.cu", "--sdk", "newest"],
    ] {
        let output = torchada(place.path(), wrong);
        assert_eq!(code(&output), Some(2), "{wrong:?}");
        assert!(output.stdout.is_empty(), "{wrong:?}");
    }
}

#[test]
fn files_are_graded_by_what_they_will_take() {
    let place = write_tree(&[
        ("p/bad.cu", "int a = CUDART_VERSION, b = CUDA_VERSION;\n"),
        ("p/less.cu", "#include <cublasXt.h>\n"),
        ("p/clean.cu", "cudaStream_t a;\n"),
    ]);
    let output = torchada(place.path(), &["check", "p", "--format", "json"]);
    let report = report(&output);
    let effort = report["effort"].as_array().expect("a list");
    let files: Vec<&str> = effort
        .iter()
        .filter_map(|file| file["path"].as_str())
        .collect();
    assert_eq!(files, ["p/bad.cu", "p/less.cu"]);
    assert_eq!(effort[1]["grade"], "low");
    assert!(effort[0]["points"].as_u64() > effort[1]["points"].as_u64());
    let shown = text(&torchada(place.path(), &["check", "p"]).stdout);
    assert!(shown.contains("1 file medium, 1 file low"), "{shown}");
}

/// A module that is hard to port, for several reasons.
const MODULE: &str = "\
import cupy
import torch

HALF = torch.cuda.get_device_capability() >= (8, 0)
FAST = torch.cuda.get_device_capability() >= (9, 0)
MAJOR = int(torch.version.cuda.split('.')[0])
x = torch.zeros(1, device='cuda')
";

#[test]
fn a_module_of_python_is_graded_with_the_reasons_counted() {
    let place = write_tree(&[("p/m.py", MODULE), ("p/k.cu", KERNEL)]);
    let alone = text(&torchada(place.path(), &["check", "p/m.py"]).stdout);
    let summary = alone.split("checked ").nth(1).expect("a summary");
    for line in [
        "1 error, 3 warnings of 3 causes, about 45 min of work",
        "2  PY023  a compute capability is compared with a number of CUDA's",
        "1  PY022  `torch.version.cuda` is None on MUSA, and this raises",
        "packages    do without `cupy`; 1 warning",
        "effort      1 file medium",
    ] {
        assert!(summary.contains(line), "{line}: {summary}");
    }
    // In a tree of both languages every file has its grade.
    let output = torchada(place.path(), &["check", "p", "--format", "json"]);
    let report = report(&output);
    let effort = report["effort"].as_array().expect("a list");
    let mut files: Vec<&str> = effort
        .iter()
        .filter_map(|file| file["path"].as_str())
        .collect();
    files.sort_unstable();
    assert_eq!(files, ["p/k.cu", "p/m.py"]);
}

#[test]
fn what_came_with_a_later_release_counts_as_missing() {
    let place = write_tree(&[("p/k.cu", "#include <cublasLt.h>\n")]);
    let codes = |arguments: &[&str]| {
        let line = [
            &["check", "p", "--format", "json", "--select", "CPP0"],
            arguments,
        ]
        .concat();
        places(&report(&torchada(place.path(), &line))).join(" ")
    };
    assert_eq!(codes(&[]), "");
    assert_eq!(codes(&["--sdk", "4.3"]), "");
    assert_eq!(codes(&["--torch-musa", "1.0"]), "");
    assert_eq!(codes(&["--sdk", "4.2.9"]), "p/k.cu:1 CPP014");
    fs::write(place.path().join("p/torchada.toml"), "sdk = \"4.2\"\n").expect("written");
    assert_eq!(codes(&[]), "p/k.cu:1 CPP014");
    assert_eq!(codes(&["--sdk", "4.10"]), "");
    let map = |sdk| text(&torchada(place.path(), &["map", "cublasLt.h", "--sdk", sdk]).stdout);
    assert!(map("4.3.0").starts_with("cublasLt.h -> mublasLt.h"));
    let lacking = map("4.2.0");
    assert!(
        lacking.starts_with("cublasLt.h\n  absent") && lacking.contains("MUSA SDK 4.3.0"),
        "{lacking}"
    );
    fs::write(place.path().join("p/torchada.toml"), "sdk = 4.2\n").expect("written");
    let output = torchada(place.path(), &["check", "p"]);
    assert_eq!(code(&output), Some(2));
    assert!(text(&output.stderr).contains("in quotes"));
}

#[test]
fn of_a_port_nobody_is_told_to_port_it() {
    let module = "import torch\n\ntorch.backends.cuda.matmul.allow_tf32 = True\n";
    let place = write_tree(&[("p/train.py", module)]);
    let next = |path: &str| {
        let printed = torchada(place.path(), &["check", path, "--format", "summary"]);
        let printed = text(&printed.stdout);
        let next = printed.lines().find(|line| line.starts_with("  next"));
        next.unwrap_or_default().to_owned()
    };
    assert_eq!(next("p"), "  next        port it, and run it on MUSA");
    torchada(place.path(), &["port", "p", "-q"]);
    assert_eq!(next("p_musa"), "  next        run it on MUSA");
}

#[test]
fn rules_and_explain_speak_of_every_code() {
    let place = write_tree(&[]);
    let listed = text(&torchada(place.path(), &["rules"]).stdout);
    let codes: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert!(codes.is_sorted() && codes.contains(&"CPP056"), "{listed}");
    let json = report(&torchada(place.path(), &["rules", "--json"]));
    assert_eq!(json["rules"].as_array().map(Vec::len), Some(codes.len()));
    let output = torchada(place.path(), &[&["explain"], &codes[..]].concat());
    assert_eq!(code(&output), Some(0));
    let explained = text(&output.stdout);
    for code in &codes {
        assert!(explained.contains(&format!("[{code}]")), "{code}");
    }
    assert_eq!(explained.matches("How to fix it").count(), codes.len());
    let output = torchada(place.path(), &["explain", "cpp056", "CPP902"]);
    let shown = text(&output.stdout);
    assert_eq!(code(&output), Some(1));
    assert!(shown.starts_with("error[CPP056]"), "{shown}");
    assert!(
        shown.contains("CPP902: no code of a finding; did you mean"),
        "{shown}"
    );
}

#[test]
fn hazards_of_other_targets_are_left_out() {
    let lane = "__global__ void k(int *out) { out[0] = threadIdx.x & 31; }\n";
    let place = write_tree(&[
        ("p/k.cu", lane),
        ("q/k.cu", lane),
        ("q/torchada.toml", "target = [\"mp_31\"]\n"),
    ]);
    let shown = |arguments: &[&str]| {
        let line = [&["check", "--format", "concise"], arguments].concat();
        let output = torchada(place.path(), &line);
        (code(&output), text(&output.stdout).contains("CPP111"))
    };
    assert_eq!(shown(&["p"]), (Some(0), true));
    assert_eq!(
        shown(&["p", "--target", "mp_22", "--target", "mp_31"]),
        (Some(0), true)
    );
    assert_eq!(shown(&["p", "--target", "mp_31"]), (Some(0), false));
    assert_eq!(shown(&["q"]), (Some(0), false));
    let output = torchada(place.path(), &["check", "p", "--target", "mp_99"]);
    assert_eq!(code(&output), Some(2));
    let err = text(&output.stderr);
    assert!(err.contains("mp_99") && err.contains("mp_31"), "{err}");
}

#[test]
fn packages_are_listed_with_what_falls_away_without_them() {
    let place = write_tree(&[
        ("pkg/__init__.py", "from . import engine\n"),
        (
            "pkg/engine.py",
            "import torch\nimport cupy\nimport flash_mla\n",
        ),
        ("pkg/extra.py", "def mark():\n    import nvtx\n"),
        ("tests/test_a.py", "import cupy\n"),
    ]);
    let list = text(&torchada(place.path(), &["check", ".", "--packages"]).stdout);
    let expected = "\
cupy: made for CUDA, and MUSA has nothing in its place
  imports     1 unguarded, 1 in tests, benchmarks and examples
  start stops pkg/__init__.py:1 → pkg/engine.py:2
  lost        3 modules: pkg, pkg.engine, pkg.extra
";
    assert!(list.starts_with(expected), "{list}");
    assert!(list.contains("flash_mla: MUSA has a build of it"), "{list}");
    let output = torchada(
        place.path(),
        &["check", ".", "--packages", "--format", "json"],
    );
    let packages = report(&output)["packages"].clone();
    let other = torchada(
        place.path(),
        &["check", ".", "--packages", "--format", "sarif"],
    );
    assert_eq!(code(&other), Some(2));
    assert!(text(&other.stderr).contains("no other format than json"));
    let of = |name: &str| {
        let rows = packages.as_array().expect("a list").iter();
        let mut rows = rows.filter(|row| row["package"] == name);
        rows.next().expect("a row").clone()
    };
    assert_eq!(of("cupy")["stops_start"], true);
    assert_eq!(of("flash_mla")["stops_start"], false);
    assert_eq!(of("nvtx")["imports"]["lazy"], 1);
    assert_eq!(of("nvtx")["places"][0]["line"], 2);
}

#[test]
fn the_folder_of_a_package_for_cuda_is_that_package() {
    let files = [
        ("cupy/__init__.py", ""),
        ("cupy/core.py", "import cupyx\nfrom cupy import cuda\n"),
    ];
    let inside = write_tree(&files);
    let lines = |folder: &str| {
        let output = torchada(inside.path(), &["check", folder, "--format", "concise"]);
        text(&output.stdout).lines().count()
    };
    assert_eq!(lines("cupy"), 0);
    // Elsewhere it is the package that is installed.
    let outside = write_tree(&[("app/core.py", "import cupy\n")]);
    let output = torchada(outside.path(), &["check", "app", "--format", "concise"]);
    assert!(text(&output.stdout).contains("PY040"));
}

#[test]
fn a_release_is_asked_for_only_where_it_decides() {
    let code = "#include <cublas_v2.h>\n#if CUBLAS_VER_MAJOR < 12\n#endif\n#if CUDART_VERSION < 12000\n#endif\n";
    let place = write_tree(&[("a.cpp", code)]);
    let words = ["check", ".", "--cuda-version", "off", "--format", "json"];
    let found = report(&torchada(place.path(), &words));
    let findings = found["findings"].as_array().expect("a list").iter();
    let helps = findings.map(|one| one["help"].as_str().unwrap_or_default());
    let helps: Vec<bool> = helps.map(|help| help.contains("--cuda-version")).collect();
    assert_eq!(helps, [false, true], "{found}");
}

#[test]
fn of_many_paths_the_first_ones_are_named() {
    let place = TempDir::new().expect("a temporary folder");
    let names: Vec<String> = (1..=7).map(|at| format!("m{at}.py")).collect();
    for name in &names {
        fs::write(place.path().join(name), "import os\n").expect("a file");
    }
    let arguments = ["check"]
        .into_iter()
        .chain(names.iter().map(String::as_str));
    let output = torchada(place.path(), &arguments.collect::<Vec<_>>());
    let all = text(&output.stderr) + &text(&output.stdout);
    let first = "checked m1.py, m2.py, m3.py, m4.py, m5.py and 2 more: 7 files, nothing written";
    assert!(all.contains(first), "{all}");
}
