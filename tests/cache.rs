//! A second port of what did not change, and of what did: the same as without a cache.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use crate::common::fixtures;
use crate::common::passed::Suite;
use crate::common::program::{text, torchada};
use crate::common::trees::{git, read_tree, without_own_git, write_into, write_tree};
use tempfile::TempDir;

const KERNEL: &str = "#include <cuda_runtime.h>\nvoid f(void **p) { cudaMalloc(p, 1); }\n";
/// What the summary says where nothing changed.
const UNCHANGED: &str = "  changed     nothing since the last port, so no file was written\n";
const LAST: &str = "m/.torchada/cache/last";

/// A place with the tree `p`.
fn place() -> TempDir {
    write_tree(&[
        ("p/a.cu", &format!("#include \"h.cuh\"\n{KERNEL}")),
        (
            "p/h.cuh",
            "inline void g() { cudaFree(0); cudaMallocX(); }\n",
        ),
        ("p/m.py", "import torch\nx = torch.zeros(1).cuda()\n"),
        ("p/words.txt", "words\n"),
        (
            "p/CMakeLists.txt",
            "project(p LANGUAGES CXX CUDA)\nadd_library(p a.cu)\n",
        ),
    ])
}

/// Run a line in a place. Returns the exit code and the messages, which don't depend on where the place is.
fn run(place: &Path, line: &[&str]) -> (Option<i32>, String) {
    let output = torchada(place, line);
    let printed = text(&output.stdout) + &text(&output.stderr);
    let here = place.canonicalize().expect("there");
    let printed = printed.replace(here.to_str().expect("UTF-8"), "HERE");
    (output.status.code(), printed)
}

fn port(place: &Path, more: &[&str]) -> (Option<i32>, String) {
    run(place, &[&["port", "p", "-o", "m"], more].concat())
}

/// Port, and say whether nothing had changed.
fn is_unchanged(place: &Path, more: &[&str]) -> bool {
    let (code, printed) = port(place, more);
    assert_eq!(code, Some(0), "{printed}");
    printed.contains(UNCHANGED)
}

/// Which file each path of the output is, and when it was written.
fn traces(place: &Path) -> BTreeMap<String, (u64, i64, i64)> {
    let paths = read_tree(&place.join("m")).into_keys();
    paths
        .map(|path| {
            let found = fs::symlink_metadata(place.join("m").join(&path)).expect("there");
            (path, (found.ino(), found.mtime(), found.mtime_nsec()))
        })
        .collect()
}

/// What a run leaves and says once `change` is made to a place that was ported.
fn after(
    change: &dyn Fn(&Path),
    more: &[&str],
    cached: bool,
) -> (String, BTreeMap<String, String>) {
    let place = place();
    let none: &[&str] = if cached { &[] } else { &["--no-cache"] };
    assert_eq!(port(place.path(), none).0, Some(0));
    change(place.path());
    let (code, printed) = port(place.path(), &[more, none].concat());
    (
        format!("{code:?} {printed}"),
        read_tree(&place.path().join("m")),
    )
}

/// The messages of a run, without the counts of what it did anew.
fn without_counts(printed: &str) -> String {
    let lines = printed.split_inclusive('\n');
    lines
        .filter(|line| !line.starts_with("  changed "))
        .collect()
}

/// A change is noticed, and what comes of it is what comes without a cache.
fn noticed(change: &dyn Fn(&Path), more: &[&str]) {
    let (printed, tree) = after(change, more, true);
    let (printed_without, tree_without) = after(change, more, false);
    assert!(!printed.contains(UNCHANGED), "{printed}");
    assert_eq!(without_counts(&printed), printed_without);
    assert!(tree == tree_without, "another tree than without a cache");
}

/// Many runs, which depend on the rules by what the place's tree becomes.
fn suite(name: &'static str) -> Suite {
    let place = place();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cache.rs");
    Suite::new(name)
        .with_version("git")
        .with_program_but_rules()
        .with_files(&file)
        .with_port(&fixtures::port(
            &fixtures::read(&place.path().join("p")),
            &[],
            &[],
        ))
}

fn put(path: &'static str, text: &'static str) -> impl Fn(&Path) {
    move |place| write_into(place, &[(path, text)])
}

#[test]
fn a_second_port_writes_nothing_and_says_the_same() {
    let place = place();
    let first = port(place.path(), &[]);
    let (before, tree) = (traces(place.path()), read_tree(&place.path().join("m")));
    for _ in 0..2 {
        let (code, printed) = port(place.path(), &[]);
        assert_eq!((code, printed.replace(UNCHANGED, "")), first);
        assert!(printed.contains(UNCHANGED), "{printed}");
        assert_eq!(traces(place.path()), before);
        assert!(read_tree(&place.path().join("m")) == tree);
    }
    assert_eq!(port(place.path(), &["--quiet"]), (Some(0), String::new()));
}

#[test]
fn a_second_report_elsewhere_is_the_first() {
    let place = place();
    assert!(!is_unchanged(place.path(), &["--report", "one.json"]));
    assert!(is_unchanged(place.path(), &["--report", "two.json"]));
    let read = |name: &str| fs::read(place.path().join(name)).expect("a report");
    assert!(read("one.json") == read("two.json"));
}

#[test]
fn a_port_with_findings_of_weight_ends_as_it_did() {
    let place = TempDir::new().expect("a folder");
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/withdrawn-edits/input");
    for entry in walkdir::WalkDir::new(&from) {
        let entry = entry.expect("readable");
        let to = place
            .path()
            .join("p")
            .join(entry.path().strip_prefix(&from).expect("below"));
        if entry.file_type().is_dir() {
            fs::create_dir_all(to).expect("made");
        } else {
            fs::copy(entry.path(), to).expect("copied");
        }
    }
    let (code, first) = port(place.path(), &[]);
    assert_eq!(code, Some(1));
    let (code, printed) = port(place.path(), &[]);
    assert!(code == Some(1) && printed.contains(UNCHANGED), "{printed}");
    assert_eq!(printed.replace(UNCHANGED, ""), first);
}

#[test]
fn a_check_of_what_did_not_change_says_what_one_without_a_cache_says() {
    let place = place();
    assert_eq!(port(place.path(), &[]).0, Some(0));
    write_into(place.path(), &[("m/mine.txt", "mine\n")]);
    let check = || port(place.path(), &["--check"]);
    let last = fs::read(place.path().join(LAST)).expect("a cache");
    let with = check();
    assert_eq!(with.0, Some(0), "{}", with.1);
    let same = fs::read(place.path().join(LAST)).expect("a cache") == last;
    assert!(same, "a check writes nothing");
    fs::remove_dir_all(place.path().join("m/.torchada/cache")).expect("removed");
    assert_eq!(check(), with);
    assert!(!place.path().join(LAST).exists(), "a check writes nothing");
}

#[test]
fn every_change_of_the_input_is_noticed() {
    suite("cache-input").run(|| {
        noticed(
            &put("p/a.cu", "void f() { cudaDeviceSynchronize(); }\n"),
            &[],
        );
        noticed(&put("p/words.txt", "other words\n"), &[]);
        // Of the same length.
        noticed(&put("p/words.txt", "swords"), &[]);
        noticed(&put("p/new.cu", KERNEL), &[]);
        noticed(&put("p/.gitignore", "words.txt\n"), &[]);
        let remove = |place: &Path| fs::remove_file(place.join("p/words.txt")).expect("removed");
        noticed(&remove, &[]);
        let rename = |place: &Path| {
            fs::rename(place.join("p/words.txt"), place.join("p/text.txt")).expect("renamed");
        };
        noticed(&rename, &[]);
        let mode = |place: &Path| {
            let executable = fs::Permissions::from_mode(0o755);
            fs::set_permissions(place.join("p/words.txt"), executable).expect("set");
        };
        noticed(&mode, &[]);
        let link = |place: &Path| {
            fs::remove_file(place.join("p/words.txt")).expect("removed");
            std::os::unix::fs::symlink("a.cu", place.join("p/words.txt")).expect("linked");
        };
        noticed(&link, &[]);
    });
}

#[test]
fn every_change_of_what_is_asked_for_is_noticed() {
    suite("cache-settings").run(|| {
        noticed(&put("p/torchada.toml", "rename = \"never\"\n"), &[]);
        noticed(&put("p/torchada.toml", "exclude = [\"words.txt\"]\n"), &[]);
        noticed(
            &put(
                "p/torchada.toml",
                "[names]\ncudaMallocX = \"musaMallocX\"\n",
            ),
            &[],
        );
        noticed(
            &put(
                "p/torchada.toml",
                "[per-file-ignores]\n\"h.cuh\" = [\"CPP\"]\n",
            ),
            &[],
        );
        noticed(&put("own.toml", ""), &["--no-stub"]);
        noticed(&put("own.toml", ""), &["--rename", "never"]);
        noticed(&put("own.toml", ""), &["--dialect", "portable"]);
        noticed(&put("own.toml", ""), &["--sdk", "4.1.0"]);
        noticed(&put("own.toml", ""), &["--unsafe"]);
    });
}

#[test]
fn a_table_of_ones_own_that_changes_is_noticed() {
    let table = |to: &str| format!("[names]\ncudaMallocX = \"{to}\"\n");
    let place = place();
    let line = ["--mapping", "own.toml"];
    write_into(place.path(), &[("own.toml", &table("musaMallocA"))]);
    assert!(!is_unchanged(place.path(), &line));
    assert!(is_unchanged(place.path(), &line));
    write_into(place.path(), &[("own.toml", &table("musaMallocB"))]);
    assert!(!is_unchanged(place.path(), &line));
    let header = fs::read_to_string(place.path().join("m/h.muh"));
    assert!(header.expect("there").contains("musaMallocB"));
}

#[test]
fn every_change_of_the_output_is_noticed() {
    suite("cache-output").run(|| {
        noticed(&put("m/words.txt", "mine\n"), &[]);
        noticed(&put("m/.torchada/report.json", "{}\n"), &[]);
        for path in [
            "m/words.txt",
            "m/.torchada/report.json",
            "m/torchada/__init__.py",
        ] {
            let remove = |place: &Path| fs::remove_file(place.join(path)).expect("removed");
            noticed(&remove, &[]);
        }
        let bases =
            |place: &Path| fs::remove_dir_all(place.join("m/.torchada/bases")).expect("gone");
        noticed(&bases, &[]);
        let mode = |place: &Path| {
            let executable = fs::Permissions::from_mode(0o755);
            fs::set_permissions(place.join("m/words.txt"), executable).expect("set");
        };
        noticed(&mode, &[]);
    });
}

#[test]
fn a_person_s_edit_is_told_the_same_way_each_time() {
    let place = place();
    assert_eq!(port(place.path(), &[]).0, Some(0));
    write_into(place.path(), &[("m/words.txt", "mine\n")]);
    let first = port(place.path(), &[]);
    assert!(first.1.contains("your edits"), "{}", first.1);
    assert_eq!(port(place.path(), &[]), first);
    let (code, printed) = port(place.path(), &["--no-cache"]);
    assert_eq!((code, printed), (first.0, without_counts(&first.1)));
}

#[test]
fn what_changed_and_changed_back_did_not_change() {
    let place = place();
    assert!(!is_unchanged(place.path(), &[]));
    write_into(place.path(), &[("p/words.txt", "other\n")]);
    write_into(
        place.path(),
        &[("p/words.txt", "words\n"), ("m/words.txt", "words\n")],
    );
    assert!(is_unchanged(place.path(), &[]));
    // Another file with the same bytes.
    let (a, b) = (place.path().join("p/words.txt"), place.path().join("p/b"));
    fs::copy(&a, &b).expect("copied");
    fs::rename(b, a).expect("renamed");
    assert!(is_unchanged(place.path(), &[]));
}

#[test]
fn a_change_in_the_moment_of_the_port_is_noticed() {
    // The clock of the file system may not tell it: the file keeps its length and its times.
    let place = place();
    let path = place.path().join("p/words.txt");
    assert!(!is_unchanged(place.path(), &[]));
    let modified = fs::metadata(&path).and_then(|found| found.modified());
    fs::write(&path, "sword\n").expect("written");
    let file = fs::File::options().write(true).open(&path).expect("opened");
    file.set_modified(modified.expect("a time")).expect("set");
    assert!(!is_unchanged(place.path(), &[]));
    let copy = fs::read_to_string(place.path().join("m/words.txt"));
    assert_eq!(copy.expect("there"), "sword\n");
}

#[test]
fn an_ignored_file_that_comes_to_be_included_is_noticed() {
    let place = write_tree(&[
        ("p/.gitignore", "made/\n"),
        ("p/made/other.h", "\n"),
        ("p/a.cu", &format!("#include \"made/k.h\"\n{KERNEL}")),
    ]);
    assert!(!is_unchanged(place.path(), &[]));
    assert!(is_unchanged(place.path(), &[]));
    write_into(
        place.path(),
        &[("p/made/k.h", "inline void g() { cudaFree(0); }\n")],
    );
    assert!(!is_unchanged(place.path(), &[]));
    assert!(place.path().join("m/made/k.h").exists());
    assert!(is_unchanged(place.path(), &[]));
    write_into(place.path(), &[("p/made/k.h", "inline void g() {}\n")]);
    assert!(!is_unchanged(place.path(), &[]));
}

#[test]
fn what_git_tracks_is_asked_again() {
    let place = place();
    let tree = place.path().join("p");
    git(&tree, &["init", "--quiet"]);
    git(&tree, &["add", "a.cu", "h.cuh"]);
    assert!(!is_unchanged(place.path(), &[]));
    assert!(is_unchanged(place.path(), &[]));
    git(&tree, &["add", "words.txt"]);
    assert!(!is_unchanged(place.path(), &[]));
    assert!(place.path().join("m/words.txt").exists());
}

#[test]
fn git_does_not_see_the_cache() {
    let place = place();
    assert_eq!(port(place.path(), &[]).0, Some(0));
    let output = place.path().join("m");
    git(&output, &["init", "--quiet"]);
    git(&output, &["add", "."]);
    git(&output, &["commit", "--quiet", "--message", "port"]);
    let tracked = without_own_git(&mut std::process::Command::new("git"))
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(&output)
        .output()
        .expect("git");
    let tracked = text(&tracked.stdout);
    assert!(tracked.contains(".torchada/manifest.json"), "{tracked}");
    assert!(!tracked.contains("cache"), "{tracked}");
}

#[test]
fn a_cache_that_is_lost_or_damaged_or_another_program_s_is_none() {
    let place = place();
    let last = place.path().join(LAST);
    let sound = || {
        assert!(is_unchanged(place.path(), &[]));
        fs::read(&last).expect("a cache")
    };
    assert!(!is_unchanged(place.path(), &[]));
    let mut bytes = sound();
    *bytes.last_mut().expect("some") ^= 1;
    fs::write(&last, &bytes).expect("written");
    assert!(!is_unchanged(place.path(), &[]));
    let bytes = sound();
    let end = bytes
        .iter()
        .position(|&byte| byte == b'\n')
        .expect("a line");
    let mut other = b"torchada cache of torchada 0.0.1+0".to_vec();
    other.extend_from_slice(&bytes[end..]);
    fs::write(&last, other).expect("written");
    assert!(!is_unchanged(place.path(), &[]));
    sound();
    fs::write(&last, "words").expect("written");
    assert!(!is_unchanged(place.path(), &[]));
    sound();
    fs::remove_dir_all(last.parent().expect("a folder")).expect("removed");
    assert!(!is_unchanged(place.path(), &[]));
    sound();
}

#[test]
fn an_output_that_takes_no_cache_is_ported_all_the_same() {
    let place = place();
    assert!(!is_unchanged(place.path(), &["--no-cache"]));
    write_into(place.path(), &[("m/.torchada/cache", "no folder\n")]);
    assert!(!is_unchanged(place.path(), &[]));
    assert!(!is_unchanged(place.path(), &[]));
}

#[test]
fn who_wants_no_cache_has_none() {
    let place = place();
    assert!(!is_unchanged(place.path(), &["--no-cache"]));
    assert!(!place.path().join(LAST).exists());
    assert!(!is_unchanged(place.path(), &[]));
    assert!(is_unchanged(place.path(), &[]));
    assert!(!is_unchanged(place.path(), &["--no-cache"]));
    write_into(place.path(), &[("p/torchada.toml", "cache = false\n")]);
    assert!(!is_unchanged(place.path(), &[]));
    assert!(!is_unchanged(place.path(), &[]));
}

#[test]
fn an_output_elsewhere_is_another_output() {
    let place = place();
    assert!(!is_unchanged(place.path(), &[]));
    fs::rename(place.path().join("m"), place.path().join("n")).expect("renamed");
    let (code, printed) = run(place.path(), &["port", "p", "-o", "n"]);
    assert!(code == Some(0) && !printed.contains(UNCHANGED), "{printed}");
}

#[test]
fn a_port_of_a_port_has_a_cache_of_its_own() {
    let place = place();
    assert!(!is_unchanged(place.path(), &[]));
    let again = || run(place.path(), &["port", "m", "-o", "n"]);
    assert_eq!(again().0, Some(0));
    assert!(again().1.contains(UNCHANGED));
    let cache = place.path().join("n/.torchada/cache/last");
    assert!(cache.exists());
    assert!(is_unchanged(place.path(), &[]));
}

#[test]
fn a_part_of_a_tree_is_ported_anew_when_the_rest_changes() {
    let place = write_tree(&[
        ("whole/p/a.cu", &format!("#include \"../h.cuh\"\n{KERNEL}")),
        ("whole/h.cuh", "inline void g() { cudaFree(0); }\n"),
    ]);
    std::os::unix::fs::symlink("whole/p", place.path().join("p")).expect("linked");
    let line = ["--root", "whole"];
    assert!(!is_unchanged(place.path(), &line));
    assert!(is_unchanged(place.path(), &line));
    write_into(
        place.path(),
        &[("whole/h.cuh", "#define cudaMalloc pool\n")],
    );
    assert!(!is_unchanged(place.path(), &line));
    let text = fs::read_to_string(place.path().join("m/a.mu")).expect("there");
    assert!(text.contains("cudaMalloc"), "{text}");
}

#[test]
fn a_layout_and_a_port_in_place_leave_the_input_to_itself() {
    let place = write_tree(&[("p/cuda/k.cu", KERNEL), ("p/words.txt", "words\n")]);
    // A layout does not read the words, so only their time tells that they stay, once it is not the run's own.
    std::thread::sleep(std::time::Duration::from_millis(200));
    let layout = || run(place.path(), &["port", "p", "--layout", "cuda=musa"]);
    assert_eq!(layout().0, Some(0));
    layout();
    let printed = layout().1;
    assert!(printed.contains(UNCHANGED), "{printed}");
    write_into(
        place.path(),
        &[("p/cuda/k.cu", "void f() { cudaFree(0); }\n")],
    );
    let printed = layout().1;
    assert!(!printed.contains(UNCHANGED), "{printed}");
    let text = fs::read_to_string(place.path().join("p/musa/k.mu")).expect("there");
    assert!(text.contains("musaFree"), "{text}");
    let other = write_tree(&[("p/k.cu", KERNEL)]);
    let line = ["port", "p", "--in-place", "--force"];
    assert_eq!(run(other.path(), &line).0, Some(0));
    assert_eq!(read_tree(&other.path().join("p")).len(), 1);
    assert!(!other.path().join("p/.torchada").exists());
}

#[test]
fn the_manifest_says_what_each_file_was_made_of() {
    let place = place();
    assert_eq!(port(place.path(), &[]).0, Some(0));
    let manifest = fs::read(place.path().join("m/.torchada/manifest.json")).expect("there");
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).expect("JSON");
    assert_eq!(manifest["program"].as_str().map(str::len), Some(16));
    let row = |path: &str| {
        let mut rows = manifest["files"].as_array().expect("rows").iter();
        rows.find(|row| row["path"] == path).expect("a row").clone()
    };
    let header = fs::read(place.path().join("p/h.cuh")).expect("there");
    let hash = blake3::hash(&header).to_hex().to_string();
    assert_eq!(row("h.muh")["source_blake3"], hash.as_str());
    assert_eq!(row("words.txt").get("source_blake3"), None);
}

#[test]
fn a_manifest_of_an_older_program_is_in_step() {
    let place = place();
    assert_eq!(port(place.path(), &["--no-cache"]).0, Some(0));
    let path = place.path().join("m/.torchada/manifest.json");
    let text = fs::read_to_string(&path).expect("there");
    let lines = text.lines().filter(|line| !line.contains("\"program\":"));
    let older: Vec<String> = lines
        .map(|line| match line.find(",\"source_blake3\":\"") {
            Some(at) => format!("{}{}", &line[..at], &line[at + 83..]),
            None => line.to_owned(),
        })
        .collect();
    fs::write(&path, older.join("\n") + "\n").expect("written");
    let (code, printed) = port(place.path(), &["--check"]);
    assert_eq!(code, Some(0), "{printed}");
}
