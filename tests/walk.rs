//! Which files are input, and how the report lists the others.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::common::trees::{git, read_tree, write_tree};
use torchada::walk::{SkipReason, Walk, WalkOptions, walk};

fn options(root: &Path) -> WalkOptions<'_> {
    WalkOptions {
        root,
        output: None,
        exclude: &[],
        exclude_base: root,
        no_ignore: false,
    }
}

fn list(root: &Path) -> Walk {
    walk(&options(root)).expect("the root is there")
}

fn paths(walk: &Walk) -> Vec<&str> {
    let names = walk.files.iter();
    names
        .map(|file| file.path.to_str().expect("UTF-8"))
        .collect()
}

fn reason(walk: &Walk, path: &str) -> Option<SkipReason> {
    walk.was_skipped(Path::new(path))
        .map(|skipped| skipped.reason)
}

fn codes(walk: &Walk) -> Vec<(&str, &str)> {
    let findings = walk.findings.iter();
    findings
        .map(|found| (found.code.id, found.path.as_str()))
        .collect()
}

#[test]
fn outside_git_the_trees_own_ignore_files_hold() {
    let tree = write_tree(&[
        (".gitignore", "build/\n*.log\n!keep.log\n"),
        ("a.cu", ""),
        ("build/x.cu", ""),
        ("noise.log", ""),
        ("keep.log", ""),
        ("sub/.gitignore", "/only_here\n"),
        ("sub/only_here", ""),
        ("only_here", ""),
        (".hidden/b.cu", ""),
    ]);
    let walk = list(tree.path());
    assert_eq!(
        paths(&walk),
        [
            ".gitignore",
            ".hidden/b.cu",
            "a.cu",
            "keep.log",
            "only_here",
            "sub/.gitignore"
        ]
    );
    assert_eq!(reason(&walk, "build/x.cu"), Some(SkipReason::Ignored));
    assert_eq!(reason(&walk, "sub/only_here"), Some(SkipReason::Ignored));
    assert_eq!(reason(&walk, "a.cu"), None);
}

#[test]
fn no_ignore_takes_every_file_but_version_control() {
    let tree = write_tree(&[(".gitignore", "*\n"), ("a.cu", ""), (".git/config", "")]);
    let walk = walk(&WalkOptions {
        no_ignore: true,
        ..options(tree.path())
    })
    .expect("there");
    assert_eq!(paths(&walk), [".gitignore", "a.cu"]);
    assert_eq!(
        reason(&walk, ".git/config"),
        Some(SkipReason::VersionControl)
    );
}

#[test]
fn in_a_git_work_tree_the_input_is_what_git_tracks() {
    let tree = write_tree(&[
        (".gitignore", "kept.cu\n"),
        ("kept.cu", ""),
        ("sub/b.cu", ""),
        ("gone.cu", ""),
    ]);
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "-f", "."]);
    std::fs::write(tree.path().join("new.cu"), "").expect("written");
    std::fs::create_dir(tree.path().join("out")).expect("made");
    std::fs::write(tree.path().join("out/x.o"), "").expect("written");
    std::fs::remove_file(tree.path().join("gone.cu")).expect("removed");
    let walk = list(tree.path());
    assert_eq!(paths(&walk), [".gitignore", "kept.cu", "sub/b.cu"]);
    assert_eq!(reason(&walk, "new.cu"), Some(SkipReason::Untracked));
    assert_eq!(reason(&walk, "out/x.o"), Some(SkipReason::Untracked));
    assert_eq!(reason(&walk, "gone.cu"), Some(SkipReason::Missing));
    assert_eq!(codes(&walk), [("PRJ016", "."), ("PRJ055", ".")]);
}

#[test]
fn what_a_port_in_place_renamed_is_told_from_what_is_missing() {
    let tree = write_tree(&[("a/k.cu", ""), ("h.cuh", ""), ("gone.cu", "")]);
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "."]);
    for (old, new) in [("a/k.cu", "a/k.mu"), ("h.cuh", "h.muh")] {
        std::fs::rename(tree.path().join(old), tree.path().join(new)).expect("renamed");
    }
    std::fs::remove_file(tree.path().join("gone.cu")).expect("removed");
    let walk = list(tree.path());
    let [found] = walk.findings.as_slice() else {
        panic!("{:?}", walk.findings);
    };
    let message = "git tracks 3 files missing here, 2 of which a port in place has renamed; git does not track the \
                   new names";
    assert_eq!((found.code.id, &*found.message), ("PRJ016", message));
    let help = found.help.as_deref().unwrap_or_default();
    assert!(help.contains("git add -A"), "{help}");
}

#[test]
fn sources_that_nobody_added_to_git_are_named() {
    let tree = write_tree(&[
        (".gitignore", "build/\n"),
        ("a.cu", ""),
        ("b.cu", ""),
        ("new/c.cuh", ""),
        ("build/d.cu", ""),
        ("vendor/e.cu", ""),
        ("notes.txt", ""),
    ]);
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", ".gitignore", "a.cu"]);
    let exclude = ["vendor/".to_owned()];
    let chosen = WalkOptions {
        exclude: &exclude,
        ..options(tree.path())
    };
    let walk = walk(&chosen).expect("the root is there");
    let [found] = walk.findings.as_slice() else {
        panic!("{:?}", walk.findings);
    };
    assert_eq!((found.code.id, &*found.path), ("PRJ055", "."));
    let messages =
        "git does not track 2 CUDA sources, so nothing of them is ported: b.cu, new/c.cuh";
    assert_eq!(found.message, messages);
    git(tree.path(), &["add", "."]);
    assert_eq!(codes(&list(tree.path())), []);
}

#[test]
fn sources_that_ignore_files_name_outside_git_are_named_but_for_what_a_tool_puts_there() {
    let tree = write_tree(&[
        (
            ".gitignore",
            "environment/\nexternals/\nmodels/\nbuild/\n*.log\n",
        ),
        ("a.cu", ""),
        ("noise.log", ""),
        ("environment/pyvenv.cfg", ""),
        ("environment/lib/a.h", ""),
        ("externals/b/CMakeLists.txt", ""),
        ("externals/b/b.h", ""),
        ("externals/b/README", ""),
        ("app/models/net.py", ""),
        ("app/models/net.pth", ""),
        ("build/lib/app/run.py", ""),
    ]);
    let walk = list(tree.path());
    assert_eq!(codes(&walk), [("PRJ057", ".")]);
    let message = &walk.findings[0].message;
    assert!(
        message.starts_with("ignore files name 3 sources and build files")
            && message
                .ends_with(": app/models/net.py, externals/b/CMakeLists.txt, externals/b/b.h"),
        "{message}"
    );
}

#[test]
fn a_folder_of_a_git_work_tree_lists_its_own_part() {
    let tree = write_tree(&[("a.cu", ""), ("sub/b.cu", "")]);
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "."]);
    assert_eq!(paths(&list(&tree.path().join("sub"))), ["b.cu"]);
}

#[test]
fn where_git_tracks_nothing_ignore_files_decide_and_that_is_reported() {
    let tree = write_tree(&[(".gitignore", "*.o\n"), ("a.cu", ""), ("a.o", "")]);
    git(tree.path(), &["init", "-q"]);
    let walk = list(tree.path());
    assert_eq!(paths(&walk), [".gitignore", "a.cu"]);
    assert_eq!(codes(&walk), [("PRJ017", ".")]);
}

#[test]
fn a_broken_repository_is_reported_and_ignore_files_decide() {
    let tree = write_tree(&[("a.cu", ""), (".git", "gitdir: /nowhere\n")]);
    let walk = list(tree.path());
    assert_eq!(paths(&walk), ["a.cu"]);
    assert_eq!(codes(&walk), [("PRJ015", ".")]);
}

#[test]
fn submodules_are_listed_and_those_not_checked_out_are_reported() {
    let library = write_tree(&[("lib.cu", "")]);
    git(library.path(), &["init", "-q"]);
    git(library.path(), &["add", "."]);
    git(library.path(), &["commit", "-qm", "library"]);
    let tree = write_tree(&[("a.cu", "")]);
    git(tree.path(), &["init", "-q"]);
    let source = library.path().to_str().expect("UTF-8");
    for name in ["here", "there"] {
        let add = [
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "--quiet",
            "add",
            source,
            name,
        ];
        git(tree.path(), &add);
    }
    git(tree.path(), &["add", "a.cu"]);
    git(tree.path(), &["commit", "-qm", "all"]);
    git(
        tree.path(),
        &["submodule", "--quiet", "deinit", "-f", "there"],
    );
    let walk = list(tree.path());
    assert_eq!(paths(&walk), [".gitmodules", "a.cu", "here/lib.cu"]);
    assert_eq!(codes(&walk), [("PRJ013", "there")]);
}

#[test]
fn submodules_that_an_archive_leaves_out_are_reported() {
    let list_of_modules = "[submodule \"cub\"]\n\tpath = cub\n\turl = x\n\
        [submodule \"here\"]\n\tpath = third_party/here\n[submodule \"out\"]\n\tpath = ../out\n\
        [submodule \"utils\"]\n\tpath=utils\n[submodule \"behind\"]\n\tpath = link/empty\n";
    let outside = tempfile::TempDir::new().expect("a folder");
    std::fs::create_dir(outside.path().join("empty")).expect("made");
    let tree = write_tree(&[
        (".gitmodules", list_of_modules),
        ("a.cu", ""),
        ("third_party/here/b.h", ""),
    ]);
    std::fs::create_dir(tree.path().join("cub")).expect("made");
    symlink(outside.path(), tree.path().join("link")).expect("linked");
    let walk = list(tree.path());
    let about_modules: Vec<_> = codes(&walk)
        .into_iter()
        .filter(|one| one.0 == "PRJ013")
        .collect();
    assert_eq!(about_modules, [("PRJ013", "cub"), ("PRJ013", "utils")]);
}

#[test]
fn links_are_kept_and_those_that_leave_the_tree_are_reported() {
    let tree = write_tree(&[("a.cu", ""), ("sub/b.cu", "")]);
    symlink("../a.cu", tree.path().join("sub/inside")).expect("linked");
    symlink("../../outside", tree.path().join("sub/outside")).expect("linked");
    symlink("sub", tree.path().join("folder")).expect("linked");
    symlink("/etc", tree.path().join("etc")).expect("linked");
    let walk = list(tree.path());
    assert_eq!(
        paths(&walk),
        [
            "a.cu",
            "etc",
            "folder",
            "sub/b.cu",
            "sub/inside",
            "sub/outside"
        ]
    );
    assert_eq!(codes(&walk), [("PRJ010", "etc"), ("PRJ010", "sub/outside")]);
}

#[test]
fn a_pipe_is_left_out_and_reported() {
    let tree = write_tree(&[("a.cu", "")]);
    let made = std::process::Command::new("mkfifo")
        .arg(tree.path().join("pipe"))
        .status();
    assert!(made.expect("mkfifo runs").success());
    let walk = list(tree.path());
    assert_eq!(paths(&walk), ["a.cu"]);
    assert_eq!(codes(&walk), [("PRJ012", "pipe")]);
}

#[test]
fn names_that_are_no_utf8_or_hold_a_newline_are_taken() {
    for in_git in [false, true] {
        let tree = write_tree(&[("two\nlines.cu", "")]);
        std::fs::write(tree.path().join(OsStr::from_bytes(b"\xff.cu")), "").expect("written");
        if in_git {
            git(tree.path(), &["init", "-q"]);
            git(tree.path(), &["add", "."]);
        }
        let walk = list(tree.path());
        let names: Vec<&[u8]> = walk
            .files
            .iter()
            .map(|file| file.path.as_os_str().as_bytes())
            .collect();
        assert_eq!(names, [b"two\nlines.cu".as_slice(), b"\xff.cu"]);
    }
}

#[test]
fn the_order_is_that_of_the_path_bytes() {
    let tree = write_tree(
        &[
            ("b/x", ""),
            ("B", ""),
            ("a", ""),
            ("b-x", ""),
            ("b", "dropped"),
        ][..4],
    );
    assert_eq!(paths(&list(tree.path())), ["B", "a", "b-x", "b/x"]);
}

#[test]
fn the_output_and_outputs_of_earlier_ports_are_no_input() {
    let tree = write_tree(&[
        ("a.cu", ""),
        ("out/a.mu", ""),
        ("old/.torchada/manifest.json", "{}"),
        ("old/a.mu", ""),
        (".torchada-tmp-x/a.mu", ""),
    ]);
    let output = tree.path().join("out");
    let walk = walk(&WalkOptions {
        output: Some(&output),
        ..options(tree.path())
    })
    .expect("there");
    assert_eq!(paths(&walk), ["a.cu"]);
    assert_eq!(reason(&walk, "out/a.mu"), Some(SkipReason::Output));
    assert_eq!(codes(&walk), [("PRJ014", "old")]);
}

#[test]
fn an_earlier_output_that_git_tracks_is_no_input_either() {
    let tree = write_tree(&[
        ("a.cu", ""),
        ("a_musa/.torchada/manifest.json", "{}"),
        ("a_musa/deep/a.mu", ""),
    ]);
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "."]);
    let walk = list(tree.path());
    assert_eq!(paths(&walk), ["a.cu"]);
    assert_eq!(codes(&walk), [("PRJ014", "a_musa")]);
}

#[test]
fn a_port_itself_can_be_input_without_its_manifest() {
    let tree = write_tree(&[("a.mu", ""), (".torchada/manifest.json", "{}")]);
    let walk = list(tree.path());
    assert_eq!(paths(&walk), ["a.mu"]);
    assert_eq!(codes(&walk), []);
}

#[test]
fn exclude_globs_are_relative_to_the_configurations_folder() {
    let tree = write_tree(&[("p/a.cu", ""), ("p/gen/b.cu", ""), ("p/sub/gen/c.cu", "")]);
    let root = tree.path().join("p");
    let exclude = ["/p/gen".to_owned()];
    let walk = walk(&WalkOptions {
        exclude: &exclude,
        exclude_base: tree.path(),
        ..options(&root)
    })
    .expect("there");
    assert_eq!(paths(&walk), ["a.cu", "sub/gen/c.cu"]);
    assert_eq!(reason(&walk, "gen/b.cu"), Some(SkipReason::Excluded));
}

#[test]
fn a_source_that_another_names_can_be_pulled_back() {
    let tree = write_tree(&[
        (".gitignore", "gen/\n"),
        ("a.cu", ""),
        ("gen/k.cuh", ""),
        ("gen/other.cuh", ""),
    ]);
    let mut walk = list(tree.path());
    assert!(walk.pull_back(Path::new("gen/k.cuh")));
    assert_eq!(paths(&walk), [".gitignore", "a.cu", "gen/k.cuh"]);
    assert!(!walk.pull_back(Path::new("gen/missing.cuh")));
}

#[test]
fn what_the_user_excludes_is_not_pulled_back() {
    let tree = write_tree(&[("a.cu", ""), ("gen/k.cuh", "")]);
    let exclude = ["gen".to_owned()];
    let mut walk = walk(&WalkOptions {
        exclude: &exclude,
        ..options(tree.path())
    })
    .expect("there");
    assert!(!walk.pull_back(Path::new("gen/k.cuh")));
}

#[test]
fn a_tracked_file_behind_a_link_is_not_followed() {
    let outside = write_tree(&[("b.cu", "secret")]);
    let tree = write_tree(&[("a.cu", ""), ("sub/b.cu", "")]);
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "."]);
    std::fs::remove_dir_all(tree.path().join("sub")).expect("removed");
    symlink(outside.path(), tree.path().join("sub")).expect("linked");
    let walk = list(tree.path());
    assert_eq!(paths(&walk), ["a.cu"]);
    assert_eq!(reason(&walk, "sub/b.cu"), Some(SkipReason::Missing));
}

#[test]
fn the_mode_is_listed() {
    let tree = write_tree(&[("run.sh", "")]);
    let path = tree.path().join("run.sh");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("changed");
    assert_eq!(list(tree.path()).files[0].mode, 0o755);
    assert_eq!(read_tree(tree.path())["run.sh"], "755 ");
}
