//! Input that nobody writes, but that a tree may hold: each gets a finding or an error, and the rest of the tree is
//! done. A run that does not end within minutes fails.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::passed::Suite;
use crate::common::trees::read_tree;
use serde_json::Value;
use tempfile::TempDir;

/// A million, and a number for what is nested.
const MANY: usize = 1_000_000;
const DEEP: usize = 100_000;
const MEGABYTE: usize = 1024 * 1024;

/// Seconds after which a run is taken for one that never ends.
const LIMIT: &str = "600";

const KERNEL: &str = "#include <cuda_runtime.h>\nvoid f() { cudaMalloc(0, 0); }\n";
const MODULE: &str = "import torch\nx = torch.zeros(3, device=\"cuda\")\n";
const LISTS: &str = "find_package(CUDAToolkit REQUIRED)\ntarget_link_libraries(a CUDA::cudart)\n";
const MAKE: &str = "all:\n\tnvcc -arch=sm_80 a.cu -lcudart\n";
const SCRIPT: &str = "#!/bin/bash\nexport CUDA_HOME=/usr/local/cuda\nnvcc a.cu -lcudart\n";
const PIPELINE: &str = "jobs:\n  a:\n    steps:\n      - run: nvcc a.cu -lcudart\n";
const PACKAGE: &str = "[project]\nname = \"a\"\ndependencies = [\"torch\"]\n";
const NOTEBOOK: &str = r#"{"cells": [{"cell_type": "code", "source": ["import torch\n", "torch.cuda.synchronize()\n"]}], "nbformat": 4}"#;

/// One file of each kind that is read, by its name.
const KINDS: &[(&str, &str)] = &[
    ("k.cu", KERNEL),
    ("m.py", MODULE),
    ("CMakeLists.txt", LISTS),
    ("Makefile", MAKE),
    ("s.sh", SCRIPT),
    (".github/workflows/w.yml", PIPELINE),
    ("pyproject.toml", PACKAGE),
    ("n.ipynb", NOTEBOOK),
];

fn put(folder: &Path, path: &str, text: impl AsRef<[u8]>) {
    let full = folder.join(path);
    fs::create_dir_all(full.parent().expect("a parent")).expect("folders");
    fs::write(full, text).expect("written");
}

/// Port a tree with two sound files beside what it holds, as a process of its own, and see that these two are done.
struct Run {
    place: TempDir,
    output: Output,
}

impl Run {
    fn of(fill: impl FnOnce(&Path)) -> Self {
        let place = TempDir::new().expect("a temporary folder");
        let tree = place.path().join("in");
        fs::create_dir(&tree).expect("a folder");
        fill(&tree);
        put(&tree, "sound/z.cu", KERNEL);
        put(&tree, "sound/z.py", MODULE);
        let output = Command::new("timeout")
            .args([
                LIMIT,
                env!("CARGO_BIN_EXE_torchada"),
                "port",
                "in",
                "-o",
                "out",
            ])
            .current_dir(place.path())
            .env("GIT_CEILING_DIRECTORIES", place.path())
            .output()
            .expect("it runs");
        Self { place, output }
    }

    /// What is in the output.
    fn out(&self, path: impl AsRef<Path>) -> Vec<u8> {
        let path = self.place.path().join("out").join(path);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    fn done(self, name: &str) -> Self {
        let printed = String::from_utf8_lossy(&self.output.stderr);
        let code = self.output.status.code();
        assert!(matches!(code, Some(0 | 1)), "{name}: {code:?}: {printed}");
        assert!(
            self.out("sound/z.mu")
                .starts_with(b"#include <musa_runtime.h>"),
            "{name}"
        );
        let module = String::from_utf8(self.out("sound/z.py")).expect("UTF-8");
        assert!(module.contains("\"musa\""), "{name}: {module}");
        self
    }

    /// The codes of the findings about a file.
    fn codes(&self, path: &str) -> Vec<String> {
        let report: Value =
            serde_json::from_slice(&self.out(".torchada/report.json")).expect("JSON");
        let findings = report["findings"].as_array().expect("a list").iter();
        let about = findings.filter(|one| one["path"] == path);
        about
            .map(|one| one["code"].as_str().expect("a code").to_owned())
            .collect()
    }
}

fn one_file(name: &str, path: &str, text: impl AsRef<[u8]>) -> Run {
    Run::of(|tree| put(tree, path, text)).done(name)
}

fn nested(open: &str, inner: &str, close: &str) -> String {
    [&open.repeat(DEEP), inner, &close.repeat(DEEP)].concat()
}

#[test]
fn any_encoding_is_read_or_left_with_a_finding() {
    let wide = |text: &str, swap: bool| -> Vec<u8> {
        let units = text.encode_utf16();
        units
            .flat_map(|unit| {
                if swap {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                }
            })
            .collect()
    };
    let all = |name: &str, of: &dyn Fn(&str) -> Vec<u8>| {
        let run = Run::of(|tree| {
            for (path, text) in KINDS {
                put(tree, path, of(text));
            }
        });
        run.done(name)
    };
    let left = |name: &str, of: &dyn Fn(&str) -> Vec<u8>| {
        let run = all(name, of);
        for (path, _) in KINDS {
            assert_eq!(run.codes(path), ["PRJ006"], "{name}: {path}");
        }
    };
    left("UTF-16", &|text| wide(text, false));
    left("UTF-16, turned, with its mark", &|text| {
        [&b"\xfe\xff"[..], &wide(text, true)].concat()
    });
    left("NUL", &|text| {
        [text.as_bytes(), b"\0\0\0", text.as_bytes()].concat()
    });
    all("no UTF-8", &|text| {
        [text.as_bytes(), b"# \xff\xc3 /* \x80 */\n", text.as_bytes()].concat()
    });
    all("line ends of all kinds", &|text| {
        let (windows, old) = (text.replace('\n', "\r\n"), text.replace('\n', "\r"));
        [&windows, text, &old].concat().into_bytes()
    });
}

#[test]
fn a_mark_of_the_byte_order_stays_and_the_text_is_translated() {
    let marked = |path: &str, text: &str, ported: &str| {
        let run = one_file("mark", path, [b"\xef\xbb\xbf", text.as_bytes()].concat());
        let ported = run.out(ported);
        assert!(ported.starts_with(b"\xef\xbb\xbf"), "{path}");
        let body = String::from_utf8_lossy(&ported).to_ascii_lowercase();
        assert!(!body.contains("cuda"), "{path}: {body}");
        assert!(
            !run.codes(path).iter().any(|code| code == "CPP040"),
            "{path}"
        );
    };
    marked("k.cu", KERNEL, "k.mu");
    marked("m.py", MODULE, "m.py");
    marked("CMakeLists.txt", LISTS, "CMakeLists.txt");
}

#[test]
fn what_is_never_closed_harms_nobody_else() {
    let openers = [
        "\"",
        "'",
        "\"\"\"",
        "(",
        "[[[",
        "{",
        "/*",
        "`",
        "${",
        "$(",
        "R\"(",
        "\\",
        "#[[",
        "{{",
        "<<EOF\n",
        "#if 1\n",
        "cat <<EOF | sh -c '",
        "asm(\"",
        "f\"{",
        "- |\n",
        "\"\\u",
        "<<<",
    ];
    let run = Run::of(|tree| {
        for (at, opener) in openers.iter().enumerate() {
            for (path, text) in KINDS {
                put(
                    tree,
                    &format!("d{at}/{path}"),
                    [text, *opener, text].concat(),
                );
            }
        }
    });
    run.done("never closed");
}

#[test]
fn fifty_megabytes_of_generated_source_are_left_with_a_finding() {
    Suite::without_rules("hostile-large", "hostile.rs").run(|| {
        // A few files of that size tell as much as one of each kind: what reads them does not know their kind.
        let large = |path: &str| match path {
            "k.cu" | "m.py" => 50,
            _ => 5,
        };
        let texts = || {
            KINDS
                .iter()
                .map(|(path, text)| (path, text.repeat(large(path) * MEGABYTE / text.len())))
        };
        let run =
            Run::of(|tree| texts().for_each(|(path, text)| put(tree, path, text))).done("50 MB");
        for (path, text) in texts() {
            let codes = run.codes(path);
            assert!(
                codes.iter().any(|code| code == "PRJ018" || code == "PY049"),
                "{path}: {codes:?}"
            );
            assert_eq!(run.out(path).len(), text.len(), "{path}");
        }
    });
}

#[test]
fn a_million_tokens_may_stand_on_one_line() {
    // A name costs a finding or an edit, a number nothing. What takes the square of their number would take hours.
    let run = Run::of(|tree| {
        for (path, front, piece, back, times) in [
            ("k.cu", "void f() { ", "cudaFree(a); ", "}\n", MANY / 20),
            ("k.cpp", "const int a[] = {", "0x12345678,", "};\n", MANY),
            (
                "m.py",
                "import torch\nx = [",
                "\"cuda\", ",
                "]\n",
                MANY / 200,
            ),
            (
                "CMakeLists.txt",
                "target_link_libraries(a ",
                "CUDA::cudart ",
                ")\n",
                MANY / 100,
            ),
            ("Makefile", "all:\n\tnvcc ", "-lcudart ", "\n", MANY / 100),
            ("s.sh", "nvcc ", "-lcudart ", "\n", MANY / 100),
            (
                ".github/workflows/w.yml",
                "a: [",
                "nvcc, ",
                "]\n",
                MANY / 100,
            ),
            ("pyproject.toml", "a = [", "\"nvcc\", ", "]\n", MANY / 100),
        ] {
            put(tree, path, [front, &piece.repeat(times), back].concat());
        }
    });
    run.done("one line");
}

#[test]
fn what_is_nested_a_hundred_thousand_deep_is_left_with_a_finding() {
    let deep = [
        (
            "k.cu",
            format!("int x = {};\n", nested("(", "cudaSuccess", ")")),
        ),
        (
            "k.cu",
            format!("void f() {};\n", nested("{", "cudaFree(0);", "}")),
        ),
        (
            "k.cu",
            nested("#if CUDA_VERSION > 9000\n", "cudaFree(0);\n", "#endif\n"),
        ),
        ("k.cu", nested("#if A\n", "cudaFree(0);\n", "")),
        (
            "k.cu",
            nested("#elif CUDA_VERSION > 9000\n", "cudaFree(0);\n", ""),
        ),
        (
            "k.cu",
            nested(
                "#define cudaFree x\n#undef cudaFree\n",
                "cudaFree(0);\n",
                "",
            ),
        ),
        (
            "k.cu",
            format!(
                "#if {}\n#endif\ncudaFree(0);\n",
                nested("CUDA_VERSION ? 1 : ", "1", "")
            ),
        ),
        ("k.cu", nested("namespace a { ", "cudaFree(0);", "}")),
        (
            "m.py",
            format!("import torch\nx = {}\n", nested("(", "torch.cuda", ")")),
        ),
        (
            "m.py",
            format!("import torch\nx = {}\n", nested("not ", "torch.cuda", "")),
        ),
        (
            "m.py",
            format!(
                "import torch\nx = {}1\n",
                "torch.cuda.synchronize() + ".repeat(DEEP)
            ),
        ),
        (
            "m.py",
            format!("import torch\nx = torch.cuda{}\n", ".a".repeat(DEEP)),
        ),
        (
            "m.py",
            format!(
                "import torch\nif a: pass\n{}",
                "elif torch.cuda.is_available(): pass\n".repeat(DEEP)
            ),
        ),
        (
            "m.py",
            format!(
                "import torch\n{}torch.cuda.synchronize()\n",
                "import torch.cuda as c\n".repeat(DEEP)
            ),
        ),
        (
            "CMakeLists.txt",
            nested("if(CUDA_FOUND)\n", "", "endif()\n"),
        ),
        (
            "CMakeLists.txt",
            format!("set(x {})\n", nested("${", "CUDA", "}")),
        ),
        (
            "Makefile",
            format!("A = {}\n", nested("$(", "CUDA_HOME", ")")),
        ),
        ("Makefile", nested("ifdef CUDA\n", "", "endif\n")),
        ("s.sh", format!("nvcc {}\n", nested("$(", "nvcc", ")"))),
        ("s.sh", format!("nvcc {}\n", nested("${A:-", "nvcc", "}"))),
        (
            ".github/workflows/w.yml",
            format!("a: {}\n", nested("[", "nvcc", "]")),
        ),
        (
            "pyproject.toml",
            format!("a = {}\n", nested("[", "\"nvcc\"", "]")),
        ),
    ];
    // A workflow is one in its folder only.
    let place = |at: usize, path: &str| match path {
        _ if path.starts_with('.') => path.to_owned(),
        _ => format!("d{at}/{path}"),
    };
    let cells = format!("{{\"cells\": {}}}", nested("[", "", "]"));
    let run = Run::of(|tree| {
        for (at, (path, text)) in deep.iter().enumerate() {
            put(tree, &place(at, path), text);
        }
        put(tree, "n.ipynb", cells);
    })
    .done("nested");
    for (at, (path, text)) in deep.iter().enumerate() {
        let shown = text.get(..40).unwrap_or_default();
        let path = place(at, path);
        assert_eq!(run.codes(&path), ["PRJ018"], "{path}: {shown}");
        assert!(run.out(&path) == text.as_bytes(), "{path}: {shown}");
    }
    assert_eq!(run.codes("n.ipynb").len(), 1);
}

#[test]
fn what_just_stays_below_the_limits_is_translated() {
    let deep = |open: &str, inner: &str, close: &str, times| {
        [&open.repeat(times), inner, &close.repeat(times)].concat()
    };
    for (path, text, ported, want) in [
        (
            "k.cu",
            format!("int x = {};\n", deep("(", "cudaSuccess", ")", 500)),
            "k.mu",
            "musaSuccess",
        ),
        (
            "k.cu",
            deep("#if A\n", "cudaFree(0);\n", "#endif\n", 100),
            "k.mu",
            "musaFree",
        ),
        (
            "m.py",
            format!(
                "import torch\nx = {}\n",
                deep("(", "torch.cuda.synchronize()", ")", 400)
            ),
            "m.py",
            "torch.musa",
        ),
    ] {
        let run = one_file("below", path, text);
        assert!(
            String::from_utf8_lossy(&run.out(ported)).contains(want),
            "{path}"
        );
    }
}

#[test]
fn names_may_be_as_long_as_a_file() {
    let long = |letter: &str| letter.repeat(65_536);
    let (a, b) = (long("A"), long("b"));
    let run = Run::of(|tree| {
        put(tree, "k.cu", format!("{KERNEL}cuda{a}(cu{b}::x);\n#include \"{b}.h\"\n#define {a} 1\nat::cuda{};\n", "::x".repeat(65_536)));
        put(tree, "m.py", format!("{MODULE}cuda{a} = torch.cuda.{b}\nimport torch.cuda.{b}\ny = torch.device(\"cuda:{a}\")\n"));
        put(tree, "CMakeLists.txt", format!("{LISTS}set(CUDA_{a} cu{b})\ntarget_sources(a PRIVATE {b}.cu)\n"));
        put(tree, "Makefile", format!("CUDA_{a} = cu{b}.cu\n{MAKE}"));
        put(tree, "s.sh", format!("{SCRIPT}CUDA_{a}=cu{b}.cu\n"));
    })
    .done("long names");
    assert!(String::from_utf8_lossy(&run.out("k.mu")).starts_with("#include <musa_runtime.h>"));
}

#[test]
fn definitions_that_double_forty_times_are_not_written_out() {
    let chain = |first: &str, next: &dyn Fn(usize) -> String, last: &str| {
        let steps: String = (0..40).map(next).collect();
        [first, &steps, last].concat()
    };
    let run = Run::of(|tree| {
        put(tree, "a.cu", KERNEL);
        put(
            tree,
            "k.cu",
            chain(
                "#define A0 cudaFree\n",
                &|at| format!("#define A{} A{at} A{at}\n", at + 1),
                "A40\n",
            ),
        );
        put(
            tree,
            "CMakeLists.txt",
            chain(
                "set(A0 a.cu)\n",
                &|at| format!("set(A{} ${{A{at}}} ${{A{at}}})\n", at + 1),
                "add_library(a ${A40})\n",
            ),
        );
        put(
            tree,
            "text/CMakeLists.txt",
            chain(
                "set(A0 a.cu)\n",
                &|at| format!("set(A{} \"${{A{at}}} ${{A{at}}}\")\n", at + 1),
                "separate_arguments(A40)\nadd_library(a ${A40})\n",
            ),
        );
        put(
            tree,
            "Makefile",
            chain(
                "A0 = a.cu\n",
                &|at| format!("A{} = $(A{at}) $(A{at})\n", at + 1),
                "all: $(A40)\n\tnvcc $(A40)\n",
            ),
        );
        put(
            tree,
            "s.sh",
            chain(
                "A0=a.cu\n",
                &|at| format!("A{}=\"$A{at} $A{at}\"\n", at + 1),
                "nvcc $A40\n",
            ),
        );
        put(
            tree,
            "setup.py",
            chain(
                "from torch.utils.cpp_extension import CUDAExtension\na0 = [\"a.cu\"]\n",
                &|at| format!("a{} = a{at} + a{at}\n", at + 1),
                "CUDAExtension(\"x\", a40)\n",
            ),
        );
        put(
            tree,
            "m.py",
            chain(
                "import torch\ndef f0(): return \"cuda\"\n",
                &|at| format!("def f{}(): return f{at}() or f{at}()\n", at + 1),
                "torch.device(f40())\n",
            ),
        );
        put(
            tree,
            ".github/workflows/w.yml",
            chain(
                "a0: &a0 nvcc\n",
                &|at| format!("a{}: &a{} [*a{at}, *a{at}]\n", at + 1, at + 1),
                "",
            ),
        );
    });
    run.done("doubling");
}

#[test]
fn includes_and_definitions_may_go_round() {
    let run = Run::of(|tree| {
        put(tree, "a.cu", "#include \"b.cuh\"\n#include \"a.cu\"\nvoid a() { cudaFree(0); }\n");
        put(tree, "b.cuh", "#include \"c.cuh\"\ncudaStream_t b;\n");
        put(tree, "c.cuh", "#include \"b.cuh\"\n#include \"a.cu\"\n#include \"../../../../etc/passwd\"\n#include \"/etc/passwd\"\n");
        put(tree, "d.cu", "#define A B cudaFree\n#define B A cudaMalloc\nA B\n");
        put(tree, "m.py", "import torch\na = b\nb = a\ntorch.device(a)\ndef f(): return g()\ndef g(): return f()\ntorch.device(f())\n");
        put(tree, "p/__init__.py", "from .q import *\nfrom . import q\n");
        put(tree, "p/q.py", "from . import *\nfrom .q import *\nx = device(\"cuda\")\n");
        put(tree, "CMakeLists.txt", "set(A ${B})\nset(B ${A})\ninclude(CMakeLists.txt)\nadd_subdirectory(.)\nadd_library(a ${A} a.cu)\n");
        put(tree, "Makefile", "A = $(B)\nB = $(A)\ninclude Makefile\nall: $(A)\n\tnvcc $(B)\n");
    })
    .done("cycles");
    assert!(String::from_utf8_lossy(&run.out("a.mu")).contains("musaFree"));
}

#[test]
fn links_pipes_and_odd_names_are_kept_or_reported() {
    let newline = OsStr::from_bytes(b"new\nline.cu");
    let bytes = OsStr::from_bytes(b"\xff\xfe.cu");
    let run = Run::of(|tree| {
        symlink("a", tree.join("b")).expect("linked");
        symlink("b", tree.join("a")).expect("linked");
        symlink(".", tree.join("round")).expect("linked");
        symlink("/etc/passwd", tree.join("passwd.cu")).expect("linked");
        symlink("/dev/zero", tree.join("zero.cu")).expect("linked");
        symlink("../../outside.cu", tree.join("outside.cu")).expect("linked");
        let made = Command::new("mkfifo").arg(tree.join("pipe.cu")).status();
        assert!(made.expect("mkfifo runs").success());
        fs::write(tree.join(newline), KERNEL).expect("written");
        fs::write(tree.join(bytes), KERNEL).expect("written");
        for name in [
            "K.cu",
            "k.cu",
            "k.CU",
            "-rf.cu",
            "$(id).cu",
            "`id`.cu",
            "a b.cu",
            "*.cu",
            "CON.cu",
            "..cu",
            "\u{202e}uc.cu",
            "<script>.cu",
        ] {
            put(tree, name, KERNEL);
        }
        put(tree, &format!("{}/x.cu", ["d"; 500].join("/")), KERNEL);
        put(tree, &format!("{}.cu", "n".repeat(250)), KERNEL);
    })
    .done("names");
    assert_eq!(run.codes("pipe.cu"), ["PRJ012"]);
    for link in ["passwd.cu", "zero.cu", "outside.cu"] {
        assert_eq!(run.codes(link), ["PRJ010"], "{link}");
    }
    for (name, ported) in [(newline, &b"new\nline.mu"[..]), (bytes, b"\xff\xfe.mu")] {
        let ported = run.out(OsStr::from_bytes(ported));
        assert!(ported.starts_with(b"#include <musa_runtime.h>"), "{name:?}");
    }
    assert!(
        run.out("$(id).mu")
            .starts_with(b"#include <musa_runtime.h>")
    );
    assert!(run.out("-rf.mu").starts_with(b"#include <musa_runtime.h>"));
}

#[test]
fn nothing_that_a_tree_says_writes_outside_of_the_output() {
    let place = TempDir::new().expect("a temporary folder");
    let tree = place.path().join("a/in");
    put(
        &tree,
        "k.cu",
        "#include \"../../escape.cuh\"\n#line 1 \"../../line.cu\"\nvoid f() { cudaFree(0); }\n",
    );
    put(
        &tree,
        "setup.py",
        "from torch.utils.cpp_extension import CUDAExtension\nCUDAExtension(\"x\", [\"../../escape.cu\", \"/tmp/escape.cu\", \"k.cu\"])\n",
    );
    put(
        &tree,
        "CMakeLists.txt",
        "add_library(a ../../escape.cu /tmp/escape.cu k.cu)\nconfigure_file(k.cu ../../configured.cu)\n",
    );
    put(&tree, "MANIFEST.in", "include ../../*.cu\n");
    put(&tree, "sub\\..\\..\\x.cu", KERNEL);
    put(&tree, "C:\\x.cu", KERNEL);
    put(&place.path().join("a"), "escape.cuh", "cudaStream_t s;\n");
    put(place.path(), "escape.cu", KERNEL);
    symlink("../..", tree.join("up")).expect("linked");
    let before = read_tree(place.path());
    let output = Command::new(env!("CARGO_BIN_EXE_torchada"))
        .args(["port", "in", "-o", "out"])
        .current_dir(place.path().join("a"))
        .output()
        .expect("it runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut after = read_tree(place.path());
    after.retain(|path, _| !path.starts_with("a/out/"));
    assert_eq!(before, after);
}

#[test]
fn configuration_and_tables_that_are_broken_are_refused_with_their_place() {
    let deep = format!("a = {}\n", nested("[", "", "]"));
    for text in [
        &b"a = [\n"[..],
        b"nonsense = 1\n",
        b"exclude = 17\n",
        b"exclude = [\"{a,\"]\n",
        b"\xff\xfe\0",
        b"[names]\ncudaFoo = { to = 3 }\n",
        b"[names]\ncudaFoo = { to = \"cudaMalloc\" }\n",
        b"[[ignore]]\n",
        deep.as_bytes(),
    ] {
        let run = Run::of(|tree| put(tree, "torchada.toml", text));
        let printed = String::from_utf8_lossy(&run.output.stderr);
        let shown = text.get(..30).unwrap_or(text).escape_ascii();
        assert_eq!(run.output.status.code(), Some(2), "{shown}: {printed}");
        assert!(
            printed.contains("torchada.toml") || printed.contains("`exclude`"),
            "{shown}: {printed}"
        );
        assert!(!run.place.path().join("out").exists(), "{shown}");
    }
}

/// Statements of inline PTX that take long where they are read more than once.
#[test]
fn assembly_without_end_is_read_once() {
    let statement = |template: &str| {
        let source = format!(
            "__device__ void f(unsigned *d, unsigned a) {{\n    asm volatile({template} : \"=r\"(*d) : \"r\"(a));\n}}\n"
        );
        Run::of(|tree| put(tree, "k.cu", &source)).done("assembly");
    };
    let lines = |count: usize, line: &dyn Fn(usize) -> String| {
        let lines: String = (0..count).map(line).collect();
        format!("\"{{{lines}}}\"")
    };
    statement(&lines(MEGABYTE / 20, &|_| {
        "add.u32 %0, %1, %1;\\n".to_owned()
    }));
    statement(&format!("\"{}\"", nested("{", "add.u32 %0, %1, %1;", "}")));
    statement(&lines(1000, &|at| format!(".reg .b32 r{at}<1024>;")));
    statement(&lines(MANY / 100, &|_| ".reg .b32 r<1024>;".to_owned()));
    statement(&lines(1, &|_| ".reg .b32 r<4000000000>;".to_owned()));
    statement(&lines(1, &|_| ".shared .b32 s[4000000000];".to_owned()));
    let branches = |count: usize, line: &dyn Fn(usize) -> String| {
        let lines: String = (0..count).map(line).collect();
        format!("\"{{ .reg .pred p; setp.eq.u32 p, %1, 0; {lines} }}\"")
    };
    statement(&branches(10_000, &|at| {
        format!("@p bra L{at}; add.u32 %0, %1, 1; L{at}: ")
    }));
    statement(&branches(10_000, &|at| format!("L{at}: @p bra L{at};")));
    let forward = (0..10_000)
        .map(|at| format!("@p bra L{at};"))
        .collect::<Vec<_>>()
        .concat();
    let labels = (0..10_000)
        .rev()
        .map(|at| format!("L{at}: add.u32 %0, %1, 1;"))
        .collect::<Vec<_>>()
        .concat();
    statement(&branches(1, &|_| format!("{forward}{labels}")));
    let back = (0..10_000)
        .rev()
        .map(|at| format!("@p bra L{at};"))
        .collect::<Vec<_>>()
        .concat();
    let labels = (0..10_000)
        .map(|at| format!("L{at}: add.u32 %0, %1, 1;"))
        .collect::<Vec<_>>()
        .concat();
    statement(&branches(1, &|_| format!("{labels}{back}")));
    statement(&format!("\"add.u32 %0, {}%1, %1;\"", "-".repeat(DEEP)));
    statement(&format!(
        "\"mov.b64 %0, {}%1{};\"",
        "{".repeat(DEEP),
        "}".repeat(DEEP)
    ));
    statement(&"\"\" ".repeat(DEEP));
    statement(&"\"add.u32 %0, %1, %1;\" ".repeat(MANY / 40));
    // Macros that double, and one that uses itself.
    let doubling = (1..40)
        .map(|at| format!("#define M{at} M{0} M{0}\n", at - 1))
        .collect::<Vec<_>>()
        .concat();
    let source = format!(
        "#define M0 \"add.u32 %0, %1, %1;\"\n{doubling}#define SELF SELF \";\"\n\
         __device__ void f(unsigned *d, unsigned a) {{\n    asm(M39 : \"=r\"(*d) : \"r\"(a));\n    \
         asm(SELF : \"=r\"(*d) : \"r\"(a));\n}}\n"
    );
    one_file("doubling macros", "k.cu", source);
    let many: String = (0..500)
        .map(|_| "    asm(\"brev.b32 %0, %1;\" : \"=r\"(*d) : \"r\"(a));\n")
        .collect();
    let source = format!("__device__ void f(unsigned *d, unsigned a) {{\n{many}}}\n");
    one_file("many statements", "k.cu", source);
}
