//! The runtime stub: its tables are those of the translator, and a port of Python writes it.

use crate::common::program;
use crate::common::trees;
use crate::documents::is_fresh;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use torchada::mapping::knowledge::Knowledge;
use torchada::mapping::stub::StubKnowledge;
use torchada::mapping::{Overlay, Relation, Section, Tables, Versions};
use torchada::stub;

/// The folder of the stub's sources.
fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/stub/torchada")
}

/// The files of a package, by path, without what Python leaves there, and without the commands, which no port gets.
fn package(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    walkdir::WalkDir::new(folder)
        .into_iter()
        .filter_entry(|entry| entry.file_name() != "__pycache__")
        .map(|entry| entry.expect("readable"))
        .filter(|entry| !entry.file_type().is_dir())
        .filter(|entry| !entry.path().starts_with(sources().join("tools")))
        .map(|entry| {
            let path = entry.path().strip_prefix(folder).expect("below");
            let bytes = std::fs::read(entry.path()).expect("readable");
            (path.to_owned(), bytes)
        })
        .collect()
}

/// A tree with one Python file, in a folder of its own.
fn project(more: &[(&str, &str)]) -> (TempDir, PathBuf) {
    let place = TempDir::new().expect("a temporary folder");
    let root = place.path().join("project");
    trees::write_into(&root, &[("train.py", "import torch\n"), ("csrc/k.cu", "")]);
    trees::write_into(&root, more);
    (place, root)
}

/// Runs the program, which has to end with `code`. Returns its output.
#[track_caller]
fn torchada(folder: &Path, arguments: &[&str], code: i32) -> String {
    let output = program::torchada(folder, arguments);
    let printed = program::text(&[output.stdout, output.stderr].concat());
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {printed}");
    printed
}

#[test]
fn the_tables_of_the_stub_are_not_stale() {
    let found = std::fs::read_to_string(sources().join(stub::TABLES)).expect("the file of tables");
    let fresh =
        stub::with_region(&found, Tables::builtin()).expect("the marks of the generated region");
    is_fresh(
        &format!("src/stub/torchada/{}", stub::TABLES),
        &fresh,
        "stub::",
    );
}

#[test]
fn a_users_rows_are_in_the_tables_that_a_port_writes() {
    let (place, root) = project(&[(
        "torchada.toml",
        "[python]\n\"torch.cuda.utilization\" = \"ours.utilization\"\n\
         \"torch.cuda.mine\" = { relation = \"absent\", evidence = \"table\", advice = \"Leave it.\" }\n",
    )]);
    torchada(place.path(), &["port", "project", "-q"], 0);
    let written = root.with_file_name("project_musa/torchada/_tables.py");
    let text = std::fs::read_to_string(&written).expect("the tables");
    assert!(text.contains("    \"torch.cuda.utilization\": \"ours.utilization\",\n"));
    assert!(text.contains("    \"torch.cuda.mine\": \"Leave it.\",\n"));
    let late = "\"torch.cuda.late\" = { to = \"a.b\", since = { torch_musa = \"9.0\" } }\n";
    trees::write_into(&root, &[("torchada.toml", &format!("[python]\n{late}"))]);
    torchada(
        place.path(),
        &["port", "project", "-q", "--torch-musa", "2.7.1"],
        0,
    );
    let text = std::fs::read_to_string(&written).expect("the tables");
    let missing = text.split_once("\nMISSING: ").expect("the map").1;
    let missing = missing.split_once("\nOWN: ").expect("the next").0;
    assert!(missing.contains("\"torch.cuda.late\": "), "{missing}");
    let builtin = std::fs::read_to_string(sources().join(stub::TABLES)).expect("readable");
    assert!(!builtin.contains("ours.utilization"));
}

#[test]
fn rows_about_a_python_name_have_to_fit_together() {
    let fault = |row: &str| {
        let text = format!("[python]\n{row}\n");
        let file = "my.toml".to_owned();
        let tables = Tables::for_run(None, &[Overlay { file, text }], &Versions::default());
        tables.expect_err("a faulty table").to_string()
    };
    insta::assert_snapshot!(fault("Event = \"a.b\""), @"my.toml:2: `Event` is no name for `python`: expected a name with its modules such as `torch.cuda.Event`");
    insta::assert_snapshot!(fault("\"a.b\" = { to = \"c.d\", runtime = \"missing\" }"), @"my.toml:2: `a.b` is missing at run time, and its relation is renamed");
    insta::assert_snapshot!(fault("\"a.b\" = { relation = \"absent\", runtime = \"forward\" }"), @"my.toml:2: `a.b` is forwarded, and has no `to`");
    insta::assert_snapshot!(fault("\"a.b\" = { relation = \"absent\", runtime = \"silent\" }"), @"my.toml:2: `a.b` is silent: its `note` has to say what is ignored");
    let text = "[names]\ncudaX = { to = \"musaX\", runtime = \"keep\" }\n".to_owned();
    let file = "my.toml".to_owned();
    let tables = Tables::for_run(None, &[Overlay { file, text }], &Versions::default());
    let fault = tables.expect_err("not for C names");
    insta::assert_snapshot!(fault.to_string(), @r#"my.toml:2: `cudaX` has `runtime`, which only names under [python] have, and "keep" under [environment]"#);
}

#[test]
fn the_stubs_own_knowledge_agrees_with_the_tables() {
    let tables = Tables::builtin();
    let known = StubKnowledge::builtin();
    let stems: BTreeSet<(&str, &str)> = tables
        .stems()
        .iter()
        .map(|stem| (&*stem.cuda, &*stem.musa))
        .collect();
    for library in &known.libraries {
        for (cuda, musa) in &library.prefixes {
            assert!(
                stems.contains(&(cuda, musa)),
                "`{cuda}` is no stem of a table that becomes `{musa}`"
            );
        }
        for id in &library.tables {
            assert!(
                tables.libraries().iter().any(|table| table.id == *id),
                "no table `{id}`"
            );
        }
    }
    let counterparts: BTreeSet<&str> = tables
        .rows(Section::Libraries)
        .filter_map(|row| row.to.as_deref())
        .collect();
    for version in &known.versions {
        assert!(counterparts.contains(&*version.stem), "{}", version.stem);
    }
    let syntax = &Knowledge::builtin().builds.flags;
    let flags = [&syntax.with_values, &syntax.for_the_host, &syntax.shared];
    for flag in flags.into_iter().flatten().filter(|flag| *flag != "-x") {
        let row = tables.get(Section::Flags, flag.as_bytes());
        assert!(row.is_some(), "`{flag}` is in no table");
    }
    for name in known.attributes.numbers.keys() {
        let cuda = name.replace("musa", "cuda");
        let row = tables.get(Section::Names, cuda.as_bytes());
        assert_eq!(
            row.and_then(|row| row.to.as_deref()),
            Some(&**name),
            "{cuda}"
        );
    }
    let unknown = tables
        .rows(Section::Python)
        .filter(|row| row.relation == Relation::Unknown)
        .count();
    assert_eq!(unknown, 0, "each of PyTorch's names is decided");
}

#[test]
fn map_says_what_becomes_of_a_name_at_run_time() {
    let place = TempDir::new().expect("a temporary folder");
    let printed = torchada(
        place.path(),
        &["map", "torch.cuda.CUDAGraph", "torch.cuda.nvtx.mark"],
        0,
    );
    for line in [
        "torch.cuda.CUDAGraph -> torch.musa.MUSAGraph\n",
        "  runtime: forward\n",
        "  runtime: silent\n",
        "  note:    ignored: ",
    ] {
        assert!(printed.contains(line), "{line}{printed}");
    }
}

#[test]
fn a_port_of_python_writes_the_package_byte_for_byte() {
    let (place, root) = project(&[]);
    let printed = torchada(place.path(), &["port", "project"], 0);
    let written = package(&root.with_file_name("project_musa/torchada"));
    let own = package(&sources());
    assert_eq!(
        written.keys().collect::<Vec<_>>(),
        own.keys().collect::<Vec<_>>()
    );
    for (path, bytes) in &own {
        assert!(written.get(path) == Some(bytes), "{}", path.display());
    }
    assert!(printed.contains("import torchada"), "{printed}");
    assert!(
        printed.contains(&format!("torchada/, {} files", own.len())),
        "{printed}"
    );
}

#[test]
fn where_there_is_no_whole_tree_with_python_there_is_no_package() {
    let (place, root) = project(&[("lib/cuda/k.cu", ""), ("lib/cuda/tool.py", "")]);
    let none = |arguments: &[&str], output: &str| {
        torchada(place.path(), arguments, 0);
        let package = root.with_file_name(output).join("torchada");
        assert!(!package.exists(), "{arguments:?}");
    };
    none(&["port", "project", "-q", "--no-stub", "-o", "a"], "a");
    none(&["port", "project/csrc", "-q", "-o", "b"], "b");
    none(
        &["port", "project/lib", "--root", "project", "-q", "-o", "c"],
        "c",
    );
    none(
        &["port", "project", "-q", "--layout", "lib/cuda=lib/musa"],
        "project",
    );
    trees::write_into(&root, &[("torchada.toml", "stub = false\n")]);
    none(&["port", "project", "-q", "-o", "d"], "d");
    trees::write_into(&root, &[("torchada.toml", "stub = \"no\"\n")]);
    let printed = torchada(place.path(), &["port", "project", "-q", "-o", "e"], 2);
    assert!(printed.contains("`stub` is true or false"), "{printed}");
}

#[test]
fn a_port_without_the_package_says_so_where_names_need_it() {
    let switch = "import torch\n\ntorch.backends.cuda.matmul.allow_tf32 = True\n";
    let (place, _root) = project(&[("train.py", switch)]);
    let line = ["port", "project", "--dry-run"];
    let with = torchada(place.path(), &line, 0);
    let says = "this port brings no package that stands in for names (PY012)";
    assert!(!with.contains(says), "{with}");
    let without = torchada(place.path(), &[&line[..], &["--no-stub"]].concat(), 0);
    assert!(without.contains(says), "{without}");
}

#[test]
fn a_tree_that_has_something_of_that_name_is_told_what_to_do() {
    for taken in ["torchada/mine.txt", "torchada.py", "torchada"] {
        let (place, root) = project(&[(taken, "mine\n")]);
        for how in [&["-o", "out"][..], &["--in-place", "--force"]] {
            let line = [&["port", "project"], how].concat();
            let printed = torchada(place.path(), &line, 2);
            assert!(printed.contains("--no-stub"), "{taken}: {printed}");
            assert!(
                !printed.contains("mine.txt"),
                "the folder is named: {printed}"
            );
        }
        assert!(!place.path().join("out").exists());
        assert_eq!(
            std::fs::read_to_string(root.join(taken)).expect("untouched"),
            "mine\n"
        );
        torchada(
            place.path(),
            &["port", "project", "-q", "--no-stub", "-o", "out"],
            0,
        );
        assert!(place.path().join("out").join(taken).exists());
    }
}

#[test]
fn a_folder_of_that_name_that_somebody_put_into_the_output_stays() {
    let (place, root) = project(&[]);
    torchada(place.path(), &["port", "project", "-q", "--no-stub"], 0);
    let theirs = root.with_file_name("project_musa/torchada");
    trees::write_into(&theirs, &[("mine.txt", "mine\n")]);
    let printed = torchada(place.path(), &["port", "project"], 2);
    assert!(printed.contains("--no-stub"), "{printed}");
    assert_eq!(package(&theirs).len(), 1);
}

#[test]
fn the_next_port_brings_the_package_up_to_date_and_writes_over_nobodys_work() {
    let (place, root) = project(&[]);
    torchada(place.path(), &["port", "project", "-q"], 0);
    let tables = root.with_file_name("project_musa/torchada/_tables.py");
    let first = std::fs::read_to_string(&tables).expect("written");
    trees::write_into(
        &root,
        &[("torchada.toml", "[python]\n\"torch.cuda.mine\" = \"a.b\"\n")],
    );
    torchada(place.path(), &["port", "project", "-q"], 0);
    let second = std::fs::read_to_string(&tables).expect("written");
    assert!(first != second && second.contains("torch.cuda.mine"));
    std::fs::write(&tables, "mine\n").expect("written");
    let printed = torchada(place.path(), &["port", "project"], 0);
    assert!(printed.contains("your edits  1 file kept"), "{printed}");
    assert_eq!(
        std::fs::read_to_string(&tables).expect("untouched"),
        "mine\n"
    );
}

#[test]
fn a_port_of_a_port_has_the_same_package_and_nothing_to_say_of_it() {
    let (place, root) = project(&[]);
    torchada(place.path(), &["port", "project", "-q"], 0);
    let printed = torchada(place.path(), &["port", "project_musa"], 0);
    assert!(!printed.contains("PY001"), "{printed}");
    let folder = |name: &str| package(&root.with_file_name(name).join("torchada"));
    assert!(folder("project_musa") == folder("project_musa_musa"));
}

#[test]
fn the_package_is_none_of_the_projects_own_code() {
    let (place, root) = project(&[
        // A project with devices of its own includes nothing of PyTorch's; the package does.
        (
            "device.h",
            "inline const char* device() { return \"cuda\"; }\n",
        ),
        (
            "train.py",
            "import booster\nbooster.train({\"device\": \"cuda\"})\n",
        ),
    ]);
    torchada(place.path(), &["port", "project", "-q"], 0);
    torchada(place.path(), &["port", "project_musa", "-q"], 0);
    let read = |name: &str| std::fs::read_to_string(root.with_file_name(name).join("train.py"));
    let first = read("project_musa").expect("ported");
    assert!(first.contains("cuda"), "{first}");
    assert_eq!(first, read("project_musa_musa").expect("ported again"));
}

#[test]
fn in_place_the_package_comes_once_and_is_kept_up_to_date() {
    let (place, root) = project(&[]);
    let again = || {
        trees::git(&root, &["add", "-A"]);
        trees::git(&root, &["commit", "-q", "-m", "x"]);
        torchada(place.path(), &["port", "project", "--in-place", "-q"], 0);
        package(&root.join("torchada"))
    };
    trees::git(&root, &["init", "-q"]);
    let fresh = package(&sources());
    assert!(again() == fresh);
    let tables = root.join("torchada/_tables.py");
    let old = format!("# of an older version\n{}\n{}\n", stub::BEGIN, stub::END);
    std::fs::write(&tables, &old).expect("written");
    let updated = again();
    assert_eq!(
        updated.keys().collect::<Vec<_>>(),
        fresh.keys().collect::<Vec<_>>()
    );
    assert!(updated == fresh);
    // The package asks for MUSA, and is not the project that does.
    let check = ["check", "project", "--select", "PRJ054", "--format", "json"];
    let report = torchada(place.path(), &check, 0);
    assert!(!report.contains("project/torchada/"), "{report}");
}

#[test]
fn a_diff_shows_what_is_the_projects_and_a_dry_run_tells_of_the_package() {
    let (place, _root) = project(&[("k.cu", "int a = cudaMalloc(0, 0);\n")]);
    let diff = torchada(place.path(), &["port", "project", "--diff"], 0);
    assert!(diff.contains("musaMalloc"), "{diff}");
    assert!(!diff.contains("torchada/"), "{diff}");
    let (main, _root) = project(&[("train.py", "import torch\n\ntorch.cuda.synchronize()\n")]);
    let printed = torchada(main.path(), &["port", "project", "--diff"], 0);
    assert!(
        printed.contains("+import torchada\n") && printed.contains("note: the diff imports"),
        "{printed}"
    );
    let quiet = torchada(main.path(), &["port", "project", "--diff", "-q"], 0);
    assert!(
        !quiet.contains("note:") && !diff.contains("note:"),
        "{quiet}{diff}"
    );
    let printed = torchada(place.path(), &["port", "project", "--dry-run"], 0);
    assert!(printed.contains("torchada/, "), "{printed}");
    assert!(!place.path().join("project_musa").exists());
}
