//! Shapes of many files.

use crate::shape::{File, Shape, repeated};

pub const ALL: &[Shape] = &[
    Shape::files(
        "tree-of-sources",
        "a{i}.cu",
        "#include <cuda_runtime.h>\nvoid f{i}() { cudaFree(0); }\n",
        &[],
    ),
    Shape::files(
        "tree-of-folders",
        "d{i}/a.cu",
        "#include <cuda_runtime.h>\nvoid f{i}() { cudaFree(0); }\n",
        &[],
    ),
    Shape::files(
        "tree-of-headers-in-a-chain",
        "h{i}.cuh",
        "#pragma once\n#include \"h{next}.cuh\"\ncudaStream_t s{i};\n",
        &[],
    ),
    Shape::files(
        "tree-of-headers-in-a-ring",
        "h{i}.cuh",
        "#include \"h{next}.cuh\"\n#include \"a.cu\"\ncudaStream_t s{i};\n",
        &[("a.cu", "#include \"h0.cuh\"\n")],
    ),
    Shape::files(
        "tree-of-headers-of-one",
        "a{i}.cu",
        "#include \"h.cuh\"\nMY_FREE(a{i});\n",
        &[(
            "h.cuh",
            "#include <cuda_runtime.h>\n#define MY_FREE(x) cudaFree(x)\n#define cudaThing 1\n",
        )],
    ),
    Shape::files(
        "tree-of-headers-of-own-names",
        "h{i}.cuh",
        "#include \"h{next}.cuh\"\nvoid cudaOwn{i}();\nvoid f{i}() { cudaOwn0(); cudaOwn{next}(); }\n",
        &[],
    ),
    Shape::files(
        "tree-of-headers-that-define",
        "h{i}.h",
        "#include \"h{next}.h\"\n#define cudaOwn{i} 1\n#define HAS_{next} HAS_{i}\n#if HAS_{i}\ncudaStream_t s;\n#endif\n",
        &[],
    ),
    Shape::files(
        "tree-of-headers-with-usings",
        "h{i}.h",
        "#include \"h{next}.h\"\nusing namespace at::cuda;\nnamespace c{i} = at::cuda;\nCUDAStream s{i};\n",
        &[],
    ),
    Shape::files(
        "tree-of-headers-in-pairs",
        "h{i}.h",
        "#include \"h{next}.h\"\n#include \"./h{next}.h\"\ncudaStream_t s;\n",
        &[],
    ),
    Shape::made("tree-of-headers-in-one", headers_in_one),
    Shape::made("tree-of-sources-in-a-list", sources_in_a_list),
    Shape::made("tree-of-sources-in-a-setup", sources_in_a_setup),
    Shape::made("tree-of-folders-deep", folders_deep),
    Shape::files(
        "tree-of-same-names",
        "d{i}/k.cuh",
        "#include \"k.cuh\"\n#include \"d{next}/k.cuh\"\ncudaStream_t s;\n",
        &[],
    ),
    Shape::files(
        "tree-of-same-names-elsewhere",
        "d{i}/e/k.cuh",
        "#include \"k.h\"\n#include \"e/k.cuh\"\ncudaStream_t s;\n",
        &[("a/k.h", ""), ("b/k.h", "")],
    ),
    Shape::files(
        "tree-of-makefiles",
        "d{i}/Makefile",
        "include ../d{next}/Makefile\nall:\n\tnvcc k.cu -o k\n",
        &[],
    ),
    Shape::files(
        "tree-of-cmake-files",
        "d{i}/CMakeLists.txt",
        "set(E cu)\ninclude(../d{next}/a.cmake)\nadd_subdirectory(../d{next} b)\nadd_library(x{i} a.${E})\nfind_package(CUDA)\n",
        &[("CMakeLists.txt", "project(a CUDA)\nadd_subdirectory(d0)\n")],
    ),
    Shape::files(
        "tree-of-scripts-that-run-each-other",
        "d{i}/b.sh",
        "source ../d{next}/b.sh\nnvcc $A a{i}.cu -o a{i}\n../d{next}/b.sh\n",
        &[],
    ),
    Shape::files(
        "tree-of-twins",
        "d{i}/k.cu",
        "void f() { cudaFree(0); }\n",
        &[("musa/k.mu", "void f() { musaFree(0); }\n")],
    ),
    Shape::files(
        "tree-of-modules-in-a-chain",
        "p/m{i}.py",
        "import torch\nfrom .m{next} import f{next}\ndef f{i}(d=\"cuda\"):\n    return f{next}(d)\nf{i}(\"cuda\")\n",
        &[("p/__init__.py", "from .m0 import f0\n")],
    ),
    Shape::files(
        "tree-of-modules-with-stars",
        "p/m{i}.py",
        "import torch\nfrom .m{next} import *\nd{i} = \"cuda\"\nx = torch.device(d{next})\n",
        &[("p/__init__.py", "from .m0 import *\n")],
    ),
    Shape::files(
        "tree-of-modules-of-one",
        "p/m{i}.py",
        "import torch\nfrom .base import f, D\nx = f(\"cuda\")\ny = torch.device(D)\n",
        &[
            ("p/__init__.py", ""),
            (
                "p/base.py",
                "import torch\nD = \"cuda\"\ndef f(d):\n    return torch.device(d)\n",
            ),
        ],
    ),
    Shape::files(
        "tree-of-modules-that-call",
        "p/m{i}.py",
        "import torch\nfrom .base import f\ndef g(d):\n    return f(d)\n",
        &[
            ("p/__init__.py", ""),
            (
                "p/base.py",
                "import torch\ndef f(d):\n    return d == \"cuda\"\n",
            ),
        ],
    ),
    Shape::files(
        "tree-of-classes-in-a-chain",
        "p/m{i}.py",
        "import torch\nfrom .m{next} import A{next}\nclass A{i}(A{next}):\n    def f(self):\n        return self.g(\"cuda\")\n",
        &[("p/__init__.py", "")],
    ),
    Shape::made("tree-of-modules-imported-by-one", modules_in_one),
    Shape::files(
        "tree-of-packages",
        "p{i}/__init__.py",
        "import torch\nfrom p{next} import f\nx = f(\"cuda\")\n",
        &[],
    ),
    Shape::files(
        "tree-of-lists",
        "d{i}/CMakeLists.txt",
        "set(A{i} a.cu)\nadd_subdirectory(../d{next})\nadd_library(a{i} ${A{i}} ${B})\n",
        &[("CMakeLists.txt", "set(B b.cu)\nadd_subdirectory(d0)\n")],
    ),
    Shape::files(
        "tree-of-included-lists",
        "m{i}.cmake",
        "include(m{next}.cmake)\nset(A{i} ${A{next}} cudart)\nadd_library(a{i} ${A{i}} a.cu)\n",
        &[
            ("CMakeLists.txt", "include(m0.cmake)\n"),
            ("a.cu", "cudaStream_t s;\n"),
        ],
    ),
    Shape::files(
        "tree-of-scripts",
        "s{i}.sh",
        "source ./s{next}.sh\nnvcc a.cu -lcudart\n",
        &[("a.cu", "cudaStream_t s;\n")],
    ),
    Shape::files(
        "tree-of-notebooks",
        "n{i}.ipynb",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"import torch\\n\", \"torch.cuda.synchronize()\\n\"]}], \"nbformat\": 4}\n",
        &[],
    ),
    Shape::files(
        "tree-of-texts",
        "t{i}.md",
        "Run `nvcc a{i}.cu` on CUDA.\n",
        &[("a0.cu", "cudaStream_t s;\n")],
    ),
];

/// One source includes all headers.
fn headers_in_one(number: usize) -> Vec<File> {
    let mut files: Vec<File> = (0..number)
        .map(|at| {
            (
                format!("h{at}.cuh"),
                format!("#pragma once\ncudaStream_t s{at};\n#define MY{at} cudaFree\n"),
            )
        })
        .collect();
    files.push((
        "a.cu".to_owned(),
        repeated("#include \"h{i}.cuh\"\nMY{i}(0);\n", number),
    ));
    files
}

/// A list of `CMake`'s names all sources.
fn sources_in_a_list(number: usize) -> Vec<File> {
    named_in(
        "CMakeLists.txt",
        "add_library(a ",
        "a{i}.cu\n",
        ")\n",
        number,
    )
}

/// A setup names all sources.
fn sources_in_a_setup(number: usize) -> Vec<File> {
    let front = "from torch.utils.cpp_extension import CUDAExtension\nCUDAExtension('a', [\n";
    named_in("setup.py", front, "'a{i}.cu',\n", "])\n", number)
}

fn named_in(path: &str, front: &str, piece: &str, back: &str, number: usize) -> Vec<File> {
    let mut files: Vec<File> = (0..number)
        .map(|at| {
            (
                format!("a{at}.cu"),
                "void f() { cudaFree(0); }\n".to_owned(),
            )
        })
        .collect();
    files.push((
        path.to_owned(),
        [front, &repeated(piece, number), back].concat(),
    ));
    files
}

/// Folders that stand inside each other, fifty deep, each with a source.
fn folders_deep(number: usize) -> Vec<File> {
    let one = |at: usize| {
        let folder = format!("d{}/{}", at / 50, "e/".repeat(at % 50));
        (
            format!("{folder}a.cu"),
            "#include \"../a.cu\"\ncudaStream_t s;\n".to_owned(),
        )
    };
    (0..number).map(one).collect()
}

/// One module imports all others.
fn modules_in_one(number: usize) -> Vec<File> {
    let mut files: Vec<File> = (0..number)
        .map(|at| {
            (
                format!("p/m{at}.py"),
                "import torch\ndef f(d):\n    return torch.device(d)\n".to_owned(),
            )
        })
        .collect();
    files.push(("p/__init__.py".to_owned(), String::new()));
    let text = repeated("from p import m{i}\nm{i}.f(\"cuda\")\n", number);
    files.push(("main.py".to_owned(), text));
    files
}
