//! Inline PTX in a whole tree: the header that a port writes for it, the option, the counts, and the way back.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::program::{text, torchada, torchada_with};
use crate::common::trees::{read_tree, write_into, write_tree};

const REVERSED: &str = "__device__ unsigned reversed(unsigned a) {
    asm(\"brev.b32 %0, %1;\" : \"=r\"(a) : \"r\"(a));
    return a;
}
";

const RAISED: &str = "__device__ float raised(float a) {
    asm(\"ex2.approx.f32 %0, %1;\" : \"=f\"(a) : \"f\"(a));
    asm volatile(\"bar.sync 1, 64;\");
    return a;
}
";

const FILE: &str = "torchada/ptx.muh";

fn ported(files: &[(&str, &str)], arguments: &[&str]) -> (TempDir, String) {
    let place = TempDir::new().expect("a temporary folder");
    write_into(&place.path().join("p"), files);
    let line = [&["port", "p"], arguments].concat();
    let output = torchada(place.path(), &line);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    (place, text(&output.stderr))
}

fn read(place: &TempDir, path: &str) -> String {
    fs::read_to_string(place.path().join(path)).unwrap_or_default()
}

#[test]
fn a_file_of_somebody_elses_with_the_headers_name_stops_the_port() {
    let place = write_tree(&[("p/a.cu", REVERSED), ("p/torchada/ptx.muh", "int mine;\n")]);
    let output = torchada(place.path(), &["port", "p"]);
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(
        printed.contains("torchada/ptx.muh has the name"),
        "{printed}"
    );
    assert!(!place.path().join("p_musa").exists());
    let output = torchada(place.path(), &["port", "p", "--ptx=keep"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(read(&place, "p_musa/torchada/ptx.muh"), "int mine;\n");
}

#[test]
fn the_header_is_written_where_it_is_needed_and_stays_in_a_port_of_the_port() {
    let (place, _) = ported(&[("a.cu", "int a;\n")], &[]);
    assert!(!place.path().join("p_musa").join(FILE).exists());
    let (place, _) = ported(&[("a.cu", REVERSED)], &[]);
    let first = read(&place, "p_musa/torchada/ptx.muh");
    assert!(first.contains(" brev("), "{first}");
    let again = torchada(place.path(), &["port", "p_musa", "-o", "again"]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    let files = |folder: &str| {
        let mut tree = read_tree(&place.path().join(folder));
        tree.retain(|path, _| !path.starts_with(".torchada"));
        tree
    };
    assert_eq!(files("p_musa"), files("again"));
}

#[test]
fn a_port_of_a_port_with_more_assembly_keeps_what_the_header_had() {
    let (place, _) = ported(&[("a.cu", REVERSED)], &[]);
    write_into(
        &place.path().join("p_musa"),
        &[(
            "b.cu",
            "__device__ unsigned first(unsigned a) {
    asm(\"bfind.u32 %0, %1;\" : \"=r\"(a) : \"r\"(a));
    return a;
}
",
        )],
    );
    let again = torchada(place.path(), &["port", "p_musa", "-o", "again"]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    let header = read(&place, "again/torchada/ptx.muh");
    for function in [" brev(", " bfind("] {
        assert!(header.contains(function), "{function}: {header}");
    }
}

#[test]
fn the_option_and_the_configuration_say_what_becomes_of_assembly() {
    let (place, _) = ported(&[("a.cu", REVERSED)], &["--ptx", "keep"]);
    assert!(read(&place, "p_musa/a.mu").contains("\n    asm("));
    let configuration = ("torchada.toml", "ptx = \"keep\"\n");
    let (place, _) = ported(&[("a.cu", REVERSED), configuration], &[]);
    assert!(read(&place, "p_musa/a.mu").contains("\n    asm("));
    let (place, _) = ported(&[("a.cu", REVERSED), configuration], &["--ptx=translate"]);
    assert!(read(&place, "p_musa/a.mu").contains("brev<unsigned int>(a)"));
}

#[test]
fn the_summary_and_the_report_count_statements() {
    let (place, printed) = ported(&[("a.cu", REVERSED), ("b.cu", RAISED)], &[]);
    let line = "assembly    2 statements translated: 1 exact, 1 approximate; 1 kept";
    assert!(printed.contains(line), "{printed}");
    let report: Value =
        serde_json::from_str(&read(&place, "p_musa/.torchada/report.json")).expect("JSON");
    let counts = &report["summary"]["assembly"];
    assert_eq!(
        *counts,
        serde_json::json!({"exact": 1, "stronger": 0, "slower": 0, "approximate": 1, "kept": 1})
    );
    let statements = report["statements"].as_array().expect("a list");
    let shown: Vec<[&str; 2]> = statements
        .iter()
        .map(|one| ["path", "exactness"].map(|key| one[key].as_str().expect("a text")))
        .collect();
    assert_eq!(shown, [["a.cu", "exact"], ["b.cu", "approximate"]]);
    assert_eq!(
        statements[0]["before"],
        "asm(\"brev.b32 %0, %1;\" : \"=r\"(a) : \"r\"(a));"
    );
    let after = statements[0]["after"].as_str().expect("a text");
    assert!(
        after.ends_with("a = torchada::ptx::brev<unsigned int>(a);"),
        "{after}"
    );
}

/// The patch that git writes of a change in one file of a port.
fn patch(place: &Path, path: &str, change: &dyn Fn(&str) -> String) -> String {
    let folder = place.join("p_musa");
    let old = fs::read_to_string(folder.join(path)).expect("a port");
    let new = change(&old);
    assert_ne!(old, new);
    let mut out = Vec::new();
    let path = Path::new(path);
    let change = torchada::emit::FileChange {
        old_path: Some(path),
        new_path: Some(path),
        old: old.as_bytes(),
        new: new.as_bytes(),
        old_mode: 0o644,
        mode: 0o644,
        link: false,
    };
    torchada::emit::diff(&change, &mut out).expect("written");
    text(&out)
}

#[test]
fn a_patch_beside_a_translated_statement_comes_back_with_the_statement() {
    let (place, _) = ported(&[("a.cu", REVERSED)], &[]);
    let patch = patch(place.path(), "a.mu", &|text| {
        text.replace("    return a;", "    musaStream_t stream;\n    return a;")
    });
    assert!(patch.contains("brev<unsigned int>"), "{patch}");
    let output = torchada_with(place.path(), &["unport", "-", "--input", "p"], &patch);
    let back = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(back.contains("\n     asm(\"brev.b32 %0, %1;\""), "{back}");
    assert!(back.contains("\n+    cudaStream_t stream;"), "{back}");
    assert!(!back.contains("torchada"), "{back}");
}

const SUMMED: &str = "__device__ int summed(int *to, const int *from, int a) {
    __pipeline_memcpy_async(to, from, sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    return __reduce_max_sync(0xffffffff, a);
}
";

#[test]
fn functions_of_cuda_become_functions_of_the_header() {
    let (place, printed) = ported(&[("a.cu", SUMMED)], &[]);
    let port = read(&place, "p_musa/a.mu");
    assert!(
        port.starts_with("#include \"torchada/ptx.muh\"\n"),
        "{port}"
    );
    for name in ["memcpy_async(to, ", "commit()", "wait_prior(0)"] {
        let call = format!("    torchada::ptx::pipeline_{name}");
        assert!(port.contains(&call), "{port}");
    }
    assert!(port.contains("torchada::ptx::reduce_max(0x"), "{port}");
    assert!(read(&place, "p_musa/torchada/ptx.muh").contains(" reduce_max("));
    assert!(printed.contains("1 note"), "{printed}");
    let patch = patch(place.path(), "a.mu", &|text| {
        text.replace("0xffffffff, a)", "0xffffffff, a + 1)")
    });
    let output = torchada_with(place.path(), &["unport", "-", "--input", "p"], &patch);
    let back = text(&output.stdout);
    assert!(
        back.contains("+    return __reduce_max_sync(0xffffffff, a + 1);"),
        "{back}{}",
        text(&output.stderr)
    );
}

#[test]
fn functions_of_cuda_stay_where_no_header_is_written_and_where_the_project_has_its_own() {
    let (place, _) = ported(&[("a.cu", SUMMED)], &["--ptx=keep"]);
    assert_eq!(read(&place, "p_musa/a.mu"), SUMMED);
    let own =
        format!("__device__ int __reduce_max_sync(unsigned, int a) {{ return a; }}\n{SUMMED}");
    let (place, _) = ported(&[("a.cu", &own)], &[]);
    assert!(read(&place, "p_musa/a.mu").contains("return __reduce_max_sync(0x"));
}

#[test]
fn a_patch_of_the_header_has_no_place_in_the_tree() {
    let (place, _) = ported(&[("a.cu", REVERSED)], &[]);
    let patch = patch(place.path(), FILE, &|text| {
        text.replace("#pragma once", "// Once.")
    });
    let output = torchada_with(place.path(), &["unport", "-", "--input", "p"], &patch);
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(printed.contains(FILE), "{printed}");
}

const WRITTEN: &str = "__device__ unsigned written(unsigned a, unsigned b) {
    unsigned c, d;
    asm(\"and.b32 %0, %1, %2;\" : \"=r\"(c) : \"r\"(a), \"r\"(b)); asm(\"or.b32 %0, %1, %2;\" : \"=r\"(d) : \"r\"(a), \"r\"(b));
    asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");
    if (a) asm(\"brev.b32 %0, %1;\" : \"=r\"(c) : \"r\"(d));
    asm(\"{ .reg .pred p; setp.lt.u32 p, %1, %2; selp.u32 %0, 1, 0, p; }\" : \"=r\"(d) : \"r\"(a), \"r\"(c));
    return c + d;
}
";

/// The patch that adds a file of a port, under another name.
fn added(place: &Path, path: &str, name: &str) -> String {
    let new = fs::read(place.join("p_musa").join(path)).expect("a port");
    let mut out = Vec::new();
    let change = torchada::emit::FileChange {
        old_path: None,
        new_path: Some(Path::new(name)),
        old: &[],
        new: &new,
        old_mode: 0o644,
        mode: 0o644,
        link: false,
    };
    torchada::emit::diff(&change, &mut out).expect("written");
    text(&out)
}

/// What a patch adds.
fn lines_added(patch: &str) -> String {
    let lines = patch.lines().filter(|line| !line.starts_with("+++"));
    let lines = lines.filter_map(|line| line.strip_prefix('+'));
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn assembly_comes_back_from_its_comments() {
    let (place, _) = ported(&[("a.cu", WRITTEN)], &[]);
    let patch = added(place.path(), "a.mu", "new.mu");
    write_into(&place.path().join("other"), &[("b.cu", "int b;\n")]);
    let output = torchada_with(place.path(), &["unport", "-", "--input", "other"], &patch);
    let messages = text(&output.stderr);
    assert_eq!(lines_added(&text(&output.stdout)), WRITTEN, "{messages}");
    assert_eq!(output.status.code(), Some(0), "{messages}");
}

const LAID_OUT: &str = "#define BOTH(d, a) \\
    asm(\"not.b32 %0, %1;\" : \"=r\"(d) : \"r\"(a)); \\
    asm(\"brev.b32 %0, %0;\" : \"+r\"(d))
__device__ unsigned laid_out(unsigned a, unsigned b) {
    asm(\"{\\n\"
        \" .reg .pred p;\\n\"  // the smaller one
        \" setp.lt.u32 p, %0, %1;\\n\"
        \" selp.u32 %0, %0, %1, p;\\n\"
        \"}\" : \"+r\"(a) : \"r\"(b));
    BOTH(b, a);
    return a + b;
}
";

#[test]
fn a_copy_of_what_assembly_became_comes_back_as_the_tree_has_it() {
    let (place, _) = ported(&[("a.cu", LAID_OUT)], &[]);
    let patch = added(place.path(), "a.mu", "b.mu");
    let output = torchada_with(place.path(), &["unport", "-", "--input", "p"], &patch);
    let messages = text(&output.stderr);
    assert_eq!(lines_added(&text(&output.stdout)), LAID_OUT, "{messages}");
    assert_eq!(output.status.code(), Some(0), "{messages}");
}

#[test]
fn assembly_that_does_not_come_back_is_named() {
    let (place, _) = ported(&[("a.cu", LAID_OUT), ("b.cu", REVERSED)], &[]);
    // Only the last statement of a macro has a comment.
    let patch = added(place.path(), "a.mu", "new.mu");
    write_into(&place.path().join("other"), &[("c.cu", "int c;\n")]);
    let output = torchada_with(place.path(), &["unport", "-", "--input", "other"], &patch);
    let messages = text(&output.stderr);
    assert!(messages.contains("new.mu:4: this C++ stands"), "{messages}");
    assert_eq!(output.status.code(), Some(1), "{messages}");
    // A part of what a statement became.
    let patch = self::patch(place.path(), "a.mu", &|text| {
        text.replace(": (unsigned int)b;", ": (unsigned int)b + 1u;")
    });
    let output = torchada_with(place.path(), &["unport", "-", "--input", "p"], &patch);
    let messages = text(&output.stderr);
    assert!(
        messages.contains("this C++ stands in place of assembly"),
        "{messages}"
    );
    assert_eq!(output.status.code(), Some(1), "{messages}");
    // C++ that a person wrote with the header's functions.
    let patch = self::patch(place.path(), "b.mu", &|text| {
        text.replace(
            "    return a;",
            "    a += torchada::ptx::brev<unsigned int>(a);\n    return a;",
        )
    });
    let output = torchada_with(place.path(), &["unport", "-", "--input", "p"], &patch);
    let messages = text(&output.stderr);
    assert!(messages.contains("b.mu:5: `torchada` stays"), "{messages}");
    assert_eq!(output.status.code(), Some(1), "{messages}");
}
