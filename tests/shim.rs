//! `torchada shim`: headers with which a compiler for CUDA reads a port.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use crate::common::program::{text, torchada};
use crate::common::trees::read_tree;
use tempfile::TempDir;

/// The files of a shim, by their paths.
type Files = BTreeMap<String, String>;

/// The shim of the built-in tables, written once for all tests that only read it.
fn plain() -> &'static Files {
    static PLAIN: LazyLock<Files> = LazyLock::new(|| shim(&[]));
    &PLAIN
}

/// Write a shim into a new folder.
fn shim(arguments: &[&str]) -> Files {
    let place = TempDir::new().expect("a temporary folder");
    shim_in(&place, arguments)
}

/// Write a shim into the folder `out` of a place.
fn shim_in(place: &TempDir, arguments: &[&str]) -> Files {
    let mut line = vec!["shim", "out"];
    line.extend(arguments);
    let output = torchada(place.path(), &line);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let out = place.path().join("out");
    let read = |path: String| {
        let bytes = fs::read(out.join(&path)).expect("readable");
        (path, text(&bytes))
    };
    read_tree(&out).into_keys().map(read).collect()
}

/// Whether a name has an alias that needs no macro of CUDA's.
fn declares(files: &Files, line: &str) -> bool {
    let mut names = files["torchada_shim/names.h"].lines();
    names.any(|found| found == line)
}

#[test]
fn a_mapped_name_and_header_have_their_cuda_meaning() {
    let files = plain();
    assert!(declares(files, "#define musaMalloc cudaMalloc"));
    assert!(declares(files, "#define musa cuda"));
    assert!(declares(
        files,
        "#define getCurrentMUSAStream getCurrentCUDAStream"
    ));
    assert!(files["musa_runtime.h"].contains("#include <cuda_runtime.h>"));
    assert!(
        files["torch_musa/csrc/core/MUSAStream.h"].contains("#include <c10/cuda/CUDAStream.h>")
    );
}

#[test]
fn a_name_that_musa_lacks_has_no_alias() {
    // `nvmlInit` is unknown, `CUDART_VERSION` absent.
    for name in ["nvmlInit", "CUDART_VERSION"] {
        let used = format!(" {name}\n");
        assert!(!plain().values().any(|text| text.contains(&used)), "{name}");
    }
}

#[test]
fn a_macro_is_there_only_where_cudas_is() {
    let files = plain();
    let after = &files["torchada_shim/after.h"];
    assert!(after.contains("#if defined(CUDART_CB) && !defined(MUSART_CB)"));
    assert!(!declares(files, "#define MUSART_CB CUDART_CB"));
}

#[test]
fn pytorchs_own_names_are_left_alone() {
    let files = plain();
    for name in [
        "kPrivateUse1",
        "PrivateUse1",
        "is_privateuseone",
        "at",
        "c10",
    ] {
        let start = format!("#define {name} ");
        let names = &files["torchada_shim/names.h"];
        assert!(!names.contains(&start), "{name}");
    }
}

#[test]
fn of_several_headers_the_one_that_the_table_prefers_comes_first() {
    let files = plain();
    let text = &files["mublas.h"];
    let at = |header: &str| text.find(header).expect(header);
    assert!(at("<cublas_v2.h>") < at("<cublas.h>"));
}

#[test]
fn weak_evidence_can_be_left_out() {
    let files = shim(&["--min-evidence", "confirmed"]);
    assert!(declares(&files, "#define musaMalloc cudaMalloc"));
    // Somebody's table alone has it.
    assert!(!declares(&files, "#define MUSA_C_16BF CUDA_C_16BF"));
}

#[test]
fn a_table_of_ones_own_is_laid_over() {
    let place = TempDir::new().expect("a temporary folder");
    let table = "[table]\nid = \"mine\"\nmacros = [\"cudaMacro\"]\n\
                 [names]\ncudaMine = \"musaMine\"\ncudaMacro = \"musaMacro\"\n";
    fs::write(place.path().join("my.toml"), table).expect("written");
    let files = shim_in(&place, &["--mapping", "my.toml"]);
    assert!(declares(&files, "#define musaMine cudaMine"));
    assert!(!declares(&files, "#define musaMacro cudaMacro"));
    assert!(files["torchada_shim/after.h"].contains("#define musaMacro cudaMacro"));
}

#[test]
fn a_macro_without_a_row_is_a_fault_of_the_table() {
    let place = TempDir::new().expect("a temporary folder");
    let table = "[table]\nid = \"mine\"\nmacros = [\n    \"cudaNone\",\n]\n";
    fs::write(place.path().join("my.toml"), table).expect("written");
    let output = torchada(place.path(), &["shim", "out", "--mapping", "my.toml"]);
    assert_eq!(output.status.code(), Some(2));
    let printed = text(&output.stderr);
    assert!(printed.contains("my.toml:4: `cudaNone`"), "{printed}");
}

#[test]
fn a_folder_of_headers_is_completed_from_an_include_folder() {
    let place = TempDir::new().expect("a temporary folder");
    let folder = place.path().join("include/cuda/std");
    fs::create_dir_all(&folder).expect("folders");
    fs::write(folder.join("array"), "").expect("written");
    let files = shim_in(&place, &["--headers", "include"]);
    assert!(files["musa/std/array"].contains("#include <cuda/std/array>"));
}

#[test]
fn the_same_tables_give_the_same_bytes_and_a_second_run_changes_nothing() {
    let place = TempDir::new().expect("a temporary folder");
    let files = shim_in(&place, &[]);
    assert!(files == *plain());
    assert!(shim_in(&place, &[]) == files);
}

#[test]
fn a_folder_that_it_did_not_make_stays_as_it_is() {
    let place = TempDir::new().expect("a temporary folder");
    let refused = |folder: &Path| {
        let before = read_tree(folder);
        let output = torchada(place.path(), &["shim", "out"]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert!(read_tree(folder) == before);
    };
    let out = place.path().join("out");
    fs::create_dir(&out).expect("a folder");
    fs::write(out.join("mine.h"), "mine").expect("written");
    refused(&out);

    // A port has a manifest, and is no shim.
    fs::remove_dir_all(&out).expect("removed");
    fs::create_dir(place.path().join("in")).expect("a folder");
    fs::write(place.path().join("in/k.cu"), "int x;\n").expect("written");
    assert!(
        torchada(place.path(), &["port", "in", "-o", "out"])
            .status
            .success()
    );
    refused(&out);
}
