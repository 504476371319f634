//! A person's edits of a port, and the ports after them.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::common::program::{text, torchada};
use crate::common::trees::{read_tree, write_into, write_tree};
use tempfile::TempDir;

/// A kernel with lines far enough from each other to be changed apart.
fn kernel(first: &str, last: &str) -> String {
    let middle = "  int a = 0;\n  int b = 0;\n  int c = 0;\n  int d = 0;\n";
    format!("#include <cuda_runtime.h>\nvoid f() {{\n  {first}\n{middle}  {last}\n}}\n")
}

fn ported() -> TempDir {
    let place = write_tree(&[
        (
            "p/k.cu",
            &kernel("cudaFree(0);", "cudaDeviceSynchronize();"),
        ),
        ("p/same.txt", "words\n"),
    ]);
    assert_eq!(port(place.path(), &[]).0, Some(0));
    place
}

/// Port, and return the exit code and the messages.
fn port(place: &Path, more: &[&str]) -> (Option<i32>, String) {
    let line = [&["port", "p", "-o", "m", "--no-stub"], more].concat();
    let output = torchada(place, &line);
    (
        output.status.code(),
        text(&output.stdout) + &text(&output.stderr),
    )
}

fn check(place: &Path) -> (Option<i32>, String) {
    let before = read_tree(place);
    let checked = port(place, &["--check"]);
    assert_eq!(before, read_tree(place), "a check writes nothing");
    checked
}

fn read(place: &Path, path: &str) -> String {
    fs::read_to_string(place.join(path)).expect("there")
}

fn replace(place: &Path, path: &str, from: &str, to: &str) {
    let old = read(place, path);
    assert!(old.contains(from), "{old}");
    fs::write(place.join(path), old.replace(from, to)).expect("written");
}

fn findings(place: &Path) -> Vec<String> {
    let report = read(place, "m/.torchada/report.json");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    let findings = report["findings"].as_array().expect("a list").iter();
    let findings = findings.filter(|one| {
        one["code"]
            .as_str()
            .is_some_and(|code| code.starts_with("PRJ04"))
    });
    findings
        .map(|one| {
            let line = one["line"].as_u64().unwrap_or_default();
            format!(
                "{} {}:{line}",
                one["code"].as_str().expect("text"),
                one["path"].as_str().expect("text")
            )
        })
        .collect()
}

/// An edit of the first line of the kernel.
fn edit_first(place: &Path) {
    replace(place, "m/k.mu", "musaFree(0);", "musaFree(mine);");
}

#[test]
fn an_edit_stays_and_the_new_release_comes_in() {
    let place = ported();
    let place = place.path();
    edit_first(place);
    // As long as the port has nothing new, there is nothing to do.
    assert_eq!(check(place).0, Some(0));
    assert_eq!(port(place, &[]).0, Some(0));
    replace(place, "p/k.cu", "cudaDeviceSynchronize", "cudaDeviceReset");
    let (code, printed) = check(place);
    assert_eq!(code, Some(1));
    assert!(
        printed.contains("-  musaDeviceSynchronize();\n+  musaDeviceReset();"),
        "{printed}"
    );
    assert!(!printed.contains("musaFree(0)"), "{printed}");
    let (code, printed) = port(place, &[]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(
        printed.contains("your edits  1 file merged with the port's changes"),
        "{printed}"
    );
    let merged = read(place, "m/k.mu");
    assert!(
        merged.contains("musaFree(mine);") && merged.contains("musaDeviceReset"),
        "{merged}"
    );
    assert_eq!(check(place).0, Some(0));
    assert!(findings(place).is_empty());
}

#[test]
fn a_conflict_is_marked_listed_and_waits_for_its_decision() {
    let place = ported();
    let place = place.path();
    edit_first(place);
    replace(place, "p/k.cu", "cudaFree(0)", "cudaFree(nullptr)");
    replace(place, "p/k.cu", "cudaDeviceSynchronize", "cudaDeviceReset");
    let (code, printed) = port(place, &[]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(
        printed.contains("your edits  1 file with conflicts"),
        "{printed}"
    );
    let marked = read(place, "m/k.mu");
    let expected = "<<<<<<< yours\n  musaFree(mine);\n||||||| last port\n  musaFree(0);\n=======\n  \
                    musaFree(nullptr);\n>>>>>>> new port\n";
    assert!(
        marked.contains(expected) && marked.contains("musaDeviceReset"),
        "{marked}"
    );
    assert_eq!(findings(place), ["PRJ040 k.mu:3"]);
    // It stays as it is, and is not forgotten, whatever comes in.
    let (code, printed) = check(place);
    assert_eq!(code, Some(1));
    assert!(
        printed.contains("PRJ041") && printed.contains("decide the conflicts"),
        "{printed}"
    );
    replace(place, "p/k.cu", "int d", "long d");
    assert_eq!(port(place, &[]).0, Some(1));
    assert_eq!(read(place, "m/k.mu"), marked);
    assert_eq!(findings(place), ["PRJ041 k.mu:3"]);
    // Where nothing but errors is to be printed, the reason for the exit code is.
    let (code, printed) = port(place, &["--quiet"]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(
        printed.starts_with("k.mu:3:1: error[PRJ041]") && printed.lines().count() == 1,
        "{printed}"
    );
    // Once it is decided, the rest comes in.
    let decided = marked.replace(expected, "  musaFree(both);\n");
    fs::write(place.join("m/k.mu"), &decided).expect("written");
    assert_eq!(port(place, &[]).0, Some(0));
    assert_eq!(read(place, "m/k.mu"), decided.replace("int d", "long d"));
    assert_eq!(check(place).0, Some(0));
}

#[test]
fn conflicts_are_decided_as_one_says() {
    for (word, code, first) in [
        ("ours", 0, "musaFree(mine);"),
        ("theirs", 0, "musaFree(nullptr);"),
        ("stop", 2, "musaFree(mine);"),
    ] {
        let place = ported();
        let place = place.path();
        edit_first(place);
        replace(place, "p/k.cu", "cudaFree(0)", "cudaFree(nullptr)");
        replace(place, "p/k.cu", "cudaDeviceSynchronize", "cudaDeviceReset");
        let before = read_tree(&place.join("m"));
        // The configuration says it as well.
        let ended = if word == "ours" {
            fs::write(place.join("p/torchada.toml"), "on-conflict = \"ours\"\n").expect("written");
            port(place, &[])
        } else {
            port(place, &["--on-conflict", word])
        };
        assert_eq!(ended.0, Some(code), "{word}: {}", ended.1);
        let merged = read(place, "m/k.mu");
        assert!(
            merged.contains(first) && !merged.contains("<<<"),
            "{word}: {merged}"
        );
        assert_eq!(
            merged.contains("musaDeviceReset"),
            word != "stop",
            "{word}: {merged}"
        );
        if word == "stop" {
            assert_eq!(before, read_tree(&place.join("m")));
            assert!(
                ended.1.contains("k.mu") && ended.1.contains("--on-conflict"),
                "{}",
                ended.1
            );
        }
    }
}

#[test]
fn marks_can_be_decided_by_the_next_run() {
    let place = ported();
    let place = place.path();
    edit_first(place);
    replace(place, "p/k.cu", "cudaFree(0)", "cudaFree(nullptr)");
    assert_eq!(port(place, &[]).0, Some(1));
    assert_eq!(port(place, &["--on-conflict", "theirs"]).0, Some(0));
    assert!(read(place, "m/k.mu").contains("  musaFree(nullptr);\n  int a"));
    assert_eq!(check(place).0, Some(0));
}

#[test]
fn an_edit_follows_its_file_to_another_name() {
    let place = write_tree(&[(
        "p/sub/k.cu",
        &kernel("cudaFree(0);", "cudaDeviceSynchronize();"),
    )]);
    let place = place.path();
    assert_eq!(port(place, &["--rename", "never"]).0, Some(0));
    replace(place, "m/sub/k.cu", "musaFree(0);", "musaFree(mine);");
    replace(
        place,
        "p/sub/k.cu",
        "cudaDeviceSynchronize",
        "cudaDeviceReset",
    );
    assert_eq!(port(place, &[]).0, Some(0));
    assert!(!place.join("m/sub/k.cu").exists());
    let merged = read(place, "m/sub/k.mu");
    assert!(
        merged.contains("musaFree(mine);") && merged.contains("musaDeviceReset"),
        "{merged}"
    );
    // The source moves as it is.
    fs::rename(place.join("p/sub"), place.join("p/other")).expect("moved");
    assert_eq!(port(place, &[]).0, Some(0));
    assert_eq!(read(place, "m/other/k.mu"), merged);
    assert!(!place.join("m/sub").exists());
    assert_eq!(check(place).0, Some(0));
}

#[test]
fn edits_of_a_layout_live_beside_the_cuda_files() {
    let place = write_tree(&[(
        "p/csrc/cuda/k.cu",
        &kernel("cudaFree(0);", "cudaDeviceSynchronize();"),
    )]);
    let place = place.path();
    let layout = |more: &[&str]| {
        let line = [&["port", "p", "--layout", "csrc/cuda=csrc/musa"], more].concat();
        torchada(place, &line).status.code()
    };
    assert_eq!(layout(&[]), Some(0));
    let cuda = "p/csrc/cuda/k.cu";
    replace(place, "p/csrc/musa/k.mu", "musaFree(0);", "musaFree(mine);");
    replace(place, cuda, "cudaDeviceSynchronize", "cudaDeviceReset");
    let before = read(place, cuda);
    assert_eq!((layout(&["--check"]), layout(&[])), (Some(1), Some(0)));
    let merged = read(place, "p/csrc/musa/k.mu");
    assert!(
        merged.contains("musaFree(mine);") && merged.contains("musaDeviceReset"),
        "{merged}"
    );
    assert_eq!((layout(&["--check"]), read(place, cuda)), (Some(0), before));
}

#[test]
fn an_edited_file_outlives_its_source() {
    let place = ported();
    let place = place.path();
    edit_first(place);
    fs::remove_file(place.join("p/k.cu")).expect("removed");
    let (code, printed) = port(place, &[]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(read(place, "m/k.mu").contains("musaFree(mine);"));
    assert_eq!(findings(place), ["PRJ043 k.mu:1"]);
    // From then on it is a file of the person's own.
    assert_eq!(port(place, &[]).0, Some(0));
    assert!(findings(place).is_empty() && place.join("m/k.mu").exists());
}

#[test]
fn what_can_not_be_merged_lies_side_by_side() {
    let place = ported();
    let place = place.path();
    fs::write(place.join("p/data.bin"), b"\0one").expect("written");
    assert_eq!(port(place, &[]).0, Some(0));
    fs::write(place.join("m/data.bin"), b"\0mine").expect("written");
    fs::write(place.join("m/new.txt"), "mine\n").expect("written");
    fs::write(place.join("p/data.bin"), b"\0two").expect("written");
    fs::write(place.join("p/new.txt"), "port\n").expect("written");
    let (code, printed) = port(place, &[]);
    assert_eq!(code, Some(1), "{printed}");
    let sides = |name: &str| {
        let read = |ending: &str| fs::read(place.join(format!("m/{name}{ending}"))).ok();
        (read("").expect("there"), read(".ported"))
    };
    assert_eq!(
        sides("data.bin"),
        (b"\0mine".to_vec(), Some(b"\0two".to_vec()))
    );
    assert_eq!(
        sides("new.txt"),
        (b"mine\n".to_vec(), Some(b"port\n".to_vec()))
    );
    assert_eq!(findings(place), ["PRJ042 data.bin:1", "PRJ042 new.txt:1"]);
    // They are listed as long as both are there.
    assert_eq!(check(place).0, Some(1));
    assert_eq!(port(place, &[]).0, Some(1));
    assert_eq!(findings(place).len(), 2);
    fs::remove_file(place.join("m/data.bin.ported")).expect("removed");
    fs::rename(place.join("m/new.txt.ported"), place.join("m/new.txt")).expect("moved");
    assert_eq!(port(place, &[]).0, Some(0));
    assert_eq!(sides("data.bin"), (b"\0mine".to_vec(), None));
    assert_eq!(sides("new.txt"), (b"port\n".to_vec(), None));
    assert_eq!(check(place).0, Some(0));
    // The next version of the port's lies there again; with `theirs` it goes in.
    fs::write(place.join("p/data.bin"), b"\0three").expect("written");
    assert_eq!(port(place, &["--on-conflict", "theirs"]).0, Some(0));
    assert_eq!(sides("data.bin"), (b"\0three".to_vec(), None));
}

#[test]
fn a_mode_that_a_person_set_stays() {
    let place = ported();
    let place = place.path();
    let set = |path: &str, mode| {
        fs::set_permissions(place.join(path), fs::Permissions::from_mode(mode)).expect("set");
    };
    let mode = |path: &str| {
        place
            .join(path)
            .metadata()
            .expect("there")
            .permissions()
            .mode()
            & 0o777
    };
    set("m/k.mu", 0o755);
    set("m/same.txt", 0o755);
    replace(place, "p/k.cu", "cudaFree(0)", "cudaFree(nullptr)");
    assert_eq!(port(place, &[]).0, Some(0));
    assert_eq!((mode("m/k.mu"), mode("m/same.txt")), (0o755, 0o755));
    assert_eq!(check(place).0, Some(0));
}

#[test]
fn the_port_of_a_submodule_stays_where_a_checkout_is_without_it() {
    let place = ported();
    let place = place.path();
    let source = "void g() { cudaFree(0); }\n";
    write_into(
        place,
        &[
            ("p/.gitmodules", "[submodule \"lib\"]\n\tpath = lib\n"),
            ("p/lib/l.cu", source),
        ],
    );
    assert_eq!(port(place, &[]).0, Some(0));
    replace(place, "m/lib/l.mu", "void g()", "void  g()");
    fs::remove_file(place.join("p/lib/l.cu")).expect("removed");
    let (code, printed) = port(place, &[]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(
        printed.contains("PRJ013") && findings(place).is_empty(),
        "{printed}"
    );
    assert!(read(place, "m/lib/l.mu").starts_with("void  g()"));
    write_into(place, &[("p/lib/l.cu", source)]);
    let (_, printed) = port(place, &[]);
    assert!(printed.contains("1 file kept"), "{printed}");
}

#[test]
fn a_file_that_was_removed_is_back_and_is_said_to_be() {
    let place = ported();
    let place = place.path();
    fs::remove_file(place.join("m/same.txt")).expect("removed");
    let (_, printed) = port(place, &[]);
    assert!(printed.contains("1 file that you had removed"), "{printed}");
    assert!(place.join("m/same.txt").exists());
    write_into(place, &[("p/new.cu", "void g() { cudaFree(0); }\n")]);
    let (_, printed) = port(place, &[]);
    assert!(!printed.contains("you had removed"), "{printed}");
}

#[test]
fn a_merge_of_two_ports_goes_on_from_the_memory_of_either() {
    let changes = [
        (
            "cudaFree(0)",
            "cudaFree(nullptr)",
            "musaFree(0)",
            "musaFree(nullptr)",
        ),
        (
            "cudaDeviceSynchronize",
            "cudaGetLastError",
            "musaDeviceSynchronize",
            "musaGetLastError",
        ),
    ];
    for (at, (from, to, ..)) in changes.iter().enumerate() {
        let place = ported();
        let place = place.path();
        replace(place, "m/k.mu", "int b = 0;", "int b = 1;");
        replace(place, "p/k.cu", from, to);
        assert_eq!(port(place, &[]).0, Some(0));
        // The other branch comes in, in the source and in the port.
        let other = &changes[1 - at];
        replace(place, "p/k.cu", other.0, other.1);
        replace(place, "m/k.mu", other.2, other.3);
        let (code, printed) = port(place, &[]);
        assert_eq!(code, Some(0), "{printed}");
        let merged = kernel("musaFree(nullptr);", "musaGetLastError();");
        let merged = merged
            .replace("cuda_runtime", "musa_runtime")
            .replace("int b = 0", "int b = 1");
        assert_eq!(read(place, "m/k.mu"), merged);
        assert_eq!(check(place).0, Some(0));
    }
    // What git writes into the list of files where both branches changed it.
    let place = ported();
    let place = place.path();
    let manifest = place.join("m/.torchada/manifest.json");
    fs::write(&manifest, "<<<<<<< HEAD\n{}\n").expect("written");
    let (code, printed) = port(place, &[]);
    assert_eq!(code, Some(2));
    assert!(
        printed.contains("take the .torchada of one commit"),
        "{printed}"
    );
}

#[test]
fn without_edits_a_second_port_is_what_a_first_one_would_be() {
    let whole = |place: &Path| -> BTreeMap<String, Vec<u8>> {
        let root = place.join("m");
        let files = walkdir::WalkDir::new(&root).into_iter();
        files
            .map(|entry| entry.expect("readable"))
            .filter(|entry| entry.file_type().is_file())
            .filter(|entry| !entry.path().starts_with(root.join(".torchada/cache")))
            .map(|entry| {
                let name = entry.path().strip_prefix(&root).expect("below");
                let bytes = fs::read(entry.path()).expect("readable");
                (name.display().to_string(), bytes)
            })
            .collect()
    };
    let place = ported();
    let place = place.path();
    write_into(place, &[("p/new.cu", "void g() { cudaFree(0); }\n")]);
    replace(place, "p/k.cu", "cudaFree(0)", "cudaFree(nullptr)");
    fs::remove_file(place.join("p/same.txt")).expect("removed");
    assert_eq!(port(place, &[]).0, Some(0));
    let again = whole(place);
    assert!(
        again
            .keys()
            .any(|path| path.starts_with(".torchada/bases/"))
    );
    fs::remove_dir_all(place.join("m")).expect("removed");
    assert_eq!(port(place, &[]).0, Some(0));
    assert!(
        again == whole(place),
        "the second port differs from a first one"
    );
}
