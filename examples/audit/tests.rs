//! A planted fault for each measure: an audit that never counts is no audit.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::json;
use tempfile::TempDir;

use crate::measure::{Measure, Tally};
use crate::second::second_port;
use crate::tree::audit;
use crate::trees::{STATE, Trees};

/// Two trees on disk.
pub(crate) struct Case {
    folder: TempDir,
}

impl Case {
    pub(crate) fn new(input: &[(&str, &str)], output: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (root, files) in [("in", input), ("out", output)] {
            for (path, text) in files {
                let path = folder.path().join(root).join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
        }
        Self { folder }
    }

    /// One file before and after.
    fn file(before: &str, after: &str) -> Self {
        Self::new(&[("a.cu", before)], &[("a.cu", after)])
    }

    pub(crate) fn state(self, name: &str, value: &serde_json::Value) -> Self {
        let folder = self.folder.path().join("out").join(STATE);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), value.to_string()).unwrap();
        self
    }

    pub(crate) fn tally(&self) -> Tally {
        let [input, output] = ["in", "out"].map(|root| self.folder.path().join(root));
        audit(&Trees::read(&input, &output).unwrap(), true).unwrap()
    }

    /// The measures that must be 0 and are not, with their counts.
    pub(crate) fn faults(&self) -> Vec<(Measure, usize)> {
        let tally = self.tally();
        let faults = Measure::ALL
            .into_iter()
            .filter(|measure| measure.must_be_zero());
        faults
            .map(|measure| (measure, tally.of(measure)))
            .filter(|(_, count)| *count > 0)
            .collect()
    }
}

fn at(code: &str, place: [usize; 4]) -> serde_json::Value {
    let [line, column, end_line, end_column] = place;
    json!({ "code": code, "reason": code, "path": "a.cu", "line": line, "column": column,
            "end_line": end_line, "end_column": end_column })
}

#[test]
fn a_good_port_has_no_faults() {
    let case = Case::file(
        "#include <cuda_runtime.h>\n// cudaMalloc\nvoid f() { cudaFree(0); at::cuda::warp_size(); }\n",
        "#include <musa_runtime.h>\n// cudaMalloc\nvoid f() { musaFree(0); at::musa::warp_size(); }\n",
    );
    assert_eq!(case.faults(), []);
    let tally = case.tally();
    assert!(tally.references >= 3);
    assert_eq!(tally.references, tally.translated);
}

#[test]
fn a_name_left_in_silence_is_counted() {
    let text = "\u{e9}; cudaFree(p); // cudaFree\n";
    let case = Case::file(text, text);
    assert_eq!(
        case.faults(),
        [(Measure::Left, 1), (Measure::ConfirmedLeft, 1)]
    );
    let place = &case.tally().places[&Measure::Left][0];
    assert_eq!((place.line, place.column), (1, 4));
    // A finding on its very span ends the silence, but is no reason to leave what is confirmed.
    let report = json!({ "findings": [at("CPP001", [1, 4, 1, 12])] });
    let case = Case::file(text, text).state("report.json", &report);
    assert_eq!(case.faults(), [(Measure::ConfirmedLeft, 1)]);
    assert_eq!(case.tally().reasons["CPP001"], 1);
    // One beside it does not.
    let report = json!({ "findings": [at("CPP001", [1, 4, 1, 13])] });
    let case = Case::file(text, text).state("report.json", &report);
    assert_eq!(case.tally().of(Measure::Left), 1);
    // A declared reason ends both, for the name or for its whole folder.
    let report = json!({ "kept": [at("project-declared", [1, 4, 1, 12])] });
    let case = Case::file(text, text).state("report.json", &report);
    assert_eq!(case.faults(), []);
    assert_eq!(case.tally().confirmed["project-declared"], 1);
    let report = json!({ "kept_paths": [{ "path": "a.cu", "reason": "vendored" }] });
    let case = Case::file(text, text).state("report.json", &report);
    assert_eq!(case.faults(), []);
}

#[test]
fn a_claim_without_a_declaration_is_counted() {
    let kept = |place: [usize; 4]| {
        let mut entry = at("project-declared", place);
        entry["name"] = json!("cudaFree");
        json!({ "kept": [entry] })
    };
    let text = "cudaFree(p);\n";
    let case = Case::file(text, text).state("report.json", &kept([1, 1, 1, 9]));
    assert_eq!(case.tally().of(Measure::Undeclared), 1);
    let text = "int cudaFree(void *p);\n";
    let case = Case::file(text, text).state("report.json", &kept([1, 5, 1, 13]));
    assert_eq!(case.tally().of(Measure::Undeclared), 0);
}

#[test]
fn a_word_that_the_project_declares_is_no_reference() {
    let text = "#include <cuda_fp16.h>\nfloat hrsqrt = 1;\nfloat a = hrsqrt;\n";
    assert_eq!(Case::file(text, text).tally().of(Measure::Left), 0);
}

#[test]
fn names_in_every_position_are_seen() {
    for text in [
        "#include <cuda_runtime.h>\n",
        "# include \"cuda_runtime.h\"\n",
        "#define F(x) \\\n  cudaFree(x)\n",
        "#if defined(CUDA_R_32F)\n#endif\n",
        "auto s = c10::cuda::getCurrentCUDAStream();\n",
        "using namespace at::cuda;\n",
        "#define G(T) cublas##T##gemm(h)\n",
        "TORCH_LIBRARY_IMPL(ops, CUDA, m) {}\n",
        "cuda\\\nFree(p);\n",
    ] {
        let faults = Case::file(text, text).faults();
        assert!(!faults.is_empty(), "nothing is counted in {text}");
    }
    for text in [
        "// cudaFree\n",
        "const char* a = \"cudaFree\";\n",
        "const char* a = R\"x(cudaFree(\")x\";\n",
        "int cudaFreeAll, my_cudaFree, xcudaFree;\n",
        "#error cudaFree it's gone\n",
        "float a = std::max(b, x.min);\n",
        "__global__ void k() { __syncthreads(); }\n",
    ] {
        assert_eq!(Case::file(text, text).faults(), [], "in {text}");
    }
}

#[test]
fn a_header_of_the_tree_is_no_cuda_header() {
    let files = [("a.cu", "#include \"nccl.h\"\n"), ("nccl.h", "")];
    assert_eq!(Case::new(&files, &files).faults(), []);
}

#[test]
fn renamed_names_of_the_project_are_counted() {
    let case = Case::file(
        "int cuda_size; cudaCheck(1);\n",
        "int musa_size; musaCheck(1);\n",
    );
    assert_eq!(case.faults(), [(Measure::OwnRenamed, 2)]);
}

#[test]
fn a_name_that_becomes_the_wrong_one_is_counted() {
    let case = Case::file("cudaFree(p);\n", "musaFreeAsync(p);\n");
    assert_eq!(case.faults(), [(Measure::AgainstTables, 1)]);
}

#[test]
fn edits_in_comments_and_strings_are_counted() {
    let case = Case::file("// on cuda\nint a;\n", "// on musa\nint a;\n");
    assert_eq!(case.faults(), [(Measure::Comments, 1)]);
    let case = Case::file(
        "p(\"out of cuda memory\");\n",
        "p(\"out of musa memory\");\n",
    );
    assert_eq!(case.faults(), [(Measure::Strings, 1)]);
    let case = Case::file("#error on cuda\n", "#error on musa\n");
    assert_eq!(case.faults(), [(Measure::Strings, 1)]);
    let case = Case::file(
        "dlopen(\"libcuda.so\", 1);\n",
        "dlopen(\"libmusa.so\", 1);\n",
    );
    assert_eq!(case.faults(), []);
    assert_eq!(case.tally().of(Measure::StringsToRead), 1);
    let code = "s = \"__global__ void k() {\\n\"\n\"cudaFree(0); }\\n\";\n";
    let case = Case::file(code, &code.replace("cudaFree", "musaFree"));
    assert_eq!(case.faults(), []);
    let case = Case::file(code, &code.replace("cudaFree(0)", "musaFree(1)"));
    assert_eq!(case.faults(), [(Measure::Strings, 1)]);
}

#[test]
fn includes_that_lead_nowhere_are_counted() {
    let input = [("k.cuh", ""), ("a.cu", "#include \"k.cuh\"\n")];
    let case = Case::new(&input, &[("k.muh", ""), ("a.mu", "#include \"k.cuh\"\n")]);
    assert_eq!(case.faults(), [(Measure::Includes, 1)]);
    let case = Case::new(&input, &[("k.muh", ""), ("a.mu", "#include \"k.muh\"\n")]);
    assert_eq!(case.faults(), []);
    let input = [("src/a.cu", "#include <in/k.cuh>\n"), ("x/in/k.cuh", "")];
    let output = [("src/a.cu", "#include <in/k.muh>\n"), ("x/in/k.cuh", "")];
    assert_eq!(
        Case::new(&input, &output).faults(),
        [(Measure::Includes, 1)]
    );
}

#[test]
fn old_names_in_build_files_are_counted() {
    let build = ("CMakeLists.txt", "# k.cu\nadd_library(k src/k.cu)\n");
    let case = Case::new(&[("src/k.cu", ""), build], &[("src/k.mu", ""), build]);
    assert_eq!(case.tally().of(Measure::OldNames), 1);
}

#[test]
fn changed_assembly_is_counted() {
    let text = "asm volatile(\"mov.u32 %0;\" : \"=r\"(x));\n";
    for changed in [
        text.replace("u32", "s32"),
        text.replace("asm", "if (0) asm"),
        text.replace("(x)", "(y)"),
        String::from("\n"),
    ] {
        let case = Case::file(text, &changed);
        assert!(case.tally().of(Measure::Assembly) > 0, "in {changed}");
    }
}

#[test]
fn new_syntax_errors_are_counted() {
    let case = Case::file("void f() { cudaFree(0); }\n", "void f() { musaFree(0; }\n");
    assert_eq!(case.tally().of(Measure::SyntaxErrors), 1);
}

#[test]
fn withdrawn_edits_are_counted() {
    let report = json!({ "findings": [at("CPP040", [1, 1, 1, 2])] });
    let case = Case::file("", "").state("report.json", &report);
    assert_eq!(case.faults(), [(Measure::Withdrawn, 1)]);
}

#[test]
fn bytes_outside_edits_are_counted() {
    for (before, after) in [
        ("int a;\r\n", "int a;\n"),
        ("int a = 1;\n", "int a = 2;\n"),
        ("f('a');\n", "f('b');\n"),
        ("f(a);\n", "f(a, b);\n"),
        ("f(a); \n", "f(a);\n"),
        ("cudaFree(0);\nint b;\n", "\n"),
    ] {
        let case = Case::file(before, after);
        assert!(case.tally().of(Measure::Outside) > 0, "in {before}");
    }
    let case = Case::file("int a;\n", "#include <b.h>\nint a;\n");
    assert_eq!(case.faults(), []);
    assert_eq!(case.tally().of(Measure::LinesAdded), 1);
    let case = Case::file("int a;\n", "int a;\n");
    let file = case.folder.path().join("out/a.cu");
    fs::set_permissions(file, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(case.faults(), [(Measure::Outside, 1)]);
}

#[test]
fn changed_musa_files_are_counted() {
    let case = Case::new(&[("a.mu", "cudaFree(0);")], &[("a.mu", "musaFree(0);")]);
    assert_eq!(case.faults(), [(Measure::MusaFiles, 1)]);
}

#[test]
fn files_without_an_output_are_counted() {
    let manifest = json!({ "files": [{ "path": "a.mu", "source": "a.cu" },
                                     { "path": "b.mu", "source": "b.cu" }] });
    let case = Case::new(&[("a.cu", ""), ("b.cu", ""), ("c.cu", "")], &[("a.mu", "")])
        .state("manifest.json", &manifest);
    assert_eq!(case.faults(), [(Measure::MissingFiles, 1)]);
    assert_eq!(case.tally().of(Measure::NotPorted), 2);
}

#[test]
fn a_port_that_keeps_names_leaves_code_as_it_is() {
    let manifest = json!({ "settings": { "dialect": "portable" },
                           "files": [{ "path": "a.cu", "source": "a.cu" }] });
    let port = |after: &str| {
        let case = Case::new(&[("a.cu", "cudaFree(0);")], &[("a.cu", after)]);
        case.state("manifest.json", &manifest).faults()
    };
    assert_eq!(port("cudaFree(0);"), []);
    assert_eq!(port("musaFree(0);"), [(Measure::Outside, 1)]);
}

#[test]
fn what_a_second_port_changes_is_counted() {
    let case = Case::file("int a;\n", "int a;\n");
    let bin = case.folder.path().join("port");
    for (extra, count) in [
        ("", 0),
        ("; echo x >> \"$7/a.cu\"", 1),
        ("; echo > \"$7/b\"", 1),
    ] {
        let script = format!("#!/bin/sh\ncp -r \"$8\" \"$7\"{extra}\n");
        fs::write(&bin, script).unwrap();
        fs::set_permissions(&bin, fs::Permissions::from_mode(0o700)).unwrap();
        let tally = second_port(&case.folder.path().join("out"), None, &bin).unwrap();
        assert_eq!(tally.of(Measure::SecondPort), count);
    }
    let none = Path::new("nonexistent");
    assert!(second_port(&case.folder.path().join("out"), None, none).is_err());
}

#[test]
fn no_bytes_make_it_panic() {
    let texts: [&[u8]; 6] = [
        b"\xff\xfe::\x00##",
        b"cuda::",
        b"#include <",
        b"asm(",
        b"##cublas##",
        b"R\"(\\",
    ];
    for before in texts {
        for after in texts {
            let case = Case::file("", "");
            fs::write(case.folder.path().join("in/a.cu"), before).unwrap();
            fs::write(case.folder.path().join("out/a.cu"), after).unwrap();
            case.tally();
        }
    }
}

#[test]
fn stale_architectures_are_counted() {
    for (before, after) in [
        ("#if __CUDA_ARCH__ >= 800\n", "#if __MUSA_ARCH__ >= 800\n"),
        ("#if 700<=__CUDA_ARCH__\n", "#if 700<=__MUSA_ARCH__\n"),
        (
            "#if (__CUDA_ARCH__) == (750)\n",
            "#if (__MUSA_ARCH__) == (750)\n",
        ),
        (
            "#define CC 900\nint a = __CUDA_ARCH__ < CC;\n",
            "#define CC 900\nint a = __MUSA_ARCH__ < CC;\n",
        ),
        (
            "int a = __CUDA_ARCH__ / 100;\n",
            "int a = __MUSA_ARCH__ / 100;\n",
        ),
    ] {
        let tally = Case::file(before, after).tally();
        assert_eq!(tally.of(Measure::StaleArchitectures), 1, "in {before}");
    }
    let (before, after) = (
        "#if __CUDA_ARCH__ >= 800\n#endif\n",
        "#if __MUSA_ARCH__ >= 800\n#endif\n",
    );
    let report = json!({ "findings": [at("CPP050", [1, 5, 1, 25])] });
    let case = Case::file(before, after).state("report.json", &report);
    assert_eq!(case.faults(), []);
    assert_eq!(case.tally().of(Measure::ArchitecturesReported), 1);
    // One beside it does not count.
    let report = json!({ "findings": [at("CPP050", [1, 5, 1, 20])] });
    let case = Case::file(before, after).state("report.json", &report);
    assert_eq!(case.tally().of(Measure::StaleArchitectures), 1);
    // In comments, in numbers of MUSA's and in the input's own branches there is nothing to count.
    for (before, after) in [
        ("// __CUDA_ARCH__ >= 800\n", "// __CUDA_ARCH__ >= 800\n"),
        ("#if __MUSA_ARCH__ >= 900\n", "#if __MUSA_ARCH__ >= 900\n"),
        ("#if __CUDA_ARCH__ > 0\n", "#if __MUSA_ARCH__ > 0\n"),
    ] {
        let tally = Case::file(before, after).tally();
        assert_eq!(tally.of(Measure::StaleArchitectures), 0, "in {before}");
    }
}

#[test]
fn decided_comparisons_are_no_faults() {
    for (before, after) in [
        (
            "#if __CUDA_ARCH__ >= 900\n#endif\n",
            "#if 0 /* __CUDA_ARCH__ >= 900 */\n#endif\n",
        ),
        (
            "#if defined(A) && (__CUDA_ARCH__ == 750) // a\n#endif\n",
            "#if defined(A) && (0 /* __CUDA_ARCH__ == 750 */) // a\n#endif\n",
        ),
        (
            "#define A (__CUDA_ARCH__ >= 900)\n",
            "#define A (0) /* __CUDA_ARCH__ >= 900 */\n",
        ),
    ] {
        assert_eq!(Case::file(before, after).faults(), [], "in {before}");
    }
    let (before, after) = (
        "#if __CUDA_ARCH__ > 800\n#endif\n",
        "#if __MUSA_ARCH__ >= 220\n#endif\n",
    );
    let report = json!({ "findings": [at("CPP051", [1, 5, 1, 24])] });
    let case = Case::file(before, after).state("report.json", &report);
    assert_eq!(case.faults(), []);
    // Without a finding, or with a comment that says something else, it is a fault.
    assert_ne!(Case::file(before, after).faults(), []);
    let case = Case::file(
        "#if __CUDA_ARCH__ >= 900\n#endif\n",
        "#if 0 /* __CUDA_ARCH__ >= 800 */\n#endif\n",
    );
    assert_ne!(case.faults(), []);
}

#[test]
fn guards_that_flip_are_counted() {
    for (before, after) in [
        (
            "#if __CUDA_ARCH__ == 0\n",
            "#if 0 /* __CUDA_ARCH__ == 0 */\n",
        ),
        (
            "#if __CUDA_ARCH__ != 0\n",
            "#if 1 /* __CUDA_ARCH__ != 0 */\n",
        ),
        ("#if defined(__CUDA_ARCH__)\n", "#if defined(__MUSACC__)\n"),
        ("#ifndef __CUDA_ARCH__\n", "#ifndef __CUDA_ARCH__\n"),
        (
            "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700\n",
            "#if !defined(__CUDA_ARCH__) || __MUSA_ARCH__ >= 220\n",
        ),
        ("#ifdef __CUDACC__\n", "#ifdef __MUSA_ARCH__\n"),
        (
            "#if __CUDA_ARCH__ < 9999\n",
            "#if 0 /* __CUDA_ARCH__ < 9999 */\n",
        ),
        ("#ifdef __CUDACC__\n#endif\n", "\n\n"),
    ] {
        let tally = Case::file(before, after).tally();
        assert_eq!(tally.of(Measure::FlippedGuards), 1, "in {before}");
    }
    for (before, after) in [
        (
            "#if defined(__CUDA_ARCH__)\n",
            "#if defined(__MUSA_ARCH__)\n",
        ),
        (
            "#if __CUDA_ARCH__ >= 900 && A\n",
            "#if 0 /* __CUDA_ARCH__ >= 900 */ && A\n",
        ),
        ("#if __CUDA_ARCH__ < 700\n", "#if __MUSA_ARCH__ < 220\n"),
        (
            "#if defined(__CUDACC__) || defined(__HIPCC__)\n",
            "#if defined(__MUSACC__) || defined(__HIPCC__)\n",
        ),
    ] {
        let tally = Case::file(before, after).tally();
        assert_eq!(tally.of(Measure::FlippedGuards), 0, "in {before}");
    }
    let text = "#ifdef __CUDA_ARCH__\n#endif\n";
    let report = json!({ "kept": [at("vendor-branch", [1, 8, 1, 21])] });
    assert_eq!(
        Case::file(text, text)
            .state("report.json", &report)
            .faults(),
        []
    );
}

#[test]
fn silent_capability_checks_are_counted() {
    let asks = "cudaDeviceProp p;\n";
    for check in [
        "if (p.major >= 8) {}\n",
        "if (8 <= q->p.major) {}\n",
        "bool a = sm_version == 90;\n",
        "bool a = 800 > cc;\n",
        "f(cudaDevAttrComputeCapabilityMajor);\n",
    ] {
        let text = format!("{asks}{check}");
        let case = Case::file(&text, &text);
        assert_eq!(
            case.tally().of(Measure::SilentCapabilities),
            1,
            "in {check}"
        );
        let line = json!({ "findings": [at("CPP117", [2, 1, 2, 40])] });
        let case = case.state("report.json", &line);
        assert_eq!(
            case.tally().of(Measure::SilentCapabilities),
            0,
            "in {check}"
        );
    }
    for text in [
        "if (p.major >= 8) {}\n",
        "cudaDeviceProp p; if (p.size == 8 || arch == 5 || p.major == q.major) {}\n",
        "cudaDeviceProp p;\n#ifdef USE_MUSA\n#else\nint a = p.major >= 8;\n#endif\n",
        "cudaDeviceProp p;\n#ifdef USE_HIP\nint a = p.major >= 8;\n#endif\n",
    ] {
        let tally = Case::file(text, text).tally();
        assert_eq!(tally.of(Measure::SilentCapabilities), 0, "in {text}");
    }
}

#[test]
fn dispatch_forms_left_are_counted() {
    for form in [
        "TORCH_LIBRARY_IMPL(ns, CUDA, m) {}\n",
        "STABLE_TORCH_LIBRARY_IMPL(ns, AutogradCUDA, m) {}\n",
        "m.impl(\"x\", torch::dispatch(c10::DispatchKey::SparseCUDA, f));\n",
        "auto a = at::Backend::CUDA;\n",
        "auto a = DeviceType::CUDA;\n",
        "auto a = torch::kCUDA;\n",
        "bool a = x.device().is_cuda();\n",
        "bool a = x->is_cuda();\n",
        "torch::Device d(\"cuda:0\");\n",
        "auto d = at::Device(\"cuda\");\n",
        "REGISTER_CUDA_DISPATCH(stub, &kernel);\n",
        "auto a = kDLCUDA;\n",
        "auto s = getCurrentCUDAStream();\n",
        "C10_CUDA_CHECK(e);\n",
    ] {
        let tally = Case::file(form, form).tally();
        assert_eq!(tally.of(Measure::DispatchLeft), 1, "in {form}");
        let report = json!({ "findings": [at("CPP001", [1, 1, 1, 90])] });
        let case = Case::file(form, form).state("report.json", &report);
        assert_eq!(case.tally().of(Measure::DispatchLeft), 0, "in {form}");
        assert_eq!(case.tally().of(Measure::DispatchReported), 1, "in {form}");
    }
    for text in [
        "m.def(\"is_cuda\", &f); g(\"cuda\"); // kCUDA\n",
        "TORCH_LIBRARY(CUDA, m) {}\nTORCH_LIBRARY_IMPL(CUDA, CPU, m) {}\n",
    ] {
        let tally = Case::file(text, text).tally();
        assert_eq!(tally.of(Measure::DispatchLeft), 0, "in {text}");
    }
}
