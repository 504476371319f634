//! Suites that take minutes and depend on few files: one that passed is not run again before one of these changes.

// Each test binary takes what it needs.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Serialize;
use serde::de::DeserializeOwned;
use walkdir::{DirEntry, WalkDir};

use super::environments::cache;
use super::fixtures::{Node, Port, Ported, Tree, ported};
use super::side_by_side::side_by_side;

/// A suite, and a digest of all that it depends on.
#[derive(Clone)]
pub(crate) struct Suite {
    name: &'static str,
    digest: blake3::Hasher,
}

impl Suite {
    pub(crate) fn new(name: &'static str) -> Self {
        let digest = blake3::Hasher::new();
        Self { name, digest }
    }

    /// A test, in a file of `tests/`, of what the program does beside its rules: with ports, which they make, or with
    /// none.
    pub(crate) fn without_rules(name: &'static str, file: &str) -> Self {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
        Self::new(name)
            .with_program_but_rules()
            .with_files(&tests.join(file))
            .with_files(&tests.join("common"))
    }

    /// A text that the suite depends on.
    pub(crate) fn with(mut self, text: &str) -> Self {
        self.add(text.as_bytes());
        self
    }

    /// A program of this machine's, by what it says of its version.
    pub(crate) fn with_version(self, program: &str) -> Self {
        let output = Command::new(program).arg("--version").output();
        let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
        self.with(&String::from_utf8_lossy(&output.stdout))
    }

    /// A port: its files and its report.
    pub(crate) fn with_port(self, port: &Port) -> Self {
        self.with_tree(&port.tree).with(&port.report_text)
    }

    /// The files and links of a tree.
    pub(crate) fn with_tree(mut self, tree: &Tree) -> Self {
        for (path, node) in tree {
            self.add(path.as_os_str().as_encoded_bytes());
            match node {
                Node::File { bytes, executable } => {
                    self.add(bytes);
                    self.add(&[u8::from(*executable)]);
                }
                Node::Link(target) => self.add(target.as_os_str().as_encoded_bytes()),
            }
        }
        self
    }

    /// The program but its rules. The rules touch no file and start no program (`tests/layers.rs`), so they change no
    /// more of a run than what its files become.
    pub(crate) fn with_program_but_rules(mut self) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for part in ["Cargo.toml", "Cargo.lock", "build.rs", "mappings", "src"] {
            self = self.with_files_but(&root.join(part), &root.join("src/rules"));
        }
        self
    }

    /// A file, or all files of a folder, by their paths and contents.
    pub(crate) fn with_files(self, root: &Path) -> Self {
        self.with_files_but(root, &root.join("__pycache__"))
    }

    fn with_files_but(mut self, root: &Path, but: &Path) -> Self {
        let walk = WalkDir::new(root).sort_by_file_name().into_iter();
        let is_left = |entry: &DirEntry| entry.file_name() == "__pycache__" || entry.path() == but;
        let walk = walk.filter_entry(|entry| !is_left(entry));
        for entry in walk {
            let entry = entry.expect("readable");
            if entry.file_type().is_file() {
                let path = entry.path().strip_prefix(root).expect("below");
                self.add(path.as_os_str().as_encoded_bytes());
                self.add(&fs::read(entry.path()).expect("readable"));
            }
        }
        self
    }

    fn add(&mut self, part: &[u8]) {
        self.digest.update(&(part.len() as u64).to_le_bytes());
        self.digest.update(part);
    }

    /// Run the suite, unless it passed with the same files. `suite` panics where it fails.
    pub(crate) fn run(self, suite: impl FnOnce()) {
        if self.passed().is_none() {
            suite();
            self.pass("");
        }
    }

    /// Do something with each fixture, unless it was done with the same port: then it gives what it gave.
    pub(crate) fn of_each<R: Serialize + DeserializeOwned + Send>(
        &self,
        work: impl Fn(&Ported) -> R + Sync,
    ) -> Vec<R> {
        side_by_side(ported(), |one| {
            let suite = one
                .fixture
                .arguments
                .iter()
                .fold(self.clone().with(&one.fixture.name), |suite, argument| {
                    suite.with(argument)
                });
            let suite = suite.with_tree(&one.input).with_port(&one.port);
            if let Some(left) = suite.passed() {
                return serde_json::from_str(&left).expect("what it gave");
            }
            let given = work(one);
            suite.pass(&serde_json::to_string(&given).expect("JSON"));
            given
        })
    }

    /// What the suite left where it passed with the same files.
    pub(crate) fn passed(&self) -> Option<String> {
        fs::read_to_string(self.mark()).ok()
    }

    /// Note that the suite passed, with a text that it leaves.
    pub(crate) fn pass(&self, left: &str) {
        let mark = self.mark();
        fs::create_dir_all(mark.parent().expect("a folder")).expect("made");
        fs::write(mark, left).expect("written");
    }

    /// The file that stands for a suite that passed; who wants to run the suite again removes it.
    pub(crate) fn mark(&self) -> PathBuf {
        let digest = self.digest.finalize().to_hex();
        cache()
            .join("passed")
            .join(format!("{}-{}", self.name, &digest[..16]))
    }
}
