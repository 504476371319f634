//! The folders of `fixtures/`: each a small tree with what a port makes of it.

// Each test binary takes what it needs.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::Parser;
use serde_json::Value;
use tempfile::TempDir;
use torchada::cli::{Cli, Exit};
use torchada::commands::{self, Streams};
use torchada::machine::Environment;
use torchada::{ptx, stub};

use super::side_by_side::side_by_side;

/// One folder of `fixtures/`.
pub(crate) struct Fixture {
    /// The folder's name: the idea that it holds.
    pub(crate) name: String,
    /// The folder.
    pub(crate) folder: PathBuf,
    /// More arguments for `torchada port`, from the file `args`.
    pub(crate) arguments: Vec<String>,
}

/// One entry of a tree: the bytes of a file and whether it can be run, or a link's target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Node {
    File { bytes: Vec<u8>, executable: bool },
    Link(PathBuf),
}

/// The files and links of a tree by their paths; a port's own folder is left out.
pub(crate) type Tree = BTreeMap<PathBuf, Node>;

/// What a port of a fixture gave.
pub(crate) struct Port {
    /// How it ended.
    pub(crate) exit: Exit,
    /// The new tree, without the package for run time.
    pub(crate) tree: Tree,
    /// The package for run time, where the port wrote it.
    pub(crate) package: Tree,
    /// The report.
    pub(crate) report: Value,
    /// The report's bytes, with the places of input and output taken out.
    pub(crate) report_text: String,
    /// What each file of the input became, by its path.
    pub(crate) outputs: BTreeMap<PathBuf, PathBuf>,
}

/// A fixture with its port.
pub(crate) struct Ported {
    pub(crate) fixture: Fixture,
    pub(crate) input: Tree,
    pub(crate) port: Port,
}

/// The arguments by which [`ported`] ports.
const SEVERAL_THREADS: [&str; 2] = ["--jobs", "4"];

/// All fixtures with their ports, made once for all tests.
pub(crate) fn ported() -> &'static [Ported] {
    static PORTED: OnceLock<Vec<Ported>> = OnceLock::new();
    PORTED.get_or_init(|| {
        let all = all();
        let ports = side_by_side(&all, |fixture| {
            (fixture.input(), fixture.port(&SEVERAL_THREADS))
        });
        let ported = all.into_iter().zip(ports);
        let ported = ported.map(|(fixture, (input, port))| Ported {
            fixture,
            input,
            port,
        });
        ported.collect()
    })
}

/// All fixtures, by name.
pub(crate) fn all() -> Vec<Fixture> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let found = in_folder(&root);
    assert!(!found.is_empty(), "{} holds no fixture", root.display());
    found
}

/// The fixtures in a folder, by name.
pub(crate) fn in_folder(root: &Path) -> Vec<Fixture> {
    let mut found: Vec<Fixture> = fs::read_dir(root)
        .unwrap_or_else(|error| panic!("{}: {error}", root.display()))
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.is_dir())
        .map(|folder| Fixture {
            name: folder
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned(),
            arguments: fs::read_to_string(folder.join("args"))
                .unwrap_or_default()
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
            folder,
        })
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

impl Fixture {
    /// The input tree.
    pub(crate) fn input(&self) -> Tree {
        read(&self.folder.join("input"))
    }

    /// Port the input, far from any repository.
    pub(crate) fn port(&self, more: &[&str]) -> Port {
        port(&self.input(), &self.arguments, more)
    }
}

/// Port a tree in a folder of its own.
pub(crate) fn port(input: &Tree, arguments: &[String], more: &[&str]) -> Port {
    port_in(place().path(), input, arguments, more)
}

/// Port a tree, which is written to the folder `input` of a place, into its folder `output`.
pub(crate) fn port_in(place: &Path, input: &Tree, arguments: &[String], more: &[&str]) -> Port {
    write(&place.join("input"), input);
    let line = line(place, arguments, more);
    let exit = run(&line, b"").0;
    Port::read(place, input, exit)
}

/// A folder for one run: in memory, where the system has such a place, because there are thousands of them.
pub(crate) fn place() -> TempDir {
    let place = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new());
    place.expect("a temporary folder")
}

/// The command that ports the folder `input` of a place into its folder `output`.
pub(crate) fn line(place: &Path, arguments: &[String], more: &[&str]) -> Vec<OsString> {
    let (from, to) = (place.join("input"), place.join("output"));
    let mut line: Vec<OsString> = vec!["torchada".into(), "port".into(), from.into()];
    line.extend(["-o".into(), to.into(), "--quiet".into()]);
    line.extend(arguments.iter().map(Into::into));
    line.extend(more.iter().map(Into::into));
    line
}

impl Port {
    /// What lies in the folder `output` of a place.
    pub(crate) fn read(place: &Path, input: &Tree, exit: Exit) -> Self {
        let (from, to) = (place.join("input"), place.join("output"));
        let text = fs::read_to_string(to.join(".torchada/report.json")).expect("a report");
        let report = serde_json::from_str(&text).expect("JSON");
        let report_text = text
            .replace(&from.display().to_string(), "INPUT")
            .replace(&to.display().to_string(), "OUTPUT");
        let mut tree = read(&to);
        // The package for run time is the same wherever it is written: `tests/stub.rs` has it.
        let is_package =
            |path: &Path| path.starts_with(stub::FOLDER) && path != Path::new(ptx::FILE);
        let mut package = Tree::new();
        if !input.keys().any(|path| is_package(path)) {
            package.extend(tree.extract_if(.., |path, _| is_package(path)));
        }
        Self {
            exit,
            tree,
            package,
            report,
            report_text,
            outputs: outputs(&to),
        }
    }
}

/// What the manifest of a port says that each file of the input became, by its path.
fn outputs(port: &Path) -> BTreeMap<PathBuf, PathBuf> {
    let manifest = fs::read(port.join(".torchada/manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_slice(&manifest).expect("JSON");
    let files = manifest["files"].as_array().expect("a list").iter();
    let pair = |file: &Value| {
        Some((
            file["source"].as_str()?.into(),
            file["path"].as_str()?.into(),
        ))
    };
    files.filter_map(pair).collect()
}

/// Run the program inside this process, on a machine with nothing on it. Returns how it ended, and standard output and
/// error.
pub(crate) fn run(line: &[OsString], input: &[u8]) -> (Exit, Vec<u8>, Vec<u8>) {
    run_on(&Environment::none(), line, input)
}

/// Run the program inside this process, on a machine that a test made.
pub(crate) fn run_on(
    environment: &Environment,
    line: &[OsString],
    mut input: &[u8],
) -> (Exit, Vec<u8>, Vec<u8>) {
    let cli = Cli::try_parse_from(line).expect("a sound command line");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = Streams {
        out: &mut out,
        err: &mut err,
        input: &mut input,
        out_columns: None,
        err_columns: None,
        progress: &torchada::progress::Silent,
        environment,
    };
    let exit = commands::run(cli, &mut streams)
        .unwrap_or_else(|error| panic!("{line:?} can't be done: {error:#}"));
    (exit, out, err)
}

/// Read a tree.
pub(crate) fn read(root: &Path) -> Tree {
    use std::os::unix::fs::PermissionsExt;
    let mut tree = Tree::new();
    for entry in walkdir::WalkDir::new(root).min_depth(1) {
        let entry = entry.expect("readable");
        let path = entry.path().strip_prefix(root).expect("below").to_owned();
        if entry.file_type().is_dir() || path.starts_with(".torchada") {
            continue;
        }
        let node = if entry.file_type().is_symlink() {
            Node::Link(fs::read_link(entry.path()).expect("a link"))
        } else {
            let mode = entry.metadata().expect("there").permissions().mode();
            let bytes = fs::read(entry.path()).expect("readable");
            Node::File {
                bytes,
                executable: mode & 0o100 != 0,
            }
        };
        tree.insert(path, node);
    }
    tree
}

/// Write a tree.
pub(crate) fn write(root: &Path, tree: &Tree) {
    write_in_order(root, tree.iter());
}

/// Write a tree, entry by entry.
pub(crate) fn write_in_order<'a>(
    root: &Path,
    entries: impl Iterator<Item = (&'a PathBuf, &'a Node)>,
) {
    use std::os::unix::fs::{PermissionsExt, symlink};
    fs::create_dir_all(root).expect("a folder");
    for (path, node) in entries {
        let full = root.join(path);
        fs::create_dir_all(full.parent().expect("a parent")).expect("folders");
        match node {
            Node::Link(target) => symlink(target, full).expect("linked"),
            Node::File { bytes, executable } => {
                fs::write(&full, bytes).expect("written");
                let mode = if *executable { 0o755 } else { 0o644 };
                fs::set_permissions(&full, fs::Permissions::from_mode(mode)).expect("a mode");
            }
        }
    }
}

/// What differs between two trees, for a person to read; empty where nothing does.
pub(crate) fn difference(expected: &Tree, got: &Tree) -> String {
    let mut paths: Vec<&PathBuf> = expected.keys().chain(got.keys()).collect();
    paths.sort();
    paths.dedup();
    let mut faults: Vec<String> = Vec::new();
    for path in paths {
        let name = path.display();
        match (expected.get(path), got.get(path)) {
            (Some(a), Some(b)) if a == b => {}
            (Some(_), None) => faults.push(format!("{name}: is not written")),
            (None, Some(_)) => faults.push(format!("{name}: is not expected")),
            (
                Some(Node::File {
                    bytes: a,
                    executable: x,
                }),
                Some(Node::File {
                    bytes: b,
                    executable: y,
                }),
            ) => {
                if x != y {
                    faults.push(format!("{name}: executable is {y}, expected {x}"));
                }
                let (a, b) = (visible(a), visible(b));
                let diff = similar::TextDiff::from_lines(&a, &b);
                faults.push(format!(
                    "{name}:\n{}",
                    diff.unified_diff().context_radius(1)
                ));
            }
            (a, b) => faults.push(format!("{name}: {b:?}, expected {a:?}")),
        }
    }
    faults.join("\n")
}

/// Bytes as text, with what the eye can't see made visible.
fn visible(bytes: &[u8]) -> String {
    bytes
        .split_inclusive(|&byte| byte == b'\n')
        .map(|line| match line.strip_suffix(b"\n") {
            Some(line) => format!("{}\n", String::from_utf8_lossy(line).replace('\r', "␍")),
            None => format!("{}␄\n", String::from_utf8_lossy(line)),
        })
        .collect()
}
