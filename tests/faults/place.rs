//! A folder with an input and its port, a run in it with a fault, and what it left.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::common::nobody::{give_away, program_as_nobody, public_folder, set_mode};

/// A file with its mode, a link, or a folder without anything in it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Node {
    File(u32, Vec<u8>),
    Link(PathBuf),
    Empty,
}

/// Everything below a folder, by path.
pub(crate) type Tree = BTreeMap<String, Node>;

/// A folder for one run.
pub(crate) struct Place {
    folder: TempDir,
}

/// How a run ended.
pub(crate) struct Ended {
    /// The exit code; `None` where it was killed.
    pub(crate) code: Option<i32>,
    pub(crate) printed: String,
    /// How many changes it made, where it ended by itself.
    pub(crate) changes: usize,
}

impl Place {
    /// A folder that holds a tree, below a name that does not differ from run to run.
    pub(crate) fn new(tree: &Tree) -> Self {
        // In memory, where the system has such a place: there are a thousand of these.
        let folder = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new());
        let folder = folder.expect("a temporary folder");
        let place = Self { folder };
        fs::create_dir(place.root()).expect("made");
        // A user who has run the program before has a key.
        let own = place.state().join("torchada");
        fs::create_dir_all(&own).expect("made");
        set_mode(&own, 0o700);
        fs::write(own.join("key"), [7; 32]).expect("written");
        for (path, node) in tree {
            let full = place.root().join(path);
            fs::create_dir_all(full.parent().expect("a parent")).expect("folders");
            match node {
                Node::File(mode, bytes) => {
                    fs::write(&full, bytes).expect("written");
                    set_mode(&full, *mode);
                }
                Node::Link(target) => symlink(target, &full).expect("linked"),
                Node::Empty => fs::create_dir_all(&full).expect("made"),
            }
        }
        place
    }

    /// The folder that holds everything.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("place")
    }

    /// The folder that holds what the program keeps for its user.
    fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    /// The folders in which changes count.
    fn counted(&self) -> OsString {
        let mut folders = self.root().into_os_string();
        folders.push(":");
        folders.push(self.state());
        folders
    }

    /// What is there, without a port's cache, which differs from run to run.
    pub(crate) fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        for entry in walkdir::WalkDir::new(self.root()).min_depth(1) {
            let entry = entry.expect("readable");
            let path = entry.path().strip_prefix(self.root()).expect("below");
            let name = path.to_str().expect("UTF-8").to_owned();
            if format!("{name}/").contains(".torchada/cache/") {
                continue;
            }
            if entry.file_type().is_symlink() {
                let target = fs::read_link(entry.path()).expect("a link");
                tree.insert(name, Node::Link(target));
            } else if entry.file_type().is_file() {
                let mode = entry.metadata().expect("there").permissions().mode() & 0o777;
                let bytes = fs::read(entry.path()).expect("readable");
                tree.insert(name, Node::File(mode, bytes));
            } else if fs::read_dir(entry.path()).expect("readable").count() == 0 {
                tree.insert(name, Node::Empty);
            }
        }
        tree
    }

    /// Run the program here. `fault` is what happens, and at which of its changes.
    pub(crate) fn run(&self, line: &[&str], fault: Option<(usize, &str)>) -> Ended {
        self.start(Command::new(env!("CARGO_BIN_EXE_torchada")), line, fault)
    }

    /// Run it as a user who may change only what the modes of the files allow.
    pub(crate) fn run_as_nobody(&self, line: &[&str]) -> Ended {
        set_mode(self.folder.path(), 0o755);
        self.start(program_as_nobody(), line, None)
    }

    /// Give everything to the user of [`Place::run_as_nobody`].
    pub(crate) fn give_away(&self) {
        give_away(&self.root());
    }

    fn start(&self, mut command: Command, line: &[&str], fault: Option<(usize, &str)>) -> Ended {
        let count = self.folder.path().join("count");
        let _ = fs::remove_file(&count);
        command
            .args(line)
            .current_dir(self.root())
            .env("GIT_CEILING_DIRECTORIES", self.root())
            .env("LD_PRELOAD", library())
            .env("FAULT_UNDER", self.counted())
            .env("XDG_STATE_HOME", self.state())
            .env("FAULT_COUNT", &count)
            // The fewer threads the more alike are two runs.
            .env("RAYON_NUM_THREADS", "1")
            .stdin(Stdio::null());
        if let Some((at, what)) = fault {
            let what = what.replace('@', self.root().to_str().expect("UTF-8"));
            command
                .env("FAULT_AT", at.to_string())
                .env("FAULT_DO", OsString::from(what));
        }
        let output = command.output().expect("it starts");
        let code = output.status.code();
        assert!(
            code.is_some() || output.status.signal() == Some(9),
            "it crashed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ended {
            code,
            printed: String::from_utf8_lossy(&output.stderr).into_owned(),
            changes: fs::read_to_string(&count)
                .ok()
                .and_then(|text| text.parse().ok())
                .unwrap_or_default(),
        }
    }
}

/// The library that makes the faults, compiled once.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let folder = public_folder();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/faults.c");
        let library = folder.join("faults.so");
        let output = Command::new("gcc")
            .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"])
            .args([&library, &source])
            .arg("-ldl")
            .output()
            .expect("gcc runs");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        set_mode(&library, 0o755);
        library
    })
}
