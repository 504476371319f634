//! Trees that nobody wrote: soups of names and lines, and fixtures that were cut, spliced and mixed up.

// Each test binary takes what it needs.
#![allow(dead_code)]

use std::path::PathBuf;
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use torchada::mapping::{Section, Tables};

use super::fixtures::{Fixture, Node, Tree, all};

/// A tree, and the arguments that it is ported with.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The tree.
    pub(crate) tree: Tree,
    /// More arguments for `torchada port`.
    pub(crate) arguments: Vec<String>,
}

/// What the files of a tree are written in.
const KINDS: [Kind; 5] = [
    Kind {
        endings: &["cu", "cuh", "cpp", "h", "hpp", "cc", "c", "inl"],
        names: &["k.cu", "h.cuh", "a.cpp", "sub/h.h", "k.cu.in", "t.h.jinja"],
    },
    Kind {
        endings: &["py", "pyi", "pyx"],
        names: &["m.py", "setup.py", "p/__init__.py", "p/q.py", "c.pyx"],
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
        endings: &["toml", "yml", "yaml", "in", "cfg", "ipynb", "json"],
        names: &[
            "pyproject.toml",
            ".github/workflows/w.yml",
            "setup.cfg",
            "MANIFEST.in",
            "n.ipynb",
        ],
    },
];

struct Kind {
    endings: &'static [&'static str],
    names: &'static [&'static str],
}

/// The kind of a file, by its name.
fn kind_of(path: &std::path::Path) -> Option<usize> {
    let name = path.file_name()?.to_str()?;
    let ending = name.rsplit('.').next()?;
    KINDS.iter().position(|kind| kind.endings.contains(&ending))
}

/// The fixtures whose whole trees are mixed up: a configuration of their own would be mixed up, too.
static FIXTURES: LazyLock<Vec<(Fixture, Tree)>> = LazyLock::new(|| {
    let sound = |(_, tree): &(Fixture, Tree)| !tree.is_empty();
    let trees = all().into_iter().map(|fixture| {
        let mut tree = fixture.input();
        tree.retain(|path, _| !path.ends_with("torchada.toml"));
        (fixture, tree)
    });
    trees.filter(sound).collect()
});

/// The texts of the fixtures' files, by kind.
static TEXTS: LazyLock<Vec<Vec<Vec<u8>>>> = LazyLock::new(|| {
    let mut found = vec![Vec::new(); KINDS.len()];
    for (path, node) in FIXTURES.iter().flat_map(|(_, tree)| tree) {
        if let (Some(kind), Node::File { bytes, .. }) = (kind_of(path), node) {
            found[kind].push(bytes.clone());
        }
    }
    found
});

/// Their lines.
static LINES: LazyLock<Vec<Vec<Vec<u8>>>> = LazyLock::new(|| {
    let lines = |text: &Vec<u8>| -> Vec<Vec<u8>> {
        let lines = text.split_inclusive(|&byte| byte == b'\n');
        lines.map(<[u8]>::to_vec).collect()
    };
    let of_kind = |texts: &Vec<Vec<u8>>| texts.iter().flat_map(lines).collect();
    TEXTS.iter().map(of_kind).collect()
});

/// Names of the tables: those that a port changes, and those that it reports.
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let rows = Section::ALL
        .into_iter()
        .flat_map(|section| Tables::builtin().rows(section));
    rows.map(|row| row.cuda.to_string()).step_by(7).collect()
});

/// Marks that most languages have, and what parts words and lines.
const MARKS: &str =
    "( ) { } [ ] < > <<< >>> ; , = :: . -> \" ' \\ // /* */ # ## R\"( )\" cuda CUDA";
const GAPS: [&str; 6] = [" ", "  ", "\t", "\n", "\r\n", "\\\n"];

/// Pieces of texts: marks, gaps, and some others.
pub(crate) fn pieces(others: &[&'static str]) -> Vec<&'static str> {
    let marks = MARKS.split_ascii_whitespace().chain(GAPS);
    marks.chain(others.iter().copied()).collect()
}

const PIECES: &[&str] = &[
    "==",
    ":",
    "\"\"\"",
    "\r",
    "    ",
    "$",
    "${",
    "$(",
    "`",
    "@",
    "%",
    "f\"{",
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
    "#if __CUDA_ARCH__ >= 800\n",
    "#ifdef USE_ROCM\n",
    "#ifdef USE_MUSA\n",
    "#endif\n",
    "#else\n",
    "#define cudaMalloc \\\n",
    "#include \"h.cuh\"\n",
    "namespace cuda {\n",
    "using namespace at::cuda;\n",
    "extern \"C\" ",
    "asm volatile(\"",
    "# torchada: ignore\n",
    "// torchada: ignore\n",
    "\0",
    "é",
    "\u{2028}",
];

/// A piece of a file of one kind.
fn piece(kind: usize) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        12 => any::<Index>().prop_map(move |at| at.get(&LINES[kind]).clone()),
        // Half a line.
        3 => (any::<Index>(), 0..80_usize).prop_map(move |(at, cut)| {
            let line = at.get(&LINES[kind]);
            line[..cut.min(line.len())].to_vec()
        }),
        4 => any::<Index>().prop_map(|at| format!("{} ", at.get(&NAMES)).into_bytes()),
        5 => select(pieces(PIECES)).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ]
}

/// A file: its path and its text.
fn file() -> impl Strategy<Value = (PathBuf, Vec<u8>)> {
    (0..KINDS.len()).prop_flat_map(|kind| {
        let name = select(KINDS[kind].names).prop_map(PathBuf::from);
        let pieces = prop::collection::vec(piece(kind), 0..40);
        (name, pieces.prop_map(|pieces| pieces.concat()))
    })
}

/// A few files of lines and names in any order.
fn soup() -> impl Strategy<Value = Case> {
    let files = prop::collection::vec(file(), 1..5);
    (files, any::<Index>()).prop_map(|(files, fixture)| {
        let node = |bytes| Node::File {
            bytes,
            executable: false,
        };
        let nodes = files.into_iter().map(|(path, bytes)| (path, node(bytes)));
        Case {
            tree: nodes.collect(),
            arguments: fixture.get(&FIXTURES).0.arguments.clone(),
        }
    })
}

/// One thing done to a text that somebody wrote. Places are counted in words.
#[derive(Clone, Debug)]
enum Change {
    Cut(Index, usize),
    Double(Index, usize),
    Move(Index, usize, Index),
    /// Another name of CUDA's in place of a word.
    Name(Index, Index),
    /// A stretch of another file of the kind.
    Splice(Index, Index, Index, usize),
    Piece(Index, &'static str),
    End(Index),
    LineEnds(&'static str),
}

fn change() -> impl Strategy<Value = Change> {
    let place = any::<Index>;
    prop_oneof![
        3 => (place(), 1..40_usize).prop_map(|(at, len)| Change::Cut(at, len)),
        2 => (place(), 1..40_usize).prop_map(|(at, len)| Change::Double(at, len)),
        2 => (place(), 1..20_usize, place()).prop_map(|(at, len, to)| Change::Move(at, len, to)),
        4 => (place(), place()).prop_map(|(at, name)| Change::Name(at, name)),
        4 => (place(), place(), place(), 1..60_usize)
            .prop_map(|(at, text, from, len)| Change::Splice(at, text, from, len)),
        4 => (place(), select(pieces(PIECES))).prop_map(|(at, piece)| Change::Piece(at, piece)),
        1 => place().prop_map(Change::End),
        1 => select(&["\r\n", "\r"][..]).prop_map(Change::LineEnds),
    ]
}

/// A text cut where words, numbers and blanks begin and end.
pub(crate) fn words(text: &[u8]) -> Vec<Vec<u8>> {
    let class = |byte: u8| match byte {
        b'_' | 128.. => 0,
        _ if byte.is_ascii_alphanumeric() => 0,
        b' ' | b'\t' => 1,
        _ => 2,
    };
    let same = |a: &u8, b: &u8| class(*a) == class(*b) && class(*a) != 2;
    text.chunk_by(same).map(<[u8]>::to_vec).collect()
}

impl Change {
    fn apply(&self, text: &[u8], kind: usize) -> Vec<u8> {
        let mut words = words(text);
        let count = words.len();
        let at = |index: &Index| index.index(count + 1);
        let stretch = |index: &Index, len: usize| at(index)..(at(index) + len).min(count);
        match self {
            Self::Cut(place, len) => drop(words.drain(stretch(place, *len))),
            Self::Double(place, len) => {
                let again = words[stretch(place, *len)].to_vec();
                words.splice(at(place)..at(place), again);
            }
            Self::Move(place, len, to) => {
                let moved: Vec<_> = words.drain(stretch(place, *len)).collect();
                let to = to.index(words.len() + 1);
                words.splice(to..to, moved);
            }
            Self::Name(place, name) => {
                let named = |word: &Vec<u8>| word[0].is_ascii_alphabetic() || word[0] == b'_';
                let places: Vec<usize> = (0..count).filter(|&at| named(&words[at])).collect();
                if !places.is_empty() {
                    words[*place.get(&places)] = name.get(&NAMES).clone().into_bytes();
                }
            }
            Self::Splice(place, other, from, len) => {
                let other: &Vec<u8> = other.get(&TEXTS[kind]);
                let other = self::words(other);
                let from = from.index(other.len() + 1);
                let part = other[from..(from + len).min(other.len())].to_vec();
                words.splice(at(place)..at(place), part);
            }
            Self::Piece(place, piece) => words.insert(at(place), piece.as_bytes().to_vec()),
            Self::End(place) => words.truncate(at(place)),
            Self::LineEnds(end) => {
                for word in words.iter_mut().filter(|word| **word == b"\n") {
                    *word = end.as_bytes().to_vec();
                }
            }
        }
        words.concat()
    }
}

/// The tree of a fixture after some changes.
fn mutant() -> impl Strategy<Value = Case> {
    let changes = prop::collection::vec((any::<Index>(), change()), 1..8);
    (any::<Index>(), changes).prop_map(|(fixture, changes)| {
        let (fixture, tree) = fixture.get(&FIXTURES);
        let mut tree = tree.clone();
        let paths: Vec<PathBuf> = tree.keys().cloned().collect();
        for (place, change) in changes {
            let path = place.get(&paths);
            let kind = kind_of(path).unwrap_or(0);
            if let Some(Node::File { bytes, .. }) = tree.get_mut(path) {
                *bytes = change.apply(bytes, kind);
            }
        }
        Case {
            tree,
            arguments: fixture.arguments.clone(),
        }
    })
}

/// Any of these trees. The package for run time is in few of the ports: it is the same in all.
pub(crate) fn case() -> impl Strategy<Value = Case> {
    let tree = prop_oneof![1 => soup(), 2 => mutant()];
    (tree, 0..8).prop_map(|(mut case, chance)| {
        if chance > 0 {
            case.arguments.push("--no-stub".to_owned());
        }
        case
    })
}

/// What somebody does to a tree from one port to the next.
#[derive(Clone, Debug)]
enum Step {
    /// Change a file.
    Edit(Index, Change),
    /// Put a line into a file, as it stands in another of its kind.
    Line(Index, Index, Index),
    /// Take a line out of a file.
    Cut(Index, Index),
    /// Leave nothing of a file.
    Empty(Index),
    Remove(Index),
    /// Give a file the name of another, or a new one.
    Rename(Index, Index),
    Add((PathBuf, Vec<u8>)),
    /// Add what a fixture has.
    Join(Index),
}

fn step() -> impl Strategy<Value = Step> {
    let place = any::<Index>;
    prop_oneof![
        6 => (place(), change()).prop_map(|(at, change)| Step::Edit(at, change)),
        6 => (place(), place(), place()).prop_map(|(at, line, to)| Step::Line(at, line, to)),
        8 => (place(), place()).prop_map(|(at, line)| Step::Cut(at, line)),
        4 => place().prop_map(Step::Empty),
        1 => place().prop_map(Step::Remove),
        2 => (place(), place()).prop_map(|(at, to)| Step::Rename(at, to)),
        2 => file().prop_map(Step::Add),
        1 => place().prop_map(Step::Join),
    ]
}

impl Step {
    fn apply(&self, tree: &mut Tree) {
        let paths: Vec<PathBuf> = tree.keys().cloned().collect();
        let text = |tree: &Tree, path: &PathBuf| match tree.get(path) {
            Some(Node::File { bytes, .. }) => Some(bytes.clone()),
            _ => None,
        };
        let put = |tree: &mut Tree, path: &PathBuf, new: Vec<u8>| {
            if let Some(Node::File { bytes, .. }) = tree.get_mut(path) {
                *bytes = new;
            }
        };
        match self {
            Self::Add((path, bytes)) => {
                let (bytes, executable) = (bytes.clone(), false);
                insert(tree, path.clone(), Node::File { bytes, executable });
            }
            Self::Join(fixture) => {
                for (path, node) in &fixture.get(&FIXTURES).1 {
                    insert(tree, path.clone(), node.clone());
                }
            }
            _ if paths.is_empty() => {}
            Self::Edit(at, change) => {
                let path = at.get(&paths);
                if let Some(old) = text(tree, path) {
                    let new = change.apply(&old, kind_of(path).unwrap_or(0));
                    put(tree, path, new);
                }
            }
            Self::Line(at, line, to) => {
                let path = at.get(&paths);
                if let Some(old) = text(tree, path) {
                    let line = line.get(&LINES[kind_of(path).unwrap_or(0)]);
                    let mut lines: Vec<&[u8]> = old.split_inclusive(|&b| b == b'\n').collect();
                    lines.insert(to.index(lines.len() + 1), line);
                    put(tree, path, lines.concat());
                }
            }
            Self::Cut(at, line) => {
                let path = at.get(&paths);
                if let Some(old) = text(tree, path).filter(|old| !old.is_empty()) {
                    let mut lines: Vec<&[u8]> = old.split_inclusive(|&b| b == b'\n').collect();
                    lines.remove(line.index(lines.len()));
                    put(tree, path, lines.concat());
                }
            }
            Self::Empty(at) => put(tree, at.get(&paths), Vec::new()),
            Self::Remove(at) => drop(tree.remove(at.get(&paths))),
            Self::Rename(at, to) => {
                let (from, to) = (at.get(&paths), to.get(&paths));
                let names = kind_of(from).map(|kind| KINDS[kind].names);
                let other = names.map(|names| PathBuf::from(names[paths.len() % names.len()]));
                let node = tree.remove(from);
                let to = other.unwrap_or_else(|| to.clone());
                insert(tree, to, node.expect("it was there"));
            }
        }
    }
}

/// Put something into a tree, where nothing stands in its way.
fn insert(tree: &mut Tree, path: PathBuf, node: Node) {
    let is_taken =
        |one: &PathBuf| *one != path && (one.starts_with(&path) || path.starts_with(one));
    if !tree.keys().any(is_taken) {
        tree.insert(path, node);
    }
}
