//! Trees made of real names and of pieces of the fixtures, spliced and broken at random: what holds for every port holds
//! for them.
//!
//! `PROPTEST_CASES` says how many are tried; a found case is kept in `soups.regressions` beside this file and tried
//! first from then on.

#[path = "common/fixtures.rs"]
mod fixtures;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use fixtures::{Node, Port, Tree, all, difference, port};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use serde_json::Value;
use torchada::mapping::{Relation, Section, Tables};
use torchada::syntax::{LexOptions, TokenKind, cmake_errors, lex, python_errors};

/// What the files of a tree are written in.
const KINDS: [Kind; 5] = [
    Kind {
        endings: &["cu", "cuh", "cpp", "h", "hpp"],
        names: &["k.cu", "h.cuh", "a.cpp", "sub/h.h"],
    },
    Kind {
        endings: &["py"],
        names: &["m.py", "setup.py", "p/__init__.py", "p/q.py"],
    },
    Kind {
        endings: &["txt", "cmake"],
        names: &["CMakeLists.txt", "sub/CMakeLists.txt", "cmake/x.cmake"],
    },
    Kind {
        endings: &["sh", "Makefile", "mk", "Dockerfile"],
        names: &["Makefile", "s.sh", "Dockerfile"],
    },
    Kind {
        endings: &["toml", "yml", "in", "cfg"],
        names: &[
            "pyproject.toml",
            ".github/workflows/w.yml",
            "setup.cfg",
            "MANIFEST.in",
        ],
    },
];

struct Kind {
    endings: &'static [&'static str],
    names: &'static [&'static str],
}

/// The lines of the fixtures' files, by kind.
static LINES: LazyLock<Vec<Vec<Vec<u8>>>> = LazyLock::new(|| {
    let mut found = vec![Vec::new(); KINDS.len()];
    for fixture in all() {
        for (path, node) in fixture.input() {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let ending = name.rsplit('.').next().unwrap_or_default();
            let kind = KINDS.iter().position(|kind| kind.endings.contains(&ending));
            if let (Some(kind), Node::File { bytes, .. }) = (kind, node) {
                found[kind].extend(
                    bytes
                        .split_inclusive(|&byte| byte == b'\n')
                        .map(<[u8]>::to_vec),
                );
            }
        }
    }
    found
});

/// Names of the tables: those that a port changes, and those that it reports.
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let rows = Section::ALL
        .into_iter()
        .flat_map(|section| Tables::builtin().rows(section));
    rows.map(|row| row.cuda.to_string()).step_by(7).collect()
});

const PIECES: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "<<<",
    ">>>",
    ";",
    ",",
    "=",
    "==",
    "::",
    ".",
    "->",
    ":",
    "\"",
    "'",
    "\"\"\"",
    "\\",
    "\\\n",
    "\n",
    "\r\n",
    "\t",
    " ",
    "  ",
    "    ",
    "//",
    "/*",
    "*/",
    "#",
    "##",
    "$",
    "${",
    "$(",
    "`",
    "@",
    "%",
    "f\"{",
    "R\"(",
    ")\"",
    "cuda",
    "CUDA",
    "\"cuda\"",
    "\"cuda:0\"",
    "torch.cuda",
    "nvcc",
    "-lcudart",
    "import torch\n",
    "if ",
    "else",
    "endif()",
    "def f():\n",
    "class cuda:\n",
    "return ",
    "#if CUDA_VERSION\n",
    "#endif\n",
    "#else\n",
    "# torchada: ignore\n",
    "\0",
    "\u{feff}",
    "é",
    "\u{2028}",
];

/// A piece of a file of one kind.
fn piece(kind: usize) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        12 => any::<prop::sample::Index>().prop_map(move |at| at.get(&LINES[kind]).clone()),
        // Half a line.
        3 => (any::<prop::sample::Index>(), 0..80_usize).prop_map(move |(at, cut)| {
            let line = at.get(&LINES[kind]);
            line[..cut.min(line.len())].to_vec()
        }),
        4 => any::<prop::sample::Index>().prop_map(|at| format!("{} ", at.get(&NAMES)).into_bytes()),
        5 => prop::sample::select(PIECES).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ]
}

/// A file: its path and its text.
fn file() -> impl Strategy<Value = (PathBuf, Vec<u8>)> {
    (0..KINDS.len()).prop_flat_map(|kind| {
        let name = prop::sample::select(KINDS[kind].names).prop_map(PathBuf::from);
        (
            name,
            prop::collection::vec(piece(kind), 0..40).prop_map(|pieces| pieces.concat()),
        )
    })
}

/// A tree that can be read where it fails.
struct Soup(Tree);

impl std::fmt::Debug for Soup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (path, node) in &self.0 {
            let text = bytes(Some(node)).unwrap_or_default();
            let shown = text.escape_ascii().to_string().replace("\\n", "\n");
            writeln!(f, "\n== {}\n{shown}", path.display())?;
        }
        Ok(())
    }
}

fn tree() -> impl Strategy<Value = Soup> {
    prop::collection::vec(file(), 1..5).prop_map(|files| {
        let node = |bytes| Node::File {
            bytes,
            executable: false,
        };
        let nodes = files.into_iter().map(|(path, bytes)| (path, node(bytes)));
        Soup(nodes.collect())
    })
}

fn bytes(node: Option<&Node>) -> Option<&[u8]> {
    match node {
        Some(Node::File { bytes, .. }) => Some(bytes),
        _ => None,
    }
}

/// What a file of the input became.
fn ported<'p>(port: &'p Port, path: &Path) -> Option<&'p [u8]> {
    let other = path.to_string_lossy().replace(".cu", ".mu");
    bytes(port.tree.get(path)).or_else(|| bytes(port.tree.get(Path::new(&other))))
}

/// How often names that the tables would not leave as they are stand in code.
fn references(text: &[u8]) -> BTreeMap<Vec<u8>, usize> {
    let mut found = BTreeMap::new();
    for token in lex(text, LexOptions { template: false }).tokens {
        let word = token.text(text);
        let row = Tables::builtin().get(Section::Names, word);
        let counts = |row: &torchada::mapping::Row| {
            row.stem && row.needs.is_empty() && row.relation != Relation::Same
        };
        if token.kind == TokenKind::Identifier && row.is_some_and(counts) {
            *found.entry(word.to_vec()).or_default() += 1;
        }
    }
    found
}

/// At how many places in a file the report says something; without end where the file is left as a whole.
fn told(report: &Value, path: &Path) -> usize {
    let path = path.to_string_lossy();
    let about = |one: &Value| one["path"] == *path;
    let whole = ["PRJ006", "PRJ018"];
    let left = report["kept_paths"]
        .as_array()
        .into_iter()
        .flatten()
        .any(about);
    let mut findings = report["findings"].as_array().into_iter().flatten();
    if left || findings.any(|one| about(one) && whole.iter().any(|code| one["code"] == *code)) {
        return usize::MAX;
    }
    let lists = ["findings", "suppressed", "kept"].iter();
    let entries = lists.filter_map(|list| report[*list].as_array()).flatten();
    entries.filter(|entry| entry["path"] == *path).count()
}

/// How many cases are tried where nobody says otherwise.
const CASES: u32 = 150;

fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|number| number.parse().ok());
    ProptestConfig {
        cases: cases.unwrap_or(CASES),
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        max_shrink_iters: 4000,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_holds_for_every_port_holds_for_any_tree(soup in tree()) {
        let input = &soup.0;
        let once = port(input, &[], &["--no-config", "--jobs", "1"]);
        let codes: Vec<&str> = once.report["findings"].as_array().into_iter().flatten().filter_map(|one| one["code"].as_str()).collect();
        prop_assert!(!codes.contains(&"PRJ009"), "a rule gave up on a file");
        prop_assert_eq!(&once.report["summary"]["files"]["failed"], 0);

        let four = port(input, &[], &["--no-config", "--jobs", "4"]);
        prop_assert_eq!(&once.report_text, &four.report_text);
        prop_assert_eq!(difference(&once.tree, &four.tree), "");

        for (path, node) in input {
            let (Some(old), Some(new)) = (bytes(Some(node)), ported(&once, path)) else {
                prop_assert!(false, "{} is gone", path.display());
                continue;
            };
            let ending = path.extension().unwrap_or_default();
            if ending == "py" && !old.contains(&0) {
                prop_assert!(python_errors(new) <= python_errors(old), "{}", path.display());
            }
            if path.ends_with("CMakeLists.txt") || ending == "cmake" {
                prop_assert!(cmake_errors(new) <= cmake_errors(old), "{}", path.display());
            }
            if ["cu", "cuh", "cpp", "h"].iter().any(|one| ending == *one) {
                let left: usize = references(new).values().sum();
                let told = told(&once.report, path);
                prop_assert!(left <= told, "{}: {left} names are left, {told} places told", path.display());
            }
        }

        let twice = port(&once.tree, &[], &["--no-config"]);
        prop_assert_eq!(difference(&once.tree, &twice.tree), "");
    }
}
