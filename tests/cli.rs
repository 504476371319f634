//! The program from outside: exit codes, messages, and what is written where.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::program::{text, torchada, torchada_with};
use crate::common::trees::{git, read_tree, write_into, write_tree};
use crate::documents::{self, is_fresh};

const KERNEL: &str = "#include <cuda_runtime.h>\nvoid f() { cudaFree(nullptr); }\n";
const PORTED: &str = "#include <musa_runtime.h>\nvoid f() { musaFree(nullptr); }\n";

/// Run the command of these words, which ends as [`ends`] says.
fn run(folder: impl AsRef<Path>, words: &str, code: i32, messages: &[&str]) -> Output {
    let arguments: Vec<&str> = words.split(' ').collect();
    run_words(folder, &arguments, code, messages)
}

fn run_words(folder: impl AsRef<Path>, words: &[&str], code: i32, messages: &[&str]) -> Output {
    let output = torchada(folder.as_ref(), words);
    ends(&output, code, messages);
    output
}

/// Assert the exit code, and that standard error holds each of `messages`.
fn ends(output: &Output, code: i32, messages: &[&str]) {
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{err}");
    for message in messages {
        assert!(err.contains(message), "no `{message}` in\n{err}");
    }
}

/// The content of a file.
fn content(folder: &Path, path: &str) -> String {
    fs::read_to_string(folder.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A small tree: a kernel that includes a header from another folder.
fn project() -> tempfile::TempDir {
    write_tree(&[
        (
            "p/csrc/cuda/k.cu",
            "#include \"../inc/h.cuh\"\n#include <cuda_runtime.h>\nvoid f() { cudaFree(nullptr); }\n",
        ),
        ("p/csrc/inc/h.cuh", "#pragma once\n"),
        ("p/notes.txt", "cudaFree\n"),
    ])
}

#[test]
fn a_tree_goes_beside_itself_and_findings_are_no_failure() {
    let place = write_tree(&[("p/k.cu", "int v = CUDART_VERSION;\n")]);
    let output = run(
        &place,
        "port p",
        0,
        &["1 seen", "CPP056", "20 min  medium     k.cu  CPP056"],
    );
    assert!(output.stdout.is_empty());
    assert_eq!(
        content(place.path(), "p_musa/k.mu"),
        "int v = CUDART_VERSION;\n"
    );
}

#[test]
fn the_folder_one_stands_in_has_its_real_name() {
    let place = write_tree(&[("p/k.cu", KERNEL)]);
    run(place.path().join("p"), "port .", 0, &[]);
    assert_eq!(content(place.path(), "p_musa/k.mu"), PORTED);
}

#[test]
fn one_file_goes_beside_itself_and_never_over_another() {
    let place = write_tree(&[("k.cu", KERNEL)]);
    run(&place, "port k.cu", 0, &[]);
    assert_eq!(content(place.path(), "k.mu"), PORTED);
    fs::write(place.path().join("k.mu"), "mine\n").expect("written");
    run(&place, "port k.cu", 2, &["k.mu is there already", "-o"]);
    assert_eq!(content(place.path(), "k.mu"), "mine\n");
}

#[test]
fn standard_input_goes_to_standard_output() {
    let place = write_tree(&[]);
    let input = "#include \"h.cuh\"\ncudaEvent_t e; auto v = CUDA_VERSION;\n";
    let output = torchada_with(
        place.path(),
        &["port", "-", "--stdin-path", "src/k.cu"],
        input,
    );
    // Headers of the project keep their names: nobody knows the tree.
    assert_eq!(
        text(&output.stdout),
        input.replace("cudaEvent_t", "musaEvent_t")
    );
    ends(&output, 0, &["k.cu:2:25: error[CPP056]"]);
}

/// Port standard input as the kernel of [`project`].
const FILTER: &[&str] = &[
    "port",
    "-",
    "--stdin-path",
    "csrc/cuda/k.cu",
    "--root",
    "p",
    "-q",
];

#[test]
fn standard_input_follows_the_renames_of_its_tree() {
    let place = project();
    let input = "#include \"../inc/h.cuh\"\n";
    // The name is relative to the root.
    let output = torchada_with(place.path(), FILTER, input);
    ends(&output, 0, &[]);
    assert_eq!(text(&output.stdout), "#include \"../inc/h.muh\"\n");
}

#[test]
fn standard_input_counts_and_not_the_file_of_that_name() {
    let place = project();
    // An editor's buffer: the file on disk has other lines in other places.
    let input = "// a buffer that nobody has saved yet\n#include \"../inc/h.cuh\"\n\
                 #define cudaFree(p) mine(p)\nvoid g() { cudaFree(cudaHostAlloc); }\n";
    let output = torchada_with(place.path(), FILTER, input);
    ends(&output, 0, &[]);
    let expected = input
        .replace("h.cuh", "h.muh")
        .replace("cudaHostAlloc", "musaHostAlloc");
    assert_eq!(text(&output.stdout), expected);
}

#[test]
fn one_file_of_a_tree_becomes_what_a_port_of_the_tree_makes_of_it() {
    let place = project();
    run(&place, "port p", 0, &[]);
    let whole = content(place.path(), "p_musa/csrc/cuda/k.mu");
    assert!(whole.contains("h.muh"), "{whole}");
    let file = ["port", "p/csrc/cuda/k.cu", "--root", "p", "-o", "-", "-q"];
    let output = run_words(&place, &file, 0, &[]);
    assert_eq!(text(&output.stdout), whole);
    let input = content(place.path(), "p/csrc/cuda/k.cu");
    let output = torchada_with(place.path(), FILTER, &input);
    assert_eq!(text(&output.stdout), whole);
}

#[test]
fn a_part_of_a_tree_is_ported_alone() {
    let place = project();
    run(&place, "port p/csrc/cuda --root p -o part", 0, &[]);
    let tree = read_tree(&place.path().join("part"));
    let names: Vec<&str> = tree
        .keys()
        .map(String::as_str)
        .filter(|path| !path.starts_with('.'))
        .collect();
    assert_eq!(names, ["k.mu"]);
    // What is not ported keeps its name.
    assert!(
        content(place.path(), "part/k.mu")
            .starts_with("#include \"../inc/h.cuh\"\n#include <musa_runtime.h>")
    );
}

#[test]
fn an_output_inside_the_input_is_no_input() {
    let place = project();
    for _ in 0..2 {
        run(&place, "port p -o p/out", 0, &["3 seen"]);
    }
    assert!(place.path().join("p/out/csrc/cuda/k.mu").is_file());
    assert!(!place.path().join("p/out/out").exists());
}

#[test]
fn a_folder_that_no_port_wrote_is_refused() {
    let place = project();
    write_into(place.path(), &[("p_musa/mine.txt", "mine\n")]);
    run(&place, "port p", 2, &["p_musa", "no port wrote it", "-o"]);
    assert_eq!(read_tree(&place.path().join("p_musa")).len(), 1);
}

#[test]
fn a_port_without_its_manifest_is_known_again_in_the_way_that_the_help_names() {
    let place = project();
    let port = |line: &[&str]| torchada(place.path(), &[&["port", "p", "-o"], line].concat());
    ends(&port(&["q"]), 0, &[]);
    let kernel = place.path().join("q/csrc/cuda/k.mu");
    let edited = content(place.path(), "q/csrc/cuda/k.mu").replace("void f()", "void mine()");
    fs::write(&kernel, &edited).expect("written");
    fs::remove_dir_all(place.path().join("q/.torchada")).expect("removed");
    let refused = port(&["q"]);
    ends(
        &refused,
        2,
        &["port to a new place, move the .torchada from there"],
    );
    ends(&port(&["new"]), 0, &[]);
    let (from, to) = ("new/.torchada", "q/.torchada");
    fs::rename(place.path().join(from), place.path().join(to)).expect("moved");
    ends(&port(&["q"]), 0, &["your edits  1 file kept"]);
    assert_eq!(fs::read_to_string(&kernel).expect("there"), edited);
}

#[test]
fn the_diff_gives_git_the_tree_that_a_port_writes() {
    use std::os::unix::fs::symlink;
    let place = project();
    symlink("csrc/cuda/k.cu", place.path().join("p/link.cu")).expect("linked");
    let input = place.path().join("p");
    git(&input, &["init", "-q"]);
    git(&input, &["add", "."]);
    let output = run(&place, "port p --diff", 0, &[]);
    let patch = text(&output.stdout);
    assert!(
        patch.contains("rename from csrc/cuda/k.cu\nrename to csrc/cuda/k.mu\n"),
        "{patch}"
    );
    assert!(!place.path().join("p_musa").exists());
    run(&place, "port p -o written", 0, &[]);
    fs::write(place.path().join("patch"), &output.stdout).expect("written");
    git(&input, &["apply", "../patch"]);
    let mut written = read_tree(&place.path().join("written"));
    written.retain(|path, _| !path.starts_with(".torchada"));
    assert_eq!(read_tree(&input), written);
}

#[test]
fn the_diff_by_rule_counts_by_rule_and_evidence() {
    let place = project();
    let output = run(&place, "port p --diff --by-rule", 0, &[]);
    let shown = text(&output.stdout);
    for group in [
        "name (confirmed): 1 edit in 1 file",
        "header (confirmed): 1 edit",
        "include-of-renamed",
    ] {
        assert!(shown.contains(group), "no `{group}` in\n{shown}");
    }
}

#[test]
fn a_dry_run_writes_nothing() {
    let place = project();
    let before = read_tree(place.path());
    run(
        &place,
        "port p --dry-run",
        0,
        &["wrote nothing", "2 renamed"],
    );
    assert_eq!(read_tree(place.path()), before);
}

#[test]
fn a_port_of_another_tree_is_not_replaced() {
    let place = project();
    write_into(
        place.path(),
        &[
            ("other/README.md", "another\n"),
            ("other/main.cu", KERNEL),
            ("p/README.md", "this one\n"),
        ],
    );
    fs::create_dir(place.path().join("empty")).expect("made");
    run(&place, "port p -o q", 0, &[]);
    let before = read_tree(&place.path().join("q"));
    for (input, has) in [("other", "1"), ("empty", "none")] {
        let message = format!(
            "q is the port of another tree: of the 4 files that were ported there, {input} has {has}"
        );
        for more in [&[][..], &["--check"]] {
            let line = [&["port", input, "-o", "q"], more].concat();
            run_words(
                &place,
                &line,
                2,
                &[&message, "choose another place with -o; with --force"],
            );
        }
        assert_eq!(read_tree(&place.path().join("q")), before);
    }
    // The tree itself may have another name, and other texts, and may lie in another root.
    fs::rename(place.path().join("p"), place.path().join("m")).expect("moved");
    run(&place, "port m -o q", 0, &[]);
    run(&place, "port m/csrc -o part", 0, &[]);
    let part = ["port", "m/csrc", "--root", "m", "-o", "part"];
    run_words(&place, &part, 0, &[]);
    for file in ["csrc/cuda/k.cu", "csrc/inc/h.cuh"] {
        fs::remove_file(place.path().join("m").join(file)).expect("removed");
    }
    fs::write(place.path().join("m/README.md"), "changed\n").expect("written");
    run(
        &place,
        "port m -o q",
        0,
        &["removed     2 files of the last port"],
    );
    // With --force, the other tree takes the place.
    let forced = ["port", "empty", "-o", "q", "--force"];
    run_words(&place, &forced, 0, &["removed     2 files"]);
}

#[test]
fn the_output_is_named_as_it_is_seen_from_where_one_stands() {
    let place = project();
    let input = place.path().join("p");
    let says = |folder: &Path, line: &[&str], named: &str| {
        let first = format!("ported {} to {named}\n", line[1]);
        run_words(folder, line, 0, &[&first]);
    };
    says(&input, &["port", "."], "../p_musa");
    says(&input.join("csrc"), &["port", ".."], "../../p_musa");
    says(place.path(), &["port", "p/"], "p_musa");
    run(
        &input,
        "port . --check",
        0,
        &["../p_musa is in step with ."],
    );
    let own = write_tree(&[("q/k.cu", KERNEL), ("r/k.cu", KERNEL)]);
    says(
        &own.path().join("q"),
        &["port", ".", "--in-place", "--force"],
        ".",
    );
    says(
        own.path(),
        &["port", "r/k.cu", "--in-place", "--force"],
        "r",
    );
    let dry = torchada(place.path(), &["port", "p", "--dry-run"]);
    assert!(!text(&dry.stderr).contains("`--format full`"));
}

#[test]
fn a_port_of_one_file_says_what_it_wrote_and_where_its_findings_are() {
    let place = write_tree(&[
        ("v/k.cu", "int v = CUDART_VERSION;\n"),
        (
            "v/m.py",
            "import torch\ntorch.backends.cudnn.benchmark = True\n",
        ),
    ]);
    let port = |line: &[&str]| text(&torchada(place.path(), &[&["port"], line].concat()).stderr);
    let messages = port(&["v/k.cu"]);
    assert!(
        messages.starts_with("v/k.cu:1:9: error[CPP056]"),
        "{messages}"
    );
    assert!(
        messages.ends_with("\nported v/k.cu to v/k.mu\n"),
        "{messages}"
    );
    fs::create_dir(place.path().join("out")).expect("made");
    assert!(port(&["v/k.cu", "-o", "out"]).ends_with("\nported v/k.cu to out/k.mu\n"));
    assert!(!port(&["v/k.cu", "-o", "-"]).contains("ported"));
    assert_eq!(port(&["v/k.cu", "-o", "quiet.mu", "-q"]), "");
    // No package comes with one file.
    let messages = port(&["v/m.py"]);
    assert!(
        messages.contains("ported v/m.py to v/m_musa.py\n"),
        "{messages}"
    );
    assert!(
        messages.contains("brings no package that stands in for names (PY012)"),
        "{messages}"
    );
    let checked = text(&torchada(place.path(), &["check", "v/m.py"]).stdout);
    assert!(
        checked.contains("in a port of its whole tree\n"),
        "{checked}"
    );
    let checked = text(&torchada(place.path(), &["check", "v"]).stdout);
    assert!(
        !checked.contains("in a port of its whole tree\n"),
        "{checked}"
    );
}

#[test]
fn in_place_wants_a_clean_work_tree() {
    let place = project();
    let input = place.path().join("p");
    run(
        &place,
        "port p --in-place",
        2,
        &["git work tree", "--force"],
    );
    git(&input, &["init", "-q"]);
    git(&input, &["add", "."]);
    git(&input, &["commit", "-q", "-m", "all"]);
    fs::write(input.join("notes.txt"), "changed\n").expect("written");
    let before = read_tree(&input);
    run(&place, "port p --in-place", 2, &["--force"]);
    assert_eq!(read_tree(&input), before);
    git(&input, &["commit", "-q", "-a", "-m", "notes"]);
    let done = run(&place, "port p --in-place", 0, &[]);
    let printed = text(&done.stderr);
    // What is renamed is not of an earlier port, and no report was written.
    assert!(
        !printed.contains("removed") && !printed.contains("in the report"),
        "{printed}"
    );
    assert!(input.join("csrc/cuda/k.mu").is_file() && !input.join("csrc/cuda/k.cu").exists());
    assert!(!input.join(".torchada").exists());
}

#[test]
fn a_port_in_place_speaks_of_no_report_but_one_that_it_wrote() {
    for (more, says) in [
        (
            &[][..],
            "go through what `torchada check` still finds (after `git add`), errors first",
        ),
        (
            &["--report", "r.json"],
            "go through the findings in the report, errors first",
        ),
    ] {
        let place = write_tree(&[(
            "p/k.cu",
            "int version = CUDART_VERSION;\nint a = cudaFree(0);\n",
        )]);
        let line = [&["port", "p", "--in-place", "--force"], more].concat();
        run_words(&place, &line, 0, &[says]);
    }
}

#[test]
fn in_place_changes_no_file_that_git_does_not_track() {
    let place = project();
    let input = place.path().join("p");
    git(&input, &["init", "-q"]);
    // Nothing is tracked yet, and so nothing has changed.
    let refused = |line: &[&str], names: &[&str]| {
        let before = read_tree(&input);
        let output = run_words(
            &place,
            line,
            2,
            &["git does not track", "commit them", "--force"],
        );
        ends(&output, 2, names);
        assert_eq!(read_tree(&input), before);
    };
    let all = ["port", "p", "--in-place", "--no-ignore"];
    refused(&all, &["2 files of", "csrc/cuda/k.cu", "csrc/inc/h.cuh"]);
    let one = ["port", "p/csrc/cuda/k.cu", "--in-place"];
    refused(&one, &["a file of", "k.cu"]);

    git(&input, &["add", "csrc", "notes.txt"]);
    git(&input, &["commit", "-q", "-m", "all"]);
    write_into(
        &input,
        &[
            ("own/a.cu", KERNEL),
            (".gitignore", "secret/\n"),
            ("secret/b.cu", KERNEL),
        ],
    );
    for folder in ["p/own", "p/secret"] {
        let line = ["port", folder, "--in-place", "--no-ignore"];
        refused(&line, &[".cu"]);
    }
    refused(&all, &["own/a.cu", "secret/b.cu"]);
    // The files that git tracks are safe, and the others are none of the input.
    let done = run(&place, "port p --in-place", 0, &[]);
    let printed = text(&done.stderr);
    // What is renamed is not of an earlier port, and no report was written.
    assert!(
        !printed.contains("removed") && !printed.contains("in the report"),
        "{printed}"
    );
    assert!(input.join("csrc/cuda/k.mu").is_file() && input.join("own/a.cu").is_file());
}

#[test]
fn a_layout_keeps_the_cuda_files_and_writes_beside_them() {
    let place = project();
    let input = place.path().join("p");
    git(&input, &["init", "-q"]);
    git(&input, &["add", "."]);
    git(&input, &["commit", "-q", "-m", "all"]);
    let cuda = content(&input, "csrc/cuda/k.cu");
    run(&place, "port p --layout csrc/cuda=csrc/musa", 0, &[]);
    assert_eq!(content(&input, "csrc/cuda/k.cu"), cuda);
    assert_eq!(
        content(&input, "csrc/musa/k.mu"),
        "#include \"../inc/h.cuh\"\n#include <musa_runtime.h>\nvoid f() { musaFree(nullptr); }\n"
    );
    assert_eq!(content(&input, "csrc/inc/h.cuh"), "#pragma once\n");
    // What it wrote is no input of the next run, and takes no name.
    let again = ["port", ".", "--layout", "csrc/cuda=csrc/musa"];
    git(&input, &["add", "."]);
    let output = run_words(&input, &again, 0, &["1 renamed"]);
    assert!(!text(&output.stderr).contains("PRJ003"));
    assert!(!input.join("csrc/musa/k.cu").exists());
}

#[test]
fn a_layout_keeps_a_name_where_the_new_one_is_taken() {
    let place = project();
    write_into(place.path(), &[("p/csrc/musa/k.mu", "// by hand\n")]);
    let layout = ["port", "p", "--layout", "csrc/cuda=csrc/musa", "--force"];
    let taken = ["PRJ003"];
    run_words(&place, &layout, 0, &taken);
    assert_eq!(content(place.path(), "p/csrc/musa/k.mu"), "// by hand\n");
    let beside = content(place.path(), "p/csrc/musa/k.cu");
    assert!(beside.contains("musaFree"), "{beside}");
}

#[test]
fn a_file_of_which_no_edit_is_left_is_not_written() {
    let own = ("torchada.toml", "[names]\nCUDA_TEXT = \"R\"\n");
    let place = write_tree(&[own, ("k.cu", "auto t = CUDA_TEXT\"(one)\";\n")]);
    run(&place, "port k.cu", 1, &["error[CPP040]"]);
    assert!(!place.path().join("k.mu").exists());
}

#[test]
fn map_answers_and_says_what_it_does_not_know() {
    let place = write_tree(&[]);
    let output = run(&place, "map cudaMalloc CUDART_VERSION", 0, &[]);
    let shown = text(&output.stdout);
    assert!(
        shown.starts_with("cudaMalloc -> musaMalloc\n  renamed, confirmed"),
        "{shown}"
    );
    assert!(shown.contains("CUDART_VERSION\n  absent"), "{shown}");
    let output = run(&place, "map cudaMallocc", 1, &[]);
    assert!(
        text(&output.stdout).contains("near: cudaMalloc"),
        "{}",
        text(&output.stdout)
    );
    let stream = run(&place, "map at::cuda::getCurrentCUDAStream", 0, &[]);
    let shown = text(&stream.stdout);
    assert!(
        shown.contains("\nat::cuda -> at::musa\n")
            && shown.contains("\ngetCurrentCUDAStream -> getCurrentMUSAStream\n"),
        "{shown}"
    );
    let block = run(&place, "map cub::NobodyHasThis", 1, &[]);
    assert!(text(&block.stdout).contains("\ncub\n  same"), "{block:?}");
    let output = torchada(place.path(), &["map", "cudaMalloc", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(json.to_string().contains("\"musaMalloc\""), "{json}");
}

#[test]
fn a_fault_in_a_table_names_file_and_line_and_nothing_is_written() {
    let place = project();
    write_into(
        place.path(),
        &[("bad.toml", "[names]\n\ncudaFree = \"musa Free\"\n")],
    );
    for arguments in [
        &["port", "p", "--mapping", "bad.toml"][..],
        &["map", "cudaFree", "--mapping", "bad.toml"],
    ] {
        run_words(&place, arguments, 2, &["bad.toml:3:", "musa Free"]);
    }
    assert!(!place.path().join("p_musa").exists());
}

#[test]
fn a_misspelt_mapping_table_gets_a_suggestion() {
    let place = project();
    write_into(
        place.path(),
        &[("ours.toml", "[header]\n\"cudaX.h\" = \"musaX.h\"\n")],
    );
    let messages = [
        "`header` is no mapping table",
        "ours.toml:1",
        "did you mean `headers`?",
    ];
    run(&place, "check p --mapping ours.toml", 2, &messages);
}

#[test]
fn an_unknown_key_of_the_configuration_gets_a_suggestion() {
    let place = project();
    write_into(
        place.path(),
        &[("p/torchada.toml", "# ours\nrenmae = \"never\"\n")],
    );
    let messages = [
        "unknown key `renmae`",
        "torchada.toml:2",
        "did you mean `rename`?",
    ];
    run(&place, "port p", 2, &messages);
    run(&place, "port p --no-config", 0, &[]);
}

#[test]
fn what_is_not_there_or_not_understood_is_refused() {
    let place = write_tree(&[]);
    run(&place, "port nowhere", 2, &["nowhere does not exist"]);
    run(&place, "port x --bogus", 2, &["--bogus"]);
    run(&place, "prot x", 2, &["port"]);
}

#[test]
fn the_report_goes_where_it_is_asked_for() {
    let place = project();
    run(&place, "port p --report r.json", 0, &[]);
    assert_eq!(
        content(place.path(), "r.json"),
        content(place.path(), "p_musa/.torchada/report.json")
    );
    let report: serde_json::Value =
        serde_json::from_str(&content(place.path(), "r.json")).expect("JSON");
    assert_eq!(report["schema_version"], 1);
    assert_eq!(
        (&report["input"], &report["output"]),
        (&"p".into(), &"p_musa".into())
    );
}

#[test]
fn completions_and_manual_pages_are_made_for_every_command() {
    let place = write_tree(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = torchada(place.path(), &["generate", "completions", shell]);
        let script = text(&output.stdout);
        assert!(
            script.contains("check") && script.contains("baseline"),
            "{shell}: {script}"
        );
    }
    let output = torchada(place.path(), &["generate", "man", "man/man1"]);
    assert_eq!(output.status.code(), Some(0));
    let folder = place.path().join("man/man1");
    let page = fs::read_to_string(folder.join("torchada-port.1")).expect("a page");
    assert!(
        page.contains("torchada port") && page.contains("\\-\\-dialect"),
        "{page}"
    );
    let main = fs::read_to_string(folder.join("torchada.1")).expect("a page");
    assert!(main.contains("torchada\\-check(1)"), "{main}");
    // Pages are renewed, and take the place of nothing else.
    let again = ["generate", "man", "man/man1"];
    assert_eq!(torchada(place.path(), &again).status.code(), Some(0));
    fs::write(folder.join("torchada-run.1"), "mine").expect("written");
    fs::remove_file(folder.join("torchada.1")).expect("removed");
    run_words(
        &place,
        &again,
        2,
        &["torchada-run.1 is there, and no page of this command's"],
    );
    assert_eq!(content(&folder, "torchada-run.1"), "mine");
    assert!(!folder.join("torchada.1").exists(), "nothing is written");
}

/// Faults of the command line and of the configuration are named where they stand, with what to do.
#[test]
fn a_fault_is_named_at_its_place() {
    let folder = write_tree(&[
        ("p/k.cu", KERNEL),
        ("paths/torchada.toml", "paths = [\"missing\"]\n"),
        ("target/torchada.toml", "\ntarget = [\"mp_99\"]\n"),
        ("target/k.cu", KERNEL),
        ("taken", ""),
        ("mapping/torchada.toml", "\nmapping = [\"missing.toml\"]\n"),
        ("facts/torchada.toml", "facts = \"missing.toml\"\n"),
    ]);
    let place = folder.path();
    for (folder, at) in [
        ("mapping", "torchada.toml:2: `mapping`: can't read "),
        ("facts", "torchada.toml:1: `facts`: can't read "),
    ] {
        run(
            place.join(folder),
            "check .",
            2,
            &[at, "/missing.toml: ", "seen from its folder"],
        );
    }
    run(place, "check p --jobs 0", 2, &["from 1 up"]);
    run(
        place,
        "port p out",
        2,
        &["unexpected argument 'out'", "`-o out`"],
    );
    run(
        place.join("paths"),
        "check",
        2,
        &["torchada.toml:1: `paths`: ", "/missing does not exist"],
    );
    run(
        place.join("target"),
        "check .",
        2,
        &["torchada.toml:2: `mp_99` is no target"],
    );
    run(
        place,
        "check p --target mp_99",
        2,
        &["--target: `mp_99` is no target"],
    );
    run(place, "port p -o taken", 2, &["or remove the file"]);
    run(
        place,
        "port - -o p",
        2,
        &["/p is a folder", "name a file in it"],
    );
    run(
        place,
        "port p --in-place",
        2,
        &["does not lie in a git work tree", "commit it to git first"],
    );
    let since = run(
        place,
        "check p --since main",
        2,
        &["--since is for files and folders in a git work tree"],
    );
    assert!(!text(&since.stderr).contains("shallow"));
    run(
        place,
        "doctor --skip DOC001,NOPE",
        2,
        &["--skip: no check's code starts with `NOPE`"],
    );
    for front in ["cpp", "DOC0"] {
        let explained = torchada(place, &["explain", front]);
        let explanation = text(&explained.stdout);
        assert_eq!(explained.status.code(), Some(1));
        let expected = format!("{front}: the front of several codes; ");
        assert!(explanation.starts_with(&expected), "{explanation}");
    }
}

#[test]
fn codes_are_taken_in_any_case() {
    let folder = write_tree(&[("k.cu", "int version = CUDART_VERSION;\n")]);
    let all = torchada(folder.path(), &["check", ".", "--format", "concise"]);
    let select = ["check", ".", "--format", "concise", "--select", "cpp056"];
    let selected = torchada(folder.path(), &select);
    assert_eq!(text(&selected.stdout), text(&all.stdout));
    ends(&selected, 1, &[]);
    let ignore = ["check", ".", "--ignore", "cpp056"];
    run_words(&folder, &ignore, 0, &[]);
}

#[test]
fn what_is_for_people_comes_below_the_findings() {
    let folder = write_tree(&[("k.cu", "int version = CUDART_VERSION;\n")]);
    let line = format!(
        "'{}' check . --format concise 2>&1",
        env!("CARGO_BIN_EXE_torchada")
    );
    let output = std::process::Command::new("sh")
        .args(["-c", &line])
        .current_dir(folder.path())
        .output()
        .expect("sh runs");
    let shown = text(&output.stdout);
    assert!(shown.starts_with("k.cu:1:15: "), "{shown}");
    assert!(shown.contains("\nchecked ."), "{shown}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_is_full_is_named() {
    let folder = write_tree(&[("k.cu", "int version = CUDART_VERSION;\n")]);
    for arguments in [
        "check .",
        "check . --format json",
        "check . --format junit",
        "map cudaMalloc",
    ] {
        let line = format!(
            "'{}' {arguments} > /dev/full",
            env!("CARGO_BIN_EXE_torchada")
        );
        let output = std::process::Command::new("sh")
            .args(["-c", &line])
            .current_dir(folder.path())
            .output()
            .expect("sh runs");
        ends(
            &output,
            2,
            &["error: standard output: No space left on device"],
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_reader_that_ends_early_ends_the_program_quietly() {
    let kernel = "int version = CUDART_VERSION;\n".repeat(400);
    let folder = write_tree(&[("k.cu", &kernel)]);
    for format in [
        "full", "concise", "json", "github", "gitlab", "sarif", "junit",
    ] {
        // Nobody reads from the pipe when the program starts.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_torchada"))
            .args(["check", ".", "--format", format])
            .current_dir(folder.path())
            .stdout(writer)
            .output()
            .expect("the program runs");
        assert_eq!(output.status.code(), Some(0), "{format}");
        assert!(!text(&output.stderr).contains("error:"), "{format}");
    }
}

#[test]
fn what_takes_no_file_is_named_with_what_to_do() {
    let place = write_tree(&[("k.cu", "int a;\n")]);
    run(
        &place,
        "port k.cu -o out/",
        2,
        &["there is no folder out/", "name the file with -o"],
    );
    assert!(!place.path().join("out").exists());
    let output = torchada_with(place.path(), &["port", "-", "-o", "out/"], "int a;\n");
    ends(&output, 2, &["there is no folder out/"]);
    run(
        &place,
        "port k.cu -o /dev/null",
        2,
        &["`-o -` writes to standard output"],
    );
    for line in ["port k.cu --report -", "alias-header k.cu -o -"] {
        run(&place, line, 2, &["`-` is no file that", "or leave it out"]);
        assert!(!place.path().join("-").exists());
    }
    run(
        &place,
        "check k.cu --facts none.toml",
        2,
        &["is the path right"],
    );
    let line = format!(
        "cat k.cu | '{}' check /dev/fd/0",
        env!("CARGO_BIN_EXE_torchada")
    );
    let output = std::process::Command::new("sh")
        .args(["-c", &line])
        .current_dir(place.path())
        .output()
        .expect("sh runs");
    ends(
        &output,
        2,
        &[
            "/dev/fd/0 is neither a file nor a folder",
            "`-` reads standard input",
        ],
    );
}

/// The texts of codes fill the lines, however the tables break them.
#[test]
fn explanations_have_no_orphans() {
    let folder = write_tree(&[]);
    let output = torchada(
        folder.path(),
        &["explain", "CPP001", "CPP002", "CPP003", "PY020", "BLD051"],
    );
    let shown = text(&output.stdout);
    let lines: Vec<&str> = shown.lines().collect();
    let mut is_text = false;
    for pair in lines.windows(2) {
        let is_title = !pair[0].is_empty() && !pair[0].starts_with(' ');
        is_text = if is_title {
            pair[0] != "Example"
        } else {
            is_text
        };
        if is_text && pair[0].starts_with("  ") && pair[1].starts_with("  ") {
            let next = pair[1].split_whitespace().next().expect("a word");
            assert!(
                pair[0].len() + 1 + next.len() > 98,
                "{}\n{}",
                pair[0],
                pair[1]
            );
            assert!(pair[0].chars().count() <= 100, "{}", pair[0]);
        }
    }
}

#[test]
fn the_document_is_up_to_date() {
    is_fresh("docs/cli.md", &documents::command_line::markdown(), "cli::");
}
