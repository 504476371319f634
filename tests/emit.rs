//! What writing a port does to the folders of a user.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::common::trees::{git, read_tree, write_into, write_tree};
use tempfile::TempDir;
use torchada::config::OnConflict;
use torchada::emit::{
    Content, EmitError, Emitted, Manifest, OutputFile, Plan, Stamp, beside, file, in_place, tree,
};
use torchada::progress::Silent;

fn text(source: &str, path: &str, bytes: &str) -> OutputFile {
    OutputFile {
        source: Some(source.into()),
        path: path.into(),
        content: Content::Text(bytes.into()),
    }
}

fn copy(path: &str) -> OutputFile {
    OutputFile {
        source: Some(path.into()),
        path: path.into(),
        content: Content::Copy,
    }
}

fn link(path: &str, target: &str) -> OutputFile {
    let content = Content::Link(target.into());
    OutputFile {
        source: Some(path.into()),
        path: path.into(),
        content,
    }
}

/// An input with one file of each kind, and the place for its output.
struct Case {
    folder: TempDir,
}

impl Case {
    fn new() -> Self {
        Self {
            folder: write_tree(&[
                ("in/k.cu", "cuda"),
                ("in/sub/README.md", "read"),
                ("in/run.sh", "#!/bin/sh\n"),
            ]),
        }
    }

    fn input(&self) -> PathBuf {
        self.folder.path().join("in")
    }

    fn output(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn plan(&self, files: &[OutputFile]) -> Plan {
        Plan {
            input: self.input(),
            output: self.output(),
            files: files.to_vec(),
            on_conflict: OnConflict::Mark,
            unread: Vec::new(),
        }
    }

    fn port(&self, files: &[OutputFile]) -> Result<Emitted, EmitError> {
        emit(&self.plan(files))
    }

    /// The output without what belongs to the program.
    fn written(&self) -> BTreeMap<String, String> {
        let mut tree = read_tree(&self.output());
        tree.retain(|path, _| !path.starts_with(".torchada/"));
        tree
    }

    /// What lies beside input and output.
    fn rest(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).expect("readable");
        let names = entries.map(|entry| entry.expect("readable").file_name());
        let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into()).collect();
        names.sort();
        names
    }
}

fn stamped<T>(run: impl FnOnce(&Stamp<'_>) -> T) -> T {
    let settings = BTreeMap::from([("rename".to_owned(), "auto".to_owned())]);
    run(&Stamp {
        tables: "1",
        settings: &settings,
        report: Some(&|_, out| out.write_all(b"{}\n")),
        map: None,
        progress: &Silent,
    })
}

fn emit(plan: &Plan) -> Result<Emitted, EmitError> {
    stamped(|stamp| tree(plan, stamp))
}

fn changed(result: Result<Emitted, EmitError>) -> Vec<PathBuf> {
    match result {
        Err(EmitError::Changed { files, .. }) => files,
        other => panic!("expected changed files, not {other:?}"),
    }
}

#[test]
fn a_new_output_holds_the_plan_and_nothing_else() {
    let case = Case::new();
    let run = case.input().join("run.sh");
    std::fs::set_permissions(&run, PermissionsExt::from_mode(0o755)).expect("changed");
    let plan = [
        text("k.cu", "k.mu", "musa"),
        copy("sub/README.md"),
        copy("run.sh"),
        link("latest", "k.mu"),
    ];
    let emitted = case.port(&plan).expect("written");
    assert_eq!(emitted.written, 4);
    let expected = [
        ("k.mu", "644 musa"),
        ("latest", "-> k.mu"),
        ("run.sh", "755 #!/bin/sh\\n"),
        ("sub/README.md", "644 read"),
    ];
    let expected = expected.map(|(path, content)| (path.to_owned(), content.to_owned()));
    assert_eq!(case.written(), BTreeMap::from(expected));
    assert_eq!(case.rest(), ["in", "out"]);
    assert!(case.output().join(".torchada/report.json").exists());
}

#[test]
fn copies_are_not_hard_links() {
    let case = Case::new();
    case.port(&[copy("run.sh")]).expect("written");
    let inode = |path: PathBuf| path.metadata().expect("there").ino();
    assert_ne!(
        inode(case.input().join("run.sh")),
        inode(case.output().join("run.sh"))
    );
}

#[test]
fn large_files_are_copied_whole() {
    let case = Case::new();
    let bytes: Vec<u8> = (0..3_000_001_u32).map(|at| (at % 251) as u8).collect();
    std::fs::write(case.input().join("large.bin"), &bytes).expect("written");
    case.port(&[copy("large.bin")]).expect("written");
    assert!(std::fs::read(case.output().join("large.bin")).expect("there") == bytes);
    let emitted = case.port(&[copy("large.bin")]).expect("written");
    assert_eq!((emitted.written, emitted.unchanged), (0, 1));
}

#[test]
fn a_folder_that_no_port_wrote_is_never_written_over() {
    let case = Case::new();
    write_into(case.folder.path(), &[("out/mine.txt", "mine")]);
    let result = case.port(&[copy("run.sh")]);
    assert!(matches!(result, Err(EmitError::NotOurs(_))));
    assert_eq!(case.written().len(), 1);
    assert_eq!(case.rest(), ["in", "out"]);
}

#[test]
fn a_second_port_replaces_what_changed_and_touches_nothing_else() {
    let case = Case::new();
    case.port(&[text("k.cu", "k.mu", "one"), copy("run.sh")])
        .expect("written");
    let inode = || {
        case.output()
            .join("run.sh")
            .metadata()
            .expect("there")
            .ino()
    };
    let before = inode();
    let emitted = case
        .port(&[text("k.cu", "k.mu", "two"), copy("run.sh")])
        .expect("written");
    assert_eq!((emitted.written, emitted.unchanged), (1, 1));
    assert_eq!(case.written()["k.mu"], "644 two");
    assert_eq!(inode(), before);
}

#[test]
fn the_manifest_of_the_same_port_has_the_same_bytes() {
    let case = Case::new();
    let plan = [
        text("k.cu", "k.mu", "one"),
        copy("run.sh"),
        link("l", "k.mu"),
    ];
    case.port(&plan).expect("written");
    let before = read_tree(&case.output());
    case.port(&plan).expect("written");
    assert_eq!(read_tree(&case.output()), before);
}

#[test]
fn files_that_the_plan_no_longer_has_go_with_their_folders() {
    let case = Case::new();
    case.port(&[copy("run.sh"), copy("sub/README.md")])
        .expect("written");
    let emitted = case.port(&[copy("run.sh")]).expect("written");
    assert_eq!(emitted.removed, [PathBuf::from("sub/README.md")]);
    assert_eq!(case.written().len(), 1);
    assert!(!case.output().join("sub").exists());
}

#[test]
fn an_edit_that_no_base_tells_apart_stops_the_run_before_anything_is_written() {
    let case = Case::new();
    let first = [text("k.cu", "k.mu", "one"), copy("run.sh")];
    case.port(&first).expect("written");
    write_into(&case.output(), &[("k.mu", "edited")]);
    // An older version of the program kept none.
    std::fs::remove_dir_all(case.output().join(".torchada/bases")).expect("removed");
    let before = read_tree(&case.output());
    let next = [text("k.cu", "k.mu", "two"), copy("run.sh")];
    assert_eq!(changed(case.port(&next)), [PathBuf::from("k.mu")]);
    assert_eq!(read_tree(&case.output()), before);
    // Where the port has nothing new, there is nothing to tell apart.
    let emitted = case.port(&first).expect("written");
    assert_eq!(emitted.edits.kept, 1);
    assert_eq!(case.written()["k.mu"], "644 edited");
}

#[test]
fn a_persons_new_file_stays() {
    let case = Case::new();
    case.port(&[copy("run.sh")]).expect("written");
    write_into(&case.output(), &[("notes.txt", "mine")]);
    case.port(&[copy("run.sh")]).expect("written");
    assert_eq!(case.written()["notes.txt"], "644 mine");
}

#[test]
fn a_deleted_output_file_comes_back() {
    let case = Case::new();
    case.port(&[copy("run.sh"), text("k.cu", "k.mu", "one")])
        .expect("written");
    std::fs::remove_file(case.output().join("k.mu")).expect("removed");
    case.port(&[copy("run.sh"), text("k.cu", "k.mu", "one")])
        .expect("written");
    assert_eq!(case.written()["k.mu"], "644 one");
}

#[test]
fn a_file_may_become_a_folder_and_a_link_a_file() {
    let case = Case::new();
    case.port(&[text("k.cu", "a", "one"), link("l", "a")])
        .expect("written");
    case.port(&[text("k.cu", "a/b", "two"), text("k.cu", "l/c", "three")])
        .expect("written");
    assert_eq!(case.written()["a/b"], "644 two");
    assert_eq!(case.written()["l/c"], "644 three");
    case.port(&[text("k.cu", "a", "one"), link("l", "a")])
        .expect("written");
    assert_eq!(case.written()["l"], "-> a");
}

#[test]
fn a_mode_that_changed_is_followed() {
    let case = Case::new();
    case.port(&[copy("run.sh")]).expect("written");
    let run = case.input().join("run.sh");
    std::fs::set_permissions(&run, PermissionsExt::from_mode(0o755)).expect("changed");
    case.port(&[copy("run.sh")]).expect("written");
    assert_eq!(case.written()["run.sh"], "755 #!/bin/sh\\n");
}

#[test]
fn nothing_is_written_outside_of_the_output() {
    let case = Case::new();
    for path in [
        "../escape",
        "/tmp/torchada-escape",
        "a/../../escape",
        "",
        ".torchada/x",
    ] {
        let result = case.port(&[text("k.cu", path, "x")]);
        assert!(matches!(result, Err(EmitError::Unsafe { .. })), "{path}");
    }
    assert_eq!(case.rest(), ["in"]);
}

#[test]
fn a_link_in_the_output_is_not_written_through() {
    let case = Case::new();
    case.port(&[copy("run.sh")]).expect("written");
    symlink(case.input(), case.output().join("sub")).expect("linked");
    let result = case.port(&[copy("run.sh"), text("k.cu", "sub/README.md", "over")]);
    assert!(matches!(result, Err(EmitError::Unsafe { .. })));
    assert_eq!(read_tree(&case.input())["sub/README.md"], "644 read");
}

#[test]
fn a_manifest_that_names_files_elsewhere_removes_nothing() {
    let case = Case::new();
    case.port(&[copy("run.sh")]).expect("written");
    let path = case.output().join(".torchada/manifest.json");
    let manifest = std::fs::read_to_string(&path).expect("there");
    let row = manifest.replace("\"path\":\"run.sh\"", "\"path\":\"../in/run.sh\"");
    std::fs::write(&path, row).expect("written");
    let _ = case.port(&[copy("sub/README.md")]);
    assert!(case.input().join("run.sh").exists());
}

#[test]
fn two_files_for_one_place_are_an_error() {
    let case = Case::new();
    let result = case.port(&[text("k.cu", "k.mu", "a"), text("run.sh", "k.mu", "b")]);
    assert!(matches!(result, Err(EmitError::Collision { .. })));
    let result = case.port(&[text("k.cu", "a", "a"), text("run.sh", "a/b", "b")]);
    assert!(matches!(result, Err(EmitError::Collision { .. })));
}

#[test]
fn paths_that_differ_only_by_case_are_reported() {
    let case = Case::new();
    let plan = [text("k.cu", "K.mu", "a"), text("run.sh", "k.mu", "b")];
    let emitted = case.port(&plan).expect("written");
    let named: Vec<_> = emitted
        .findings
        .iter()
        .map(|found| found.path.as_str())
        .collect();
    assert_eq!(named, ["K.mu", "k.mu"]);
}

#[test]
fn a_file_that_vanished_fails_alone() {
    let case = Case::new();
    let emitted = case
        .port(&[copy("gone.txt"), copy("run.sh")])
        .expect("written");
    assert_eq!(emitted.failed.len(), 1);
    assert_eq!(emitted.failed[0].path, Path::new("gone.txt"));
    assert_eq!(case.written().len(), 1);
}

#[test]
fn names_that_are_no_utf8_survive_a_second_port() {
    let case = Case::new();
    let name = Path::new(OsStr::from_bytes(b"\xff\n.cu"));
    std::fs::write(case.input().join(name), "x").expect("written");
    let odd = OutputFile {
        source: Some(name.to_owned()),
        path: name.to_owned(),
        content: Content::Copy,
    };
    case.port(std::slice::from_ref(&odd)).expect("written");
    let emitted = case.port(&[odd]).expect("written");
    assert_eq!(emitted.unchanged, 1);
    assert_eq!(case.written()["\\xff\\n.cu"], "644 x");
    let manifest = Manifest::read(&case.output()).expect("sound");
    assert_eq!(manifest.files[0].path.to_path().as_deref(), Some(name));
}

#[test]
fn a_single_file_is_not_written_over() {
    let folder = write_tree(&[("k.mu", "mine")]);
    let path = folder.path().join("k.mu");
    assert!(matches!(
        file(&path, b"new", false, None),
        Err(EmitError::Exists(_))
    ));
    assert_eq!(read_tree(folder.path())["k.mu"], "644 mine");
    file(&path, b"new", true, Some(0o755)).expect("written");
    assert_eq!(read_tree(folder.path())["k.mu"], "755 new");
}

#[test]
fn a_layout_adds_to_its_tree_and_replaces_only_its_own_files() {
    let case = Case::new();
    let mut plan = case.plan(&[text("k.cu", "musa/k.mu", "one")]);
    plan.output = plan.input.clone();
    stamped(|stamp| beside(&plan, stamp, false)).expect("written");
    assert_eq!(read_tree(&case.input())["musa/k.mu"], "644 one");
    plan.files = vec![
        text("k.cu", "musa/k.mu", "two"),
        text("k.cu", "run.sh", "over"),
    ];
    let result = stamped(|stamp| beside(&plan, stamp, false));
    assert_eq!(changed(result), [PathBuf::from("run.sh")]);
    plan.files.pop();
    stamped(|stamp| beside(&plan, stamp, false)).expect("written");
    assert_eq!(read_tree(&case.input())["musa/k.mu"], "644 two");
}

#[test]
fn a_layout_edits_its_input_only_in_a_clean_work_tree() {
    let case = Case::new();
    let mut plan = case.plan(&[text("run.sh", "run.sh", "edited")]);
    plan.output = plan.input.clone();
    let result = stamped(|stamp| beside(&plan, stamp, false));
    assert!(matches!(result, Err(EmitError::NoWorkTree(_))));
    git(&case.input(), &["init", "-q"]);
    git(&case.input(), &["add", "."]);
    git(&case.input(), &["commit", "-qm", "all"]);
    stamped(|stamp| beside(&plan, stamp, false)).expect("written");
    assert_eq!(read_tree(&case.input())["run.sh"], "644 edited");
}

#[test]
fn in_place_needs_a_clean_work_tree_or_force() {
    let case = Case::new();
    let mut plan = case.plan(&[text("k.cu", "k.mu", "musa"), copy("run.sh")]);
    plan.output = plan.input.clone();
    assert!(matches!(
        in_place(&plan, false, &Silent),
        Err(EmitError::NoWorkTree(_))
    ));
    git(&case.input(), &["init", "-q"]);
    git(&case.input(), &["add", "."]);
    assert!(matches!(
        in_place(&plan, false, &Silent),
        Err(EmitError::NotClean { .. })
    ));
    let emitted = in_place(&plan, true, &Silent).expect("written");
    assert_eq!(emitted.removed, [PathBuf::from("k.cu")]);
    let tree = read_tree(&case.input());
    assert_eq!(tree["k.mu"], "644 musa");
    assert!(!tree.contains_key("k.cu"));
    assert!(!tree.contains_key(".torchada/manifest.json"));
}

#[test]
fn in_place_in_a_clean_work_tree_writes_only_what_changed() {
    let case = Case::new();
    git(&case.input(), &["init", "-q"]);
    git(&case.input(), &["add", "."]);
    git(&case.input(), &["commit", "-qm", "all"]);
    let mut plan = case.plan(&[text("k.cu", "k.cu", "musa"), copy("run.sh")]);
    plan.output = plan.input.clone();
    let emitted = in_place(&plan, false, &Silent).expect("written");
    assert_eq!((emitted.written, emitted.unchanged), (1, 1));
    assert_eq!(read_tree(&case.input())["k.cu"], "644 musa");
}

#[test]
fn in_place_does_not_write_over_another_file() {
    let case = Case::new();
    write_into(&case.input(), &[("k.mu", "mine")]);
    let mut plan = case.plan(&[text("k.cu", "k.mu", "musa")]);
    plan.output = plan.input.clone();
    assert!(matches!(
        in_place(&plan, true, &Silent),
        Err(EmitError::Exists(_))
    ));
    assert_eq!(read_tree(&case.input())["k.cu"], "644 cuda");
}

#[test]
fn a_journal_that_lies_in_a_tree_is_left_alone() {
    let case = Case::new();
    let left = [
        (".torchada/pending.json", "{}"),
        (".torchada/tmp/0", "musa"),
    ];
    write_into(&case.input(), &left);
    let mut plan = case.plan(&[text("k.cu", "k.mu", "musa")]);
    plan.output = plan.input.clone();
    let emitted = in_place(&plan, true, &Silent).expect("written");
    let codes: Vec<_> = emitted.findings.iter().map(|one| one.code.id).collect();
    assert_eq!(codes, ["PRJ044"]);
    let tree = read_tree(&case.input());
    assert_eq!(tree[".torchada/tmp/0"], "644 musa");
    assert_eq!(tree[".torchada/pending.json"], "644 {}");
    assert_eq!(tree["k.mu"], "644 musa");
}
