//! `torchada alias-header`: a header with which one source builds for both.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::program::{text, torchada};
use tempfile::TempDir;

/// A project, its files by path.
fn project(files: &[(&str, &str)]) -> TempDir {
    let place = TempDir::new().expect("a temporary folder");
    for (path, content) in files {
        let path = place.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, content).expect("written");
    }
    place
}

/// The header for a project, from standard output, and the messages, from standard error.
fn header(place: &TempDir, arguments: &[&str]) -> (String, String) {
    let mut line = vec!["alias-header", "p"];
    line.extend(arguments);
    let output = torchada(place.path(), &line);
    assert!(output.status.success(), "{}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

/// A host program that says in a string what it calls in code, and pastes names.
const PROGRAM: &str = r#"// cudaMemset is a name in a comment.
#ifdef USE_MUSA
#include "musa_alias.h"
#else
#include <cublas_v2.h>
#include <cuda_runtime.h>
#endif
#include <cstdio>

#define CUDA_CHECK(call) if ((call) != cudaSuccess) return std::puts("cudaMalloc failed")
#define SCALE(T) cublas##T##scal(2)

int main() {
    void* memory = nullptr;
    CUDA_CHECK(cudaMalloc(&memory, 16));
    std::printf("cudaMalloc, %d, %d\n", SCALE(S), SCALE(D));
    return cudaFree(memory);
}
"#;

/// What a compiler for MUSA would find of it.
const STAND_INS: &[(&str, &str)] = &[
    (
        "sdk/musa_runtime.h",
        "#pragma once\n\
         enum musaError_t { musaSuccess };\n\
         inline musaError_t musaMalloc(void** to, unsigned long) { static char all[16]; *to = all; return musaSuccess; }\n\
         inline musaError_t musaFree(void*) { return musaSuccess; }\n",
    ),
    (
        "sdk/mublas.h",
        "#pragma once\ninline int mublasSscal(int x) { return x; }\ninline int mublasDscal(int x) { return 2 * x; }\n",
    ),
];

fn gcc(place: &Path, arguments: &[&str]) -> Output {
    let output = Command::new("g++")
        .args(arguments)
        .current_dir(place)
        .output();
    output.expect("g++ runs")
}

#[test]
fn one_source_builds_for_musa_with_the_header() {
    let mut files = vec![("p/main.cpp", PROGRAM)];
    files.extend(STAND_INS);
    let place = project(&files);
    let build = ["-DUSE_MUSA", "-Isdk", "p/main.cpp", "-o", "program"];
    assert!(
        !gcc(place.path(), &build).status.success(),
        "nothing is there yet"
    );
    let made = torchada(place.path(), &["alias-header", "p", "-o", "p/musa_alias.h"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let built = gcc(place.path(), &build);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let run = Command::new(place.path().join("program")).output();
    assert_eq!(text(&run.expect("it runs").stdout), "cudaMalloc, 2, 4\n");

    // Forced on the compiler, the header serves code that knows nothing of MUSA.
    let plain = PROGRAM.replace("\"musa_alias.h\"", "<cstddef>");
    fs::write(place.path().join("p/main.cpp"), plain).expect("written");
    let forced = [&["-include", "p/musa_alias.h"], &build[..]].concat();
    let built = gcc(place.path(), &forced);
    assert!(built.status.success(), "{}", text(&built.stderr));

    // A header that this command wrote is no part of the project that it is for.
    let first = fs::read(place.path().join("p/musa_alias.h")).expect("there");
    fs::write(place.path().join("p/main.cpp"), PROGRAM).expect("written");
    let again = torchada(place.path(), &["alias-header", "p", "-o", "p/musa_alias.h"]);
    assert!(again.status.success(), "{}", text(&again.stderr));
    let second = fs::read(place.path().join("p/musa_alias.h")).expect("there");
    assert_eq!(text(&first), text(&second));
}

#[test]
fn only_what_code_uses_is_defined_and_by_library() {
    let place = project(&[("p/main.cpp", PROGRAM)]);
    let (header, printed) = header(&place, &[]);
    insta::assert_snapshot!(header, @r"
    #pragma once

    // Written by `torchada alias-header`: CUDA's names that the code uses, as MUSA has them.
    // Include it in place of CUDA's headers where MUSA is the platform.

    #include <mublas.h>
    #include <musa_runtime.h>

    // cuBLAS
    #define cublasDscal mublasDscal
    #define cublasSscal mublasSscal

    // CUDA runtime
    #define cudaFree musaFree
    #define cudaMalloc musaMalloc
    #define cudaSuccess musaSuccess
    ");
    insta::assert_snapshot!(printed, @r"
    made a header
      holds       2 includes, 5 names
    ");
}

#[test]
fn what_no_macro_does_is_reported_and_never_defined() {
    let place = project(&[
        ("p/q.cu", "void g(void* p) { cudaFree(p); }\n"),
        (
            "p/k.cu",
            r#"#include <ATen/cuda/CUDAContext.h>
#include <cuda_runtime.h>
#include <nvml.h>
#include <dlfcn.h>

void cudaFree(int* own);

void run(void* library, int* own) {
    auto stream = at::cuda::getCurrentCUDAStream();
    nvmlInit();
    dlsym(library, "cudaMalloc");
    cudaDeviceSynchronize();
    cudaFree(own);
    int version = CUDART_VERSION;
#if __CUDA_ARCH__ >= 800
    version = 0;
#endif
#ifdef __CUDACC__
    version = 1;
#endif
}
void cudaFree(int* own) {}
"#,
        ),
    ]);
    let (header, printed) = header(&place, &[]);
    insta::assert_snapshot!(header, @r"
    #pragma once

    // Written by `torchada alias-header`: CUDA's names that the code uses, as MUSA has them.
    // Include it in place of CUDA's headers where MUSA is the platform.

    #include <musa_runtime.h>
    #include <torch_musa/csrc/aten/musa/MUSAContext.h>

    // Compiler
    #ifdef __MUSACC__
    #define __CUDACC__ __MUSACC__
    #endif

    // CUDA runtime
    #define cudaDeviceSynchronize musaDeviceSynchronize

    // Not here:
    //
    // no MUSA counterpart is known (CPP001):
    //   nvmlInit
    //     Write what is asked of NVML with the functions of MTML's library, as `pymtml` of
    //     `mthreads-ml-py` does, or guard the code so that the MUSA build leaves it out.
    //
    // no MUSA counterpart of this header is known (CPP010):
    //   nvml.h
    //     Write what is asked of NVML with the functions of MTML's library, as `pymtml` of
    //     `mthreads-ml-py` does, or guard the code so that the MUSA build leaves it out.
    //
    // a version of CUDA's is used as a value, and MUSA has none that means the same (CPP056):
    //   CUDART_VERSION
    //     write what the code needs of it, or name a release with `--cuda-version` to have its number
    //     written
    //
    // the project declares these itself, and a macro would rename that, too:
    //   cudaFree
    //     where CUDA's is meant, write `musaFree` for MUSA
    //
    // a name in a namespace, which no macro reaches:
    //   at::cuda::getCurrentCUDAStream
    //     where MUSA is built, write `at::musa::getCurrentMUSAStream`
    //
    // text in a string, or an argument that is no name of its own:
    //   cudaMalloc
    //     where MUSA is built, write `musaMalloc`
    //
    // comparisons with an architecture of CUDA's:
    //   __CUDA_ARCH__ >= 800
    //     where MUSA is built, write `__MUSA_ARCH__ >= 100`
    ");
    insta::assert_snapshot!(printed, @r"
    k.cu:3:11: warning[CPP010]: header `nvml.h` has no known MUSA counterpart
    k.cu:10:5: warning[CPP001]: `nvmlInit` has no known MUSA counterpart
    k.cu:14:19: error[CPP056]: `CUDART_VERSION` is a number of CUDA's, and MUSA has none that means the same
    k.cu:9:19: no macro does it: where MUSA is built, write `at::musa::getCurrentMUSAStream` for `at::cuda::getCurrentCUDAStream`
    k.cu:11:21: no macro does it: where MUSA is built, write `musaMalloc` for `cudaMalloc`
    k.cu:15:5: no macro does it: where MUSA is built, write `__MUSA_ARCH__ >= 100` for `__CUDA_ARCH__ >= 800`
    k.cu:1:11: put the include of `ATen/cuda/CUDAContext.h` behind a condition
    k.cu:2:11: put the include of `cuda_runtime.h` behind a condition
    made a header
      holds       2 includes, 2 names
      left        7 things, each with what to do at the end of the lines
      includes    2 includes of CUDA's headers in 1 file, to be put behind a condition
    ");
    assert!(!header.contains("#define cudaFree"));
}

#[test]
fn evidence_has_its_limit_and_its_note() {
    let place = project(&[(
        "p/k.cu",
        "void f(cudaFuncAttributes* a) { cudaFuncGetAttributes(a, f); }\n",
    )]);
    let (all, _) = header(&place, &[]);
    let contested = "#define cudaFuncGetAttributes musaFuncGetAttributes // contested: ";
    assert!(all.contains(contested), "{all}");
    let (sure, printed) = header(&place, &["--min-evidence", "table"]);
    assert!(!sure.contains("#define cudaFuncGetAttributes"), "{sure}");
    assert!(sure.contains("#define cudaFuncAttributes "), "{sure}");
    assert!(
        printed.contains("p/k.cu") || printed.contains("k.cu:1:"),
        "{printed}"
    );
    assert!(printed.contains("CPP005"), "{printed}");
}

#[test]
fn a_header_that_is_there_is_told_what_it_lacks() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/alias-header/input");
    let output = torchada(&fixture, &["alias-header", "."]);
    insta::assert_snapshot!(text(&output.stdout), @r"
    // To be added to vendors/musa.h:

    // CUDA runtime
    #define cudaMallocAsync musaMallocAsync // contested: torch_musa defines an empty one of its own, because the SDK declares it without a definition: MooreThreads/torch_musa:torch_musa/csrc/aten/ops/musa/unimplemented_functions.h
    #define cudaStreamSynchronize musaStreamSynchronize
    ");
    insta::assert_snapshot!(text(&output.stderr), @r"
    vendors/musa.h lacks 2 lines
      holds       2 names, 1 contested
    ");
}

#[test]
fn a_file_of_somebody_elses_stays() {
    let place = project(&[("p/main.cpp", PROGRAM), ("p/mine.h", "int mine;\n")]);
    let output = torchada(place.path(), &["alias-header", "p", "-o", "p/mine.h"]);
    assert_eq!(output.status.code(), Some(2));
    let printed = text(&output.stderr);
    assert!(
        printed.contains("did not write it") && printed.contains("help"),
        "{printed}"
    );
    let there = fs::read_to_string(place.path().join("p/mine.h"));
    assert_eq!(there.expect("there"), "int mine;\n");
}

#[test]
fn a_name_of_which_a_hazard_speaks_is_left_as_well() {
    let source = "#include <cuda_runtime.h>\n__global__ void f(unsigned *p) { *p = __match_all_sync(~0u, 1); }\n";
    let place = project(&[("p/k.cu", source)]);
    let (made, messages) = header(&place, &[]);
    assert!(made.contains("//   __match_all_sync\n"), "{made}");
    assert!(
        messages.contains("k.cu:2:39: warning[CPP113]"),
        "{messages}"
    );
}
