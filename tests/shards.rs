//! Shards of a port, joined: the bytes of one run, whoever made which part.

use crate::common::fixtures;
use std::fs;
use std::path::Path;

use crate::common::program::{text, torchada};
use crate::common::trees::{git, read_tree, write_into, write_tree};
use tempfile::TempDir;

const KERNEL: &str = "#include <cuda_runtime.h>\nvoid f(void **p) { cudaMalloc(p, 1); }\n";

/// A place with the tree `p`.
fn place() -> TempDir {
    write_tree(&[
        ("p/a.cu", KERNEL),
        ("p/b.cu", &format!("#include \"h.cuh\"\n{KERNEL}")),
        ("p/h.cuh", "inline void g() { cudaFree(0); }\n"),
        ("p/m.py", "import torch\nx = torch.zeros(1).cuda()\n"),
        ("p/words.txt", "words\n"),
    ])
}

/// Run a line in a place: the exit code, and all that was said.
fn run(place: &Path, line: &[&str]) -> (Option<i32>, String) {
    let output = torchada(place, line);
    let said = text(&output.stdout) + &text(&output.stderr);
    (output.status.code(), said)
}

/// Run all shards of `p`, each into a folder of its own under `parts`.
fn shards(place: &Path, of: u32, more: &[&str]) {
    for number in 1..=of {
        let shard = format!("{number}/{of}");
        let folder = format!("parts/{number}");
        let line = ["port", "p", "--shard", &shard, "-o", &folder, "--quiet"];
        assert_eq!(
            run(place, &[&line, more].concat()),
            (Some(0), String::new())
        );
    }
}

/// The files that the shards left, the last first.
fn parts(place: &Path, of: u32) -> Vec<String> {
    let files = (1..=of)
        .rev()
        .map(|number| format!("parts/{number}/shard-{number}-of-{of}.torchada"));
    files
        .inspect(|file| assert!(place.join(file).is_file(), "{file}"))
        .collect()
}

/// Whether shards of `p` joined are what one run makes, by the tree with manifest and report, by
/// what is said, and by the exit code.
fn agrees(place: &Path, counts: &[u32], more: &[&str]) {
    let one_run = run(place, &[&["port", "p", "-o", "m"], more].concat());
    let one_tree = read_tree(&place.join("m"));
    for &of in counts {
        fs::remove_dir_all(place.join("m")).expect("removed");
        shards(place, of, more);
        let parts = parts(place, of);
        let mut line = vec!["merge", "p"];
        line.extend(parts.iter().map(String::as_str));
        line.extend(["-o", "m"]);
        line.extend(more);
        assert_eq!(run(place, &line), one_run, "of {of}");
        assert!(
            read_tree(&place.join("m")) == one_tree,
            "of {of}: another tree"
        );
        fs::remove_dir_all(place.join("parts")).expect("removed");
    }
}

fn fixture(name: &str) -> (TempDir, Vec<String>) {
    let all = fixtures::all();
    let found = all.into_iter().find(|one| one.name == name);
    let found = found.expect("a fixture");
    let place = TempDir::new().expect("a folder");
    fixtures::write(&place.path().join("p"), &found.input());
    (place, found.arguments)
}

#[test]
fn all_fixtures_in_one_tree_are_what_one_run_makes() {
    let place = TempDir::new().expect("a folder");
    for fixture in fixtures::all() {
        let folder = place.path().join("p").join(&fixture.name);
        fixtures::write(&folder, &fixture.input());
    }
    agrees(place.path(), &[1, 2, 3, 7], &[]);
}

#[test]
fn a_tree_in_which_edits_and_names_are_taken_back_is_what_one_run_makes() {
    let (place, arguments) = fixture("withdrawn-edits");
    let more: Vec<&str> = arguments.iter().map(String::as_str).collect();
    agrees(place.path(), &[1, 3], &more);
    let line = ["port", "p", "-o", "m", "--quiet"];
    assert_eq!(run(place.path(), &line).0, Some(1), "edits are taken back");
}

#[test]
fn trees_with_a_configuration_or_arguments_are_what_one_run_makes() {
    for name in ["rename-always", "vendored-swap", "links", "python-portable"] {
        let (place, arguments) = fixture(name);
        let more: Vec<&str> = arguments.iter().map(String::as_str).collect();
        agrees(place.path(), &[2, 3], &more);
    }
}

#[test]
fn a_part_of_a_tree_is_what_one_run_makes() {
    let place = write_tree(&[
        ("whole/p/a.cu", &format!("#include \"../h.cuh\"\n{KERNEL}")),
        ("whole/h.cuh", "inline void g() { cudaFree(0); }\n"),
    ]);
    std::os::unix::fs::symlink("whole/p", place.path().join("p")).expect("linked");
    agrees(place.path(), &[2], &["--root", "whole"]);
}

#[test]
fn a_tree_of_git_has_its_shards_in_a_folder_of_its_own() {
    let place = place();
    git(&place.path().join("p"), &["init", "--quiet"]);
    git(&place.path().join("p"), &["add", "."]);
    agrees(place.path(), &[2], &[]);
}

#[test]
fn results_that_lie_in_the_tree_are_no_input() {
    let place = place();
    assert_eq!(run(place.path(), &["port", "p", "-o", "m"]).0, Some(0));
    let tree = read_tree(&place.path().join("m"));
    for shard in ["1/2", "2/2"] {
        let line = ["port", "p", "--shard", shard, "-o", "p/parts", "--quiet"];
        assert_eq!(run(place.path(), &line), (Some(0), String::new()));
    }
    let line = ["merge", "p", "p/parts", "-o", "n", "--quiet"];
    assert_eq!(run(place.path(), &line), (Some(0), String::new()));
    let merged = read_tree(&place.path().join("n"));
    let files = |tree: &std::collections::BTreeMap<String, String>| {
        let files = tree
            .iter()
            .filter(|(path, _)| !path.starts_with(".torchada"));
        files
            .map(|(a, b)| (a.clone(), b.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(files(&merged), files(&tree));
}

#[test]
fn each_file_is_translated_by_one_shard() {
    let place = place();
    let mut said = String::new();
    for shard in ["1/3", "2/3", "3/3"] {
        said += &run(
            place.path(),
            &["port", "p", "--shard", shard, "-o", "parts"],
        )
        .1;
    }
    let counts: Vec<usize> = said
        .lines()
        .filter_map(|line| line.split(' ').nth(2)?.parse().ok())
        .collect();
    assert_eq!(counts.iter().sum::<usize>(), 4, "{said}");
    assert!(counts.iter().all(|&count| count > 0), "{said}");
}

#[test]
fn a_merge_says_whether_an_output_is_in_step() {
    let place = place();
    shards(place.path(), 2, &[]);
    let merge = |more: &[&str]| {
        run(
            place.path(),
            &[&["merge", "p", "parts", "-o", "m"], more].concat(),
        )
    };
    assert_eq!(merge(&[]).0, Some(0));
    assert_eq!(merge(&["--check"]).0, Some(0));
    fs::remove_file(place.path().join("m/a.mu")).expect("removed");
    assert_eq!(merge(&["--check"]).0, Some(1));
}

/// A merge of two shards of `p` that has to fail: what is said.
fn refused(change: impl FnOnce(&Path), more: &[&str]) -> String {
    let place = place();
    shards(place.path(), 2, &[]);
    change(place.path());
    let (code, said) = run(
        place.path(),
        &[&["merge", "p", "parts", "-o", "m"], more].concat(),
    );
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("help: "), "{said}");
    assert!(!place.path().join("m").exists(), "something was written");
    said
}

const SECOND: &str = "parts/2/shard-2-of-2.torchada";

#[test]
fn a_shard_that_is_missing_is_named() {
    let said = refused(
        |place| fs::remove_file(place.join(SECOND)).expect("gone"),
        &[],
    );
    assert!(said.contains("shard 2/2 is missing"), "{said}");
}

#[test]
fn a_shard_that_is_there_twice_is_named() {
    let twice = |place: &Path| {
        let copy = place.join("parts/shard-2-of-2-again.torchada");
        fs::copy(place.join(SECOND), copy).expect("copied");
    };
    let said = refused(twice, &[]);
    assert!(said.contains("are both shard 2/2"), "{said}");
}

#[test]
fn shards_of_another_number_are_refused() {
    let other = |place: &Path| {
        let line = ["port", "p", "--shard", "1/3", "-o", "parts", "--quiet"];
        assert_eq!(run(place, &line).0, Some(0));
    };
    let said = refused(other, &[]);
    assert!(
        said.contains("one of 3") && said.contains("one of 2"),
        "{said}"
    );
}

#[test]
fn a_file_that_differs_from_the_shards_is_named() {
    let changed = |place: &Path| fs::write(place.join("p/b.cu"), "int x;\n").expect("written");
    let said = refused(changed, &[]);
    assert!(said.contains("was made of another `b.cu`"), "{said}");
    let added = |place: &Path| fs::write(place.join("p/c.cu"), "int x;\n").expect("written");
    let said = refused(added, &[]);
    assert!(said.contains("a tree without `c.cu`"), "{said}");
    let removed = |place: &Path| fs::remove_file(place.join("p/a.cu")).expect("removed");
    let said = refused(removed, &[]);
    assert!(said.contains("a tree that has `a.cu`"), "{said}");
}

#[test]
fn a_setting_that_differs_from_the_shards_is_named() {
    let said = refused(|_| {}, &["--rename", "never"]);
    assert!(
        said.contains("`rename` as `auto`, and here it is `never`"),
        "{said}"
    );
    let table = |place: &Path| {
        let text = "[table]\nid = \"own\"\ntitle = \"Own\"\n[names]\ncudaX = \"musaX\"\n";
        fs::write(place.join("own.toml"), text).expect("written");
    };
    let said = refused(table, &["--mapping", "own.toml"]);
    assert!(said.contains("made with `mapping`"), "{said}");
}

#[test]
fn a_damaged_shard_is_named() {
    let damage = |place: &Path| {
        let mut bytes = fs::read(place.join(SECOND)).expect("read");
        let at = bytes.len() - 5;
        bytes[at] ^= 1;
        fs::write(place.join(SECOND), bytes).expect("written");
    };
    let said = refused(damage, &[]);
    assert!(said.contains("shard-2-of-2.torchada is damaged"), "{said}");
    let other = |place: &Path| fs::write(place.join(SECOND), "words").expect("written");
    let said = refused(other, &[]);
    assert!(said.contains("is not what a shard left"), "{said}");
}

#[test]
fn a_shard_of_another_program_is_named() {
    let other = |place: &Path| {
        let bytes = fs::read(place.join(SECOND)).expect("read");
        let end = bytes
            .iter()
            .position(|&byte| byte == b'\n')
            .expect("a line");
        let mut new = b"torchada shard of torchada 0.0.1+0".to_vec();
        new.extend_from_slice(&bytes[end..]);
        fs::write(place.join(SECOND), new).expect("written");
    };
    let said = refused(other, &[]);
    assert!(
        said.contains("was made by torchada 0.0.1+0, and this is"),
        "{said}"
    );
}

#[test]
fn a_shard_is_of_a_tree() {
    let place = place();
    write_into(place.path(), &[("empty/words.txt", "")]);
    let said = |line: &[&str]| {
        let (code, said) = run(place.path(), line);
        assert_eq!(code, Some(2), "{said}");
        said
    };
    let file = said(&["port", "p/a.cu", "--shard", "1/2", "-o", "parts"]);
    assert!(file.contains("--shard is for a tree"), "{file}");
    let nowhere = said(&["port", "p", "--shard", "1/2"]);
    assert!(nowhere.contains("--output"), "{nowhere}");
    let diff = said(&["port", "p", "--shard", "1/2", "-o", "parts", "--diff"]);
    assert!(diff.contains("cannot be used with"), "{diff}");
    let number = said(&["port", "p", "--shard", "4/3", "-o", "parts"]);
    assert!(number.contains("the last of 3 shards is 3/3"), "{number}");
    let first = said(&["port", "p", "--shard", "0/3", "-o", "parts"]);
    assert!(first.contains("counted from 1"), "{first}");
    let none = said(&["merge", "p", "empty", "-o", "m"]);
    assert!(none.contains("holds no shard"), "{none}");
}
