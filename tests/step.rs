//! `torchada port --check`: is a committed port what a port would be now?

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Output;

use crate::common::program::{text, torchada, torchada_with};
use crate::common::trees::{git, read_tree, write_into, write_tree};

const KERNEL: &str = "#include \"h.cuh\"\nvoid f() { cudaFree(nullptr); }\n";

/// A project and its port, `p` and `m`.
fn ported() -> tempfile::TempDir {
    let place = write_tree(&[
        ("p/k.cu", KERNEL),
        ("p/h.cuh", "#pragma once\n#include <cuda_runtime.h>\n"),
        (
            "p/tool.py",
            "import torch\nx = torch.zeros(1, device=\"cuda\")\n",
        ),
        ("p/README", "words\n"),
    ]);
    port(place.path());
    place
}

fn port(place: &Path) {
    let output = torchada(place, &["port", "p", "-o", "m", "-q"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

fn check(place: &Path) -> Output {
    let before = read_tree(place);
    let output = torchada(place, &["port", "p", "-o", "m", "--check"]);
    assert_eq!(before, read_tree(place), "a check writes nothing");
    output
}

/// What a check that is not in step prints: the diff, and the summary.
fn differs(place: &Path) -> (String, String) {
    let output = check(place);
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    (text(&output.stdout), without_count(&printed))
}

/// A summary without the number of files in step: the package for run time grows.
fn without_count(printed: &str) -> String {
    let lines = printed
        .lines()
        .map(|line| match line.strip_prefix("  in step     ") {
            Some(_) => "  in step     N files\n".to_owned(),
            None => format!("{line}\n"),
        });
    lines.collect()
}

/// Assert that the diff brings the output in step.
fn mends(place: &Path, patch: &str) {
    fs::write(place.join("patch"), patch).expect("written");
    git(place, &["init", "-q"]);
    git(place, &["apply", "--directory=m", "patch"]);
    fs::remove_dir_all(place.join(".git")).expect("removed");
    fs::remove_file(place.join("patch")).expect("removed");
    let output = torchada(place, &["port", "p", "-o", "m", "--check"]);
    let printed = text(&output.stderr);
    // Of the manifest that a port would write anew, the first diff says nothing.
    assert!(
        printed.contains(" in step with p") || printed.contains("  manifest"),
        "{printed}"
    );
    assert!(
        !printed.contains("  changed") && !printed.contains("  new"),
        "{printed}"
    );
}

#[test]
fn a_port_that_is_in_step_says_so() {
    let place = ported();
    let output = check(place.path());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout), "");
    let printed = text(&output.stderr);
    assert!(printed.starts_with("m is in step with p: "), "{printed}");
    let quiet = torchada(place.path(), &["port", "p", "-o", "m", "--check", "-q"]);
    assert_eq!((quiet.status.code(), &*text(&quiet.stderr)), (Some(0), ""));
}

#[test]
fn what_a_port_would_change_is_a_diff() {
    let place = ported();
    let place = place.path();
    let more = KERNEL.replace("nullptr", "0");
    write_into(place, &[("p/k.cu", &more), ("p/new.cu", "int n;\n")]);
    fs::remove_file(place.join("p/README")).expect("removed");
    let (patch, printed) = differs(place);
    insta::assert_snapshot!(patch, @r##"
    diff --git a/README b/README
    deleted file mode 100644
    --- a/README
    +++ /dev/null
    @@ -1 +0,0 @@
    -words
    diff --git a/k.mu b/k.mu
    --- a/k.mu
    +++ b/k.mu
    @@ -1,2 +1,2 @@
     #include "h.muh"
    -void f() { musaFree(nullptr); }
    +void f() { musaFree(0); }
    diff --git a/new.mu b/new.mu
    new file mode 100644
    --- /dev/null
    +++ b/new.mu
    @@ -0,0 +1 @@
    +int n;
    "##);
    insta::assert_snapshot!(printed, @r##"
    m is not what a port of p gives now
      in step     N files
      changed     k.mu from k.cu
      new         new.mu from new.cu
      gone        README
      compared    contents, links and executable bits, the package for run time included; of `.torchada/` the manifest's list of files
      next        port again, and commit what it writes
    "##);
    mends(place, &patch);
    port(place);
    assert_eq!(check(place).status.code(), Some(0));
    let output = torchada(place, &["port", "p", "-o", "m", "--check", "--dry-run"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn an_edit_of_the_port_stays_where_it_can_be_told_from_the_port() {
    let place = ported();
    let place = place.path();
    let path = place.join("m/k.mu");
    let edited = fs::read_to_string(&path).expect("there") + "// tuned\n";
    fs::write(&path, edited).expect("written");
    fs::write(place.join("m/NOTES"), "ours\n").expect("written");
    let output = check(place);
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert!(printed.contains("your edits  1 file kept"), "{printed}");
    assert!(printed.contains("\n              k.mu\n"), "{printed}");
    // Whoever wants no edits at all says so.
    let strict = ["port", "p", "-o", "m", "--check", "--strict"];
    let strict = torchada(place, &strict);
    assert_eq!(strict.status.code(), Some(1));
    let messages = text(&strict.stderr);
    assert!(
        messages.contains("m is not what a port of p gives now")
            && messages.contains("without --strict"),
        "{messages}"
    );
    assert!(
        printed.contains("yours       1 file that no port wrote"),
        "{printed}"
    );
    // Where nobody kept what the last port wrote, a port would stop.
    fs::remove_dir_all(place.join("m/.torchada/bases")).expect("removed");
    write_into(place, &[("p/k.cu", &KERNEL.replace("nullptr", "0"))]);
    let (patch, printed) = differs(place);
    assert!(
        patch.contains("-// tuned\n+void f() { musaFree(0); }\n"),
        "{patch}"
    );
    insta::assert_snapshot!(printed, @r##"
    m is not what a port of p gives now
      in step     N files
      edited      k.mu from k.cu
      yours       1 file that no port wrote, and none would touch
      compared    contents, links and executable bits, the package for run time included; of `.torchada/` the manifest's list of files
      next        take the edits over into the input, or move them aside: a port stops before edits that it can't tell from its own changes
    "##);
    mends(place, &patch);
}

#[test]
fn of_edits_and_conflicts_the_conflicts_come_first() {
    let place = ported();
    let place = place.path();
    let kernel = fs::read_to_string(place.join("m/k.mu")).expect("readable");
    write_into(
        place,
        &[
            ("m/k.mu", &format!("{kernel}// mine\n")),
            ("m/new.mu", "int mine;\n"),
            ("p/new.cu", "int n;\n"),
        ],
    );
    let ported = torchada(place, &["port", "p", "-o", "m", "-q"]);
    assert_eq!(ported.status.code(), Some(1));
    let line = ["port", "p", "-o", "m", "--check", "--strict"];
    let printed = text(&torchada(place, &line).stderr);
    assert!(
        printed.contains("  next        decide the conflicts, and commit the result\n"),
        "{printed}"
    );
}

#[test]
fn no_state_folder_need_be_committed() {
    let place = ported();
    let place = place.path();
    fs::remove_dir_all(place.join("m/.torchada")).expect("removed");
    let output = check(place);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    // A file without a source is an older port's.
    fs::write(place.join("m/old.mu"), "int o;\n").expect("written");
    fs::write(place.join("m/k.mu"), "// by hand\n").expect("written");
    let (patch, printed) = differs(place);
    assert!(
        patch.contains("deleted file mode 100644\n--- a/old.mu"),
        "{patch}"
    );
    insta::assert_snapshot!(printed, @r##"
    m is not what a port of p gives now
      in step     N files
      changed     k.mu from k.cu
      gone        old.mu
      manifest    none is there, so edits count as an older port's, and all files as a port's
      compared    contents, links and executable bits, the package for run time included; of `.torchada/` the manifest's list of files
      next        `git apply --directory=m` takes the diff, where m is seen from the top of the repository
    "##);
    mends(place, &patch);
}

#[test]
fn only_what_git_tracks_of_a_port_counts() {
    let place = ported();
    let place = place.path();
    fs::remove_dir_all(place.join("m/.torchada")).expect("removed");
    git(place, &["init", "-q"]);
    git(place, &["add", "--all"]);
    fs::create_dir(place.join("m/build")).expect("made");
    fs::write(place.join("m/build/k.o"), "x").expect("written");
    let output = check(place);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn another_name_is_a_rename() {
    let place = ported();
    let place = place.path();
    for keep_state in [true, false] {
        if !keep_state {
            fs::remove_dir_all(place.join("m/.torchada")).expect("removed");
        }
        fs::rename(place.join("m/h.muh"), place.join("m/h.cuh")).expect("renamed");
        let (patch, printed) = differs(place);
        let start = "diff --git a/h.cuh b/h.muh\nsimilarity index 100%\nrename from h.cuh\nrename to h.muh\n";
        if keep_state {
            // Whoever renamed it, the file is nobody's that a port knows.
            assert!(
                patch.starts_with("diff --git a/h.muh b/h.muh\nnew file"),
                "{patch}"
            );
            assert!(printed.contains("1 file that no port wrote"), "{printed}");
            fs::remove_file(place.join("m/h.cuh")).expect("removed");
            fs::copy(place.join("p/h.cuh"), place.join("m/h.muh")).expect("copied");
            port_anew(place);
        } else {
            assert_eq!(patch, start);
            assert!(printed.contains("h.cuh, which would be h.muh"), "{printed}");
        }
    }
    port_anew(place);
    // The source moves, and its port with it.
    fs::create_dir(place.join("p/sub")).expect("made");
    fs::rename(place.join("p/README"), place.join("p/sub/README")).expect("renamed");
    let (patch, _) = differs(place);
    assert!(
        patch.contains("rename from README\nrename to sub/README\n"),
        "{patch}"
    );
    mends(place, &patch);
}

fn port_anew(place: &Path) {
    fs::remove_dir_all(place.join("m")).expect("removed");
    port(place);
}

#[test]
fn links_modes_and_bytes_count() {
    let place = ported();
    let place = place.path();
    fs::write(place.join("p/data.bin"), b"\0\x01").expect("written");
    fs::write(place.join("p/run.sh"), "#!/bin/sh\n").expect("written");
    symlink("README", place.join("p/link")).expect("linked");
    port(place);
    assert_eq!(check(place).status.code(), Some(0));
    // Who may read a file is nothing that git keeps.
    let mode = |path: &str, mode| {
        fs::set_permissions(place.join(path), fs::Permissions::from_mode(mode)).expect("set");
    };
    mode("m/run.sh", 0o600);
    assert_eq!(check(place).status.code(), Some(0));
    mode("p/run.sh", 0o755);
    fs::write(place.join("p/data.bin"), b"\0\x02").expect("written");
    fs::remove_file(place.join("p/link")).expect("removed");
    fs::write(place.join("p/link"), "no link\n").expect("written");
    let (patch, _) = differs(place);
    insta::assert_snapshot!(patch, @r##"
    diff --git a/data.bin b/data.bin
    Binary files a/data.bin and b/data.bin differ
    diff --git a/link b/link
    deleted file mode 120000
    --- a/link
    +++ /dev/null
    @@ -1 +0,0 @@
    -README
    \ No newline at end of file
    diff --git a/link b/link
    new file mode 100644
    --- /dev/null
    +++ b/link
    @@ -0,0 +1 @@
    +no link
    diff --git a/run.sh b/run.sh
    old mode 100644
    new mode 100755
    "##);
}

#[test]
fn the_package_for_run_time_and_the_manifest_count() {
    let place = ported();
    let place = place.path();
    let package = place.join("m/torchada/__init__.py");
    let text_of = fs::read_to_string(&package).expect("a package");
    fs::write(&package, format!("{text_of}# more\n")).expect("written");
    let output = check(place);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("your edits  1 file kept"));
    fs::write(&package, text_of).expect("written");
    assert_eq!(check(place).status.code(), Some(0));
    // Another version of the program wrote the same files: nothing that a check minds.
    let manifest = place.join("m/.torchada/manifest.json");
    let rows = fs::read_to_string(&manifest).expect("there");
    fs::write(&manifest, rows.replace("\"torchada 0.", "\"torchada 90.")).expect("written");
    assert_eq!(check(place).status.code(), Some(0));
    // Files that were committed without their manifest: the next port would stop.
    write_into(place, &[("p/new.cu", "int n;\n"), ("m/new.mu", "int n;\n")]);
    let (patch, printed) = differs(place);
    assert!(
        patch.starts_with("diff --git a/.torchada/manifest.json"),
        "{patch}"
    );
    assert!(
        patch.contains("+    {\"path\":\"new.mu\",\"source\":\"new.cu\""),
        "{patch}"
    );
    assert!(
        printed.contains("manifest    its list of files"),
        "{printed}"
    );
}

#[test]
fn a_part_a_layout_and_a_file_are_checked_too() {
    let kernel = "void f() { cudaFree(nullptr); }\n";
    let lines: [&[&str]; 3] = [
        &["port", "p/csrc", "--root", "p"],
        &["port", "p", "--layout", "csrc/cuda=csrc/musa"],
        &["port", "p/csrc/cuda/k.cu"],
    ];
    for line in lines {
        let place = write_tree(&[("p/csrc/cuda/k.cu", kernel)]);
        let place = place.path();
        let check = || {
            let output = torchada(place, &[line, &["--check"]].concat());
            (
                output.status.code(),
                text(&output.stdout),
                text(&output.stderr),
            )
        };
        // The tree of a layout is there, and lacks the port.
        let is_layout = line.contains(&"--layout");
        assert_eq!(check().0, Some(if is_layout { 1 } else { 2 }), "{line:?}");
        let output = torchada(place, line);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let (code, _, printed) = check();
        assert_eq!(code, Some(0), "{line:?}: {printed}");
        assert!(printed.contains(" in step with "), "{printed}");
        if is_layout {
            // Where nobody keeps the manifest, either.
            fs::remove_dir_all(place.join("p/.torchada")).expect("removed");
            assert_eq!(check().0, Some(0));
        }
        write_into(
            place,
            &[("p/csrc/cuda/k.cu", "void f() { cudaFree(0); }\n")],
        );
        let (code, patch, printed) = check();
        assert_eq!(code, Some(1), "{line:?}: {printed}");
        assert!(patch.contains("+void f() { musaFree(0); }\n"), "{patch}");
    }
}

#[test]
fn a_folder_in_the_place_of_a_file_is_in_the_way() {
    for inside in [None, Some("m/k.mu/mine")] {
        let folder = ported();
        let place = folder.path();
        fs::remove_file(place.join("m/k.mu")).expect("removed");
        fs::create_dir(place.join("m/k.mu")).expect("made");
        if let Some(file) = inside {
            fs::write(place.join(file), "mine\n").expect("written");
        }
        let (_, printed) = differs(place);
        assert!(
            printed.contains("\n  in the way  k.mu, where a folder or a special file stands\n")
                && printed.contains("move aside what stands"),
            "{printed}"
        );
        // So says the port, which leaves it.
        let before = read_tree(place);
        let output = torchada(place, &["port", "p", "-o", "m", "-q"]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("k.mu"));
        assert_eq!(before, read_tree(place));
    }
}

#[test]
fn a_check_needs_a_port() {
    let place = write_tree(&[("p/k.cu", KERNEL)]);
    let output = torchada(place.path(), &["port", "p", "--check"]);
    assert_eq!(output.status.code(), Some(2));
    let printed = text(&output.stderr);
    assert!(printed.contains("there is no port at p_musa"), "{printed}");
    assert!(printed.contains("port first, without --check"), "{printed}");
    let output = torchada_with(place.path(), &["port", "-", "--check"], KERNEL);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("-o"),
        "{}",
        text(&output.stderr)
    );
}
