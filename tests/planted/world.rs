//! A place with a tree, its port, and everything around them that a run may not touch.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::common::fixtures::{self, Node, Port};
use crate::common::script::write_script;
use crate::common::trees::{git, write_into};

/// Seconds after which a run counts as one that hangs.
const LIMIT: &str = "40";
/// Kilobytes of memory, a process: the program itself needs a tenth of it for such a tree.
const MEMORY: &str = "1500000";

const KERNEL: &str = "#include <cuda_runtime.h>\nvoid f() { cudaFree(0); }\n";

/// The tree that comes from elsewhere.
const TREE: [(&str, &str); 3] = [
    ("k.cu", KERNEL),
    ("src/a.cu", KERNEL),
    (
        "m.py",
        "import torch\nx = torch.zeros(3, device=\"cuda\")\n",
    ),
];

/// What a port makes of the tree.
pub(crate) fn port() -> Port {
    let file = |text: &str| Node::File {
        bytes: text.into(),
        executable: false,
    };
    let files = TREE.iter().map(|(path, text)| (path.into(), file(text)));
    fixtures::port(&files.collect(), &[], &[])
}

/// What a planted program does: it leaves a trace where everybody sees it.
pub(crate) const TRACE: &str = "outside/TRACE";
/// Most worlds are ported without the package for run time, whose many files no plant is about.
pub(crate) const BARE: &str = "--no-stub";

/// `home` and `outside` are somebody's; `p` is a tree that comes from elsewhere, in git; `m` is its port, which came
/// along with it.
pub(crate) struct World {
    folder: TempDir,
    /// Everything in the folder after the last run of [`World::survives`]: between two runs nothing changes.
    last: RefCell<Option<Everything>>,
}

/// Kinds, modes, and bytes or targets, by path.
type Everything = BTreeMap<String, (u32, Vec<u8>)>;

/// How a run ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) output: String,
}

impl World {
    pub(crate) fn new() -> Self {
        let world = Self {
            folder: fixtures::place(),
            last: RefCell::default(),
        };
        let place = world.place();
        write_into(
            place,
            &[("home/.bashrc", "mine\n"), ("outside/known", "known\n")],
        );
        let tree = place.join("p");
        write_into(&tree, &TREE);
        git(&tree, &["init", "--quiet"]);
        git(&tree, &["add", "--all"]);
        git(&tree, &["commit", "--quiet", "-m", "one"]);
        // Programs that are looked up by name would leave a trace, too.
        fs::create_dir(place.join("bin")).expect("made");
        for name in [
            "ssh", "less", "more", "vi", "editor", "sh", "bash", "env", "cat",
        ] {
            world.program(&format!("bin/{name}"));
        }
        let ended = world.run(&["port", "p", "-o", "m", "-q", BARE]);
        assert_eq!(ended.code, Some(0), "{}", ended.output);
        // Something is to be done the next time.
        fs::write(tree.join("k.cu"), format!("{KERNEL}// more\n")).expect("written");
        git(&tree, &["commit", "--quiet", "-a", "-m", "two"]);
        world
    }

    pub(crate) fn place(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.place().join(path)
    }

    /// A program that leaves a trace.
    pub(crate) fn program(&self, path: &str) -> String {
        let full = self.at(path);
        let trace = self.at(TRACE);
        write_script(&full, &format!("#!/bin/sh\n: > '{}'\n", trace.display()));
        full.display().to_string()
    }

    pub(crate) fn put(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let full = self.free(path);
        fs::write(full, bytes).expect("written");
    }

    pub(crate) fn link(&self, path: &str, target: &str) {
        symlink(target, self.free(path)).expect("linked");
    }

    pub(crate) fn pipe(&self, path: &str) {
        let made = Command::new("mkfifo").arg(self.free(path)).status();
        assert!(made.expect("mkfifo runs").success());
    }

    /// A file that claims a size and takes no room.
    pub(crate) fn hollow(&self, path: &str, size: u64) {
        let file = fs::File::create(self.free(path)).expect("made");
        file.set_len(size).expect("set");
    }

    /// A place with nothing in it, whose folder is there.
    fn free(&self, path: &str) -> PathBuf {
        let full = self.at(path);
        fs::create_dir_all(full.parent().expect("a parent")).expect("made");
        match full.symlink_metadata() {
            Ok(found) if found.is_dir() => fs::remove_dir_all(&full).expect("removed"),
            Ok(_) => fs::remove_file(&full).expect("removed"),
            Err(_) => {}
        }
        full
    }

    pub(crate) fn run(&self, line: &[&str]) -> Ended {
        self.run_in("", line)
    }

    /// Run the program, with little memory and time, in a folder.
    pub(crate) fn run_in(&self, folder: &str, line: &[&str]) -> Ended {
        let limits = format!("ulimit -v {MEMORY}; exec timeout {LIMIT} \"$@\"");
        let output = Command::new("/bin/bash")
            .args(["-c", &limits, "limits", env!("CARGO_BIN_EXE_torchada")])
            .args(line)
            .current_dir(self.at(folder))
            .env("HOME", self.at("home"))
            .env("XDG_STATE_HOME", self.at("state"))
            .env("GIT_CEILING_DIRECTORIES", self.place())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("PATH", format!("/usr/bin:{}", self.at("bin").display()))
            .stdin(Stdio::null())
            .output()
            .expect("it starts");
        let text = [output.stdout, output.stderr].concat();
        Ended {
            code: output.status.code(),
            output: String::from_utf8_lossy(&text).into_owned(),
        }
    }

    /// Everything in the world but the program's own state.
    fn everything(&self) -> Everything {
        let mut found = BTreeMap::new();
        let walk = walkdir::WalkDir::new(self.place()).min_depth(1).into_iter();
        for entry in walk.filter_entry(|entry| entry.path() != self.at("state")) {
            let entry = entry.expect("readable");
            let path = entry.path().strip_prefix(self.place()).expect("below");
            let seen = entry.metadata().expect("there");
            let content = if seen.is_file() && seen.len() < 1 << 20 {
                fs::read(entry.path()).expect("readable")
            } else if seen.is_symlink() {
                let target = entry.path().read_link().expect("a link");
                target.into_os_string().into_encoded_bytes()
            } else {
                format!("{:?}", seen.file_type()).into_bytes()
            };
            let mode = seen.permissions().mode();
            found.insert(path.to_string_lossy().into_owned(), (mode, content));
        }
        found
    }

    /// Run a line and see that nothing changed but what lies in `writes`, that no planted program ran, and that the
    /// run ended by itself, with a message where it refused.
    pub(crate) fn survives(
        &self,
        name: &str,
        folder: &str,
        line: &[&str],
        writes: &[&str],
    ) -> Ended {
        let before = self.last.take().unwrap_or_else(|| self.everything());
        let ended = self.run_in(folder, line);
        let output = &ended.output;
        assert!(
            matches!(ended.code, Some(0..=2)),
            "{name}: {line:?}: {:?}: {output}",
            ended.code
        );
        assert!(!output.contains("panicked"), "{name}: {output}");
        if ended.code == Some(2) {
            assert!(output.contains("error"), "{name}: {line:?}: {output}");
        }
        let after = self.everything();
        let may_change = |path: &str| {
            let mut writes = writes.iter();
            writes.any(|one| {
                let rest = path.strip_prefix(one);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        };
        let differ: Vec<_> = before
            .keys()
            .chain(after.keys())
            .filter(|path| !may_change(path) && before.get(*path) != after.get(*path))
            .collect();
        assert!(
            differ.is_empty(),
            "{name}: {line:?} changed {differ:?}: {output}"
        );
        self.last.replace(Some(after));
        ended
    }
}
