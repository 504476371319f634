//! After a change a port translates what the change can reach, and takes over the rest: the result is
//! that of a port which translates everything. `docs/fuzzing.md` says how to try more of it.

use crate::common::fixtures;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::fixtures::{Node, Tree, difference};
use crate::common::fuzz::{Cases, Fault, fault, found_cases, new_cases};
use crate::common::soups::{Case, history};
use proptest::strategy::Strategy;
use torchada::cli::Exit;

const HISTORIES: Cases = Cases {
    folder: "histories",
    new: || history().boxed(),
};

/// The beginning of the line that says what was done anew, coloured as it is where nobody looks.
const CHANGED: &str = "  \u{1b}[2mchanged    \u{1b}[0m ";

/// How many translations were taken over.
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// What a port came to.
#[derive(PartialEq, Eq)]
struct Done {
    exit: Exit,
    tree: Tree,
    report: String,
    manifest: String,
    /// What was said, but how much was done anew.
    said: String,
}

/// Port the folder `input` of a place into another of its folders. Returns how many files were
/// translated anew and how many were taken over, too, where that is said.
fn port(place: &Path, to: &str, more: &[String]) -> (Done, Option<(usize, usize)>) {
    let output = place.join(to);
    let mut line: Vec<OsString> = vec!["torchada".into(), "port".into()];
    line.extend([
        place.join("input").into(),
        "-o".into(),
        output.clone().into(),
    ]);
    line.push("--no-config".into());
    line.extend(more.iter().map(Into::into));
    let (exit, _, said) = fixtures::run(&line, b"");
    let said = String::from_utf8_lossy(&said).into_owned();
    let read = |name: &str| {
        let text = fs::read_to_string(output.join(".torchada").join(name)).expect("there");
        text.replace(&output.display().to_string(), "OUTPUT")
    };
    let lines = said.lines().filter(|line| !line.starts_with(CHANGED));
    let lines: Vec<&str> = lines.collect();
    let done = Done {
        exit,
        tree: fixtures::read(&output),
        report: read("report.json"),
        manifest: read("manifest.json"),
        said: lines
            .join("\n")
            .replace(&output.display().to_string(), "OUTPUT"),
    };
    let mut counts = said.lines().filter_map(|line| {
        let words: Vec<&str> = line.strip_prefix(CHANGED)?.split_whitespace().collect();
        let taken = words.iter().position(|word| *word == "taken")?;
        Some((
            words.first()?.parse().ok()?,
            words.get(taken - 1)?.parse().ok()?,
        ))
    });
    (done, counts.next())
}

/// The states of a tree, one after another.
fn states(case: &Case) -> Vec<Tree> {
    let mut states: BTreeMap<usize, Tree> = BTreeMap::new();
    for (path, node) in &case.tree {
        let mut parts = path.components();
        let number = parts.next().expect("a folder").as_os_str().to_str();
        let number = number.and_then(|number| number.parse().ok());
        let state = states.entry(number.expect("a number")).or_default();
        state.insert(parts.as_path().to_owned(), node.clone());
    }
    states.into_values().collect()
}

/// Whether each port after a change is the one that a run without a cache makes.
fn holds(case: &Case) -> Result<(), Fault> {
    let place = fixtures::place();
    let without = [&case.arguments[..], &["--no-cache".to_owned()]].concat();
    for state in states(case) {
        let input = place.path().join("input");
        let _ = fs::remove_dir_all(&input);
        fixtures::write(&input, &state);
        let (plain, _) = port(place.path(), "plain", &without);
        let (cached, counts) = port(place.path(), "cached", &case.arguments);
        TAKEN.fetch_add(counts.map_or(0, |(_, taken)| taken), Ordering::Relaxed);
        let differs = difference(&plain.tree, &cached.tree);
        if !differs.is_empty() {
            return fault("the tree is the same", differs);
        }
        let texts = [
            ("the report is the same", &plain.report, &cached.report),
            (
                "the manifest is the same",
                &plain.manifest,
                &cached.manifest,
            ),
            ("the same is said", &plain.said, &cached.said),
        ];
        for (property, plain, cached) in texts {
            if plain != cached {
                let diff = similar::TextDiff::from_lines(plain, cached);
                return fault(property, diff.unified_diff().to_string());
            }
        }
        if plain.exit != cached.exit {
            return fault("the exit code is the same", format!("{:?}", cached.exit));
        }
    }
    Ok(())
}

#[test]
fn what_was_found_once_stays_mended() {
    found_cases(&HISTORIES, holds);
}

#[test]
fn any_history_of_a_tree_gives_what_a_run_without_a_cache_gives() {
    new_cases(&HISTORIES, 60, holds);
    assert!(TAKEN.load(Ordering::Relaxed) > 0, "nothing was taken over");
}

/// A tree, each file under its path.
fn tree(files: &[(&str, &str)]) -> Tree {
    let node = |text: &str| Node::File {
        bytes: text.as_bytes().to_vec(),
        executable: false,
    };
    let files = files.iter();
    files
        .map(|(path, text)| (path.into(), node(text)))
        .collect()
}

const BEFORE: &[(&str, &str)] = &[
    (
        "a.cu",
        "#include \"h.cuh\"\nvoid f(void **p) { cudaMalloc(p, 1); }\n",
    ),
    (
        "b.cu",
        "#include \"h.cuh\"\nvoid g(void *p) { cudaFree(p); }\n",
    ),
    ("c.cu", "void h() { cudaDeviceSynchronize(); }\n"),
    (
        "h.cuh",
        "#pragma once\n#include <cuda_runtime.h>\nint k();\n",
    ),
    (
        "m.py",
        "import torch\ndef make(device):\n    return torch.zeros(1).cuda()\n",
    ),
    ("n.py", "import torch\nfrom m import make\nmake(\"cuda\")\n"),
    ("o.py", "import torch\ntorch.cuda.synchronize()\n"),
    (
        "CMakeLists.txt",
        "project(p LANGUAGES CXX CUDA)\nadd_library(p a.cu b.cu c.cu)\n",
    ),
    ("run.sh", "nvcc -o x a.cu\n"),
];

/// How many files are translated anew once some of them are others.
fn anew(after: &[(&str, &str)]) -> usize {
    let place = fixtures::place();
    let input = place.path().join("input");
    fixtures::write(&input, &tree(BEFORE));
    let none = ["--no-stub".to_owned()];
    assert_eq!(port(place.path(), "cached", &none).1, None);
    fixtures::write(&input, &tree(after));
    let counts = port(place.path(), "cached", &none).1;
    counts.expect("something is taken over").0
}

#[test]
fn a_body_that_changes_is_translated_alone() {
    let body = "#include \"h.cuh\"\nvoid f(void **p) { cudaMalloc(p, 2); cudaFree(*p); }\n";
    assert_eq!(anew(&[("a.cu", body)]), 1);
    let body = "import torch\ndef use():\n    x = 1\n    return torch.ones(1).cuda()\n";
    assert_eq!(anew(&[("o.py", body)]), 1);
}

#[test]
fn a_header_that_declares_more_is_translated_with_what_includes_it() {
    let more = "#pragma once\n#include <cuda_runtime.h>\n#define cudaMalloc mine\nint k();\n";
    assert_eq!(anew(&[("h.cuh", more)]), 3);
}

#[test]
fn a_module_that_changes_is_translated_with_what_asks_it() {
    let other = "import torch\ndef make(size, device):\n    return torch.zeros(size).cuda()\n";
    assert_eq!(anew(&[("m.py", other)]), 2);
}

#[test]
fn a_list_of_sources_that_changes_is_translated_alone() {
    let list =
        "project(p LANGUAGES CXX CUDA)\nadd_library(p a.cu b.cu c.cu)\nadd_library(q c.cu)\n";
    assert_eq!(anew(&[("CMakeLists.txt", list)]), 1);
}

#[test]
fn a_new_file_leaves_the_code_that_does_not_ask_for_it() {
    assert_eq!(
        anew(&[("q.py", "import torch\ntorch.cuda.empty_cache()\n")]),
        2
    );
}
