//! Diffs are what `git apply` takes: each is applied for real and the trees compared.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::common::trees::{git, read_tree};
use torchada::emit::{EditLine, FileChange, by_rule, diff};
use torchada::mapping::Evidence;

fn change<'a>(
    old_path: &'a Path,
    new_path: &'a Path,
    old: &'a [u8],
    new: &'a [u8],
) -> FileChange<'a> {
    FileChange {
        old_path: Some(old_path),
        new_path: Some(new_path),
        old,
        new,
        old_mode: 0o644,
        mode: 0o644,
        link: false,
    }
}

/// Apply the changes' diff to a repository with the old files, and compare with the new ones.
fn applies(changes: &[FileChange<'_>]) {
    let (before, after) = (tempfile::tempdir(), tempfile::tempdir());
    let (before, after) = (before.expect("a folder"), after.expect("a folder"));
    let put = |folder: &Path, path: &Path, bytes: &[u8], link: bool| {
        let full = folder.join(path);
        std::fs::create_dir_all(full.parent().expect("a parent")).expect("folders");
        if link {
            std::os::unix::fs::symlink(OsStr::from_bytes(bytes), full).expect("linked");
        } else {
            std::fs::write(full, bytes).expect("written");
        }
    };
    let mut patch = Vec::new();
    for change in changes {
        if let Some(old) = change.old_path {
            put(before.path(), old, change.old, change.link);
        }
        if let Some(new) = change.new_path {
            put(after.path(), new, change.new, change.link);
        }
        diff(change, &mut patch).expect("written");
    }
    git(before.path(), &["init", "-q"]);
    // The work tree's bytes are what counts, not what git would make of their line ends.
    git(before.path(), &["config", "core.autocrlf", "false"]);
    git(before.path(), &["add", "."]);
    let file = after.path().with_extension("patch");
    std::fs::write(&file, &patch).expect("written");
    git(
        before.path(),
        &["apply", "--index", file.to_str().expect("UTF-8")],
    );
    std::fs::remove_file(file).expect("removed");
    assert_eq!(read_tree(before.path()), read_tree(after.path()));
}

/// Apply a change of the content of one file.
fn applies_to_text(old: &[u8], new: &[u8]) {
    let path = Path::new("k.cu");
    applies(&[change(path, path, old, new)]);
}

#[test]
fn a_file_that_goes_and_one_that_becomes_a_program() {
    let (gone, run) = (Path::new("old name.cu"), Path::new("run.sh"));
    let gone = FileChange {
        new_path: None,
        ..change(gone, gone, b"int a;\nint b;", b"")
    };
    let run = FileChange {
        mode: 0o755,
        ..change(run, run, b"#!/bin/sh\n", b"#!/bin/sh\n")
    };
    let mut patch = Vec::new();
    diff(&run, &mut patch).expect("written");
    assert_eq!(
        String::from_utf8_lossy(&patch),
        "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n"
    );
    applies(&[gone]);
}

#[test]
fn bytes_that_are_no_text_are_not_shown() {
    let path = Path::new("a.bin");
    let mut patch = Vec::new();
    diff(&change(path, path, b"a\0b", b"a\0c"), &mut patch).expect("written");
    assert_eq!(
        String::from_utf8_lossy(&patch),
        "diff --git a/a.bin b/a.bin\nBinary files a/a.bin and b/a.bin differ\n"
    );
}

#[test]
fn a_changed_line() {
    let old: Vec<String> = (0..40).map(|line| format!("line {line}\n")).collect();
    let old = old.concat();
    let new = old
        .replace("line 7\n", "row 7\n")
        .replace("line 30\n", "row 30\n");
    applies_to_text(old.as_bytes(), new.as_bytes());
}

#[test]
fn added_and_removed_lines() {
    applies_to_text(b"a\nb\nc\nd\ne\nf\ng\nh\n", b"a\nx\nb\nc\nd\ne\nf\nh\n");
}

#[test]
fn a_file_without_a_final_newline() {
    applies_to_text(b"a\ncudaMalloc", b"a\nmusaMalloc");
    applies_to_text(b"a\nb\n", b"a\nb");
    applies_to_text(b"a\nb", b"a\nb\n");
}

#[test]
fn line_ends_of_windows_and_lone_carriage_returns() {
    applies_to_text(b"a\r\ncuda\r\nc\rd\r\n", b"a\r\nmusa\r\nc\rd\r\n");
}

#[test]
fn bytes_that_are_no_text() {
    applies_to_text(
        b"\xff\xfe cuda\n\x80\n\x1b[0m\n",
        b"\xff\xfe musa\n\x80\n\x1b[0m\n",
    );
}

#[test]
fn from_and_to_an_empty_file() {
    applies_to_text(b"", b"a\n");
    applies_to_text(b"a\n", b"");
}

#[test]
fn a_renamed_file_with_changes() {
    applies(&[change(
        Path::new("csrc/k.cu"),
        Path::new("csrc/k.mu"),
        b"a\ncuda\nb\n",
        b"a\nmusa\nb\n",
    )]);
}

#[test]
fn a_file_that_is_only_renamed() {
    applies(&[change(Path::new("k.cu"), Path::new("k.mu"), b"a\n", b"a\n")]);
    applies(&[change(Path::new("e.cu"), Path::new("e.mu"), b"", b"")]);
}

#[test]
fn an_added_file_with_its_mode() {
    let run = FileChange {
        old_path: None,
        new_path: Some(Path::new("musa/run.sh")),
        old: b"",
        new: b"#!/bin/sh\n",
        old_mode: 0o755,
        mode: 0o755,
        link: false,
    };
    let mut patch = Vec::new();
    diff(&run, &mut patch).expect("written");
    assert!(patch.starts_with(b"diff --git a/musa/run.sh b/musa/run.sh\nnew file mode 100755\n"));
}

#[test]
fn an_added_file_beside_another() {
    let other = Path::new("k.cu");
    let added = FileChange {
        old_path: None,
        new_path: Some(Path::new("musa/k.mu")),
        old: b"",
        new: b"musa\n",
        old_mode: 0o644,
        mode: 0o644,
        link: false,
    };
    applies(&[change(other, other, b"a\n", b"b\n"), added]);
}

#[test]
fn a_link_that_follows_a_rename() {
    let link = Path::new("link.cu");
    let mut retargeted = change(link, link, b"k.cu", b"k.mu");
    retargeted.link = true;
    applies(&[
        change(Path::new("k.cu"), Path::new("k.mu"), b"a\n", b"a\n"),
        retargeted,
    ]);
}

#[test]
fn odd_names() {
    for name in [
        b"a b.cu".as_slice(),
        b"q\"uote.cu",
        b"back\\slash.cu",
        b"new\nline\t.cu",
    ] {
        let old = Path::new(OsStr::from_bytes(name));
        applies(&[change(old, old, b"a\n", b"b\n")]);
    }
    for name in [b"\xe4\xb8\xad.cu".as_slice(), b"\xff.cu", b"a b.cu"] {
        let old = Path::new(OsStr::from_bytes(name));
        let new = old.with_extension("mu");
        applies(&[change(old, &new, b"a\n", b"b\n")]);
    }
}

#[test]
fn nothing_is_printed_where_nothing_changes() {
    let mut out = Vec::new();
    let path = Path::new("k.cu");
    diff(&change(path, path, b"a\n", b"a\n"), &mut out).expect("written");
    assert_eq!(out, b"");
}

#[test]
fn by_rule_counts_and_shows_examples_from_several_files() {
    let edit = |rule, path: &str, line| EditLine {
        rule,
        evidence: (rule == "names").then_some(Evidence::Confirmed),
        path: path.to_owned(),
        line,
        before: b"  cudaFree(p);".to_vec(),
        after: b"  musaFree(p);".to_vec(),
    };
    let edits = [
        edit("includes", "a.cu", 1),
        edit("names", "a.cu", 5),
        edit("names", "a.cu", 9),
        edit("names", "b.cu", 3),
    ];
    let mut out = Vec::new();
    by_rule(&edits, 2, &mut out).expect("written");
    assert_eq!(
        String::from_utf8_lossy(&out),
        "names (confirmed): 3 edits in 2 files\n\
         \x20 a.cu:5\n    - cudaFree(p);\n    + musaFree(p);\n\
         \x20 b.cu:3\n    - cudaFree(p);\n    + musaFree(p);\n\
         \x20 and 1 more\n\n\
         includes: 1 edit in 1 file\n\
         \x20 a.cu:1\n    - cudaFree(p);\n    + musaFree(p);\n"
    );
}
