//! Shapes of build files, scripts and what else speaks of a build.

use crate::shape::{File, Shape};

const HEAD: &str = "find_package(CUDAToolkit REQUIRED)\n";

const fn cmake(name: &'static str, piece: &'static str, back: &'static str) -> Shape {
    Shape::row(name, "CMakeLists.txt", HEAD, piece, back)
}

pub const ALL: &[Shape] = &[
    cmake("cmake-sets", "set(CUDA_A{i} cudart)\n", ""),
    cmake(
        "cmake-sets-of-one",
        "set(A ${A} -lcudart)\n",
        "add_library(a ${A})\n",
    ),
    cmake(
        "cmake-appends",
        "list(APPEND A a{i}.cu)\n",
        "add_library(a ${A})\n",
    ),
    cmake(
        "cmake-appends-of-flags",
        "string(APPEND CMAKE_CUDA_FLAGS \" -gencode=arch=compute_80,code=sm_{i}\")\n",
        "",
    ),
    cmake(
        "cmake-appends-in-ifs",
        "if(A{i})\n  list(APPEND S a{i}.cu)\nendif()\n",
        "add_library(a ${S})\n",
    ),
    cmake(
        "cmake-variables-in-a-chain",
        "set(A{next} ${A{i}})\nadd_library(a{i} ${A{next}} a.cu)\n",
        "",
    ),
    cmake(
        "cmake-variables-in-a-long-chain",
        "set(A{next} ${A{i}} a.cu)\n",
        "add_library(a ${A{last}})\n",
    ),
    cmake(
        "cmake-ifs",
        "if(CUDA_FOUND)\n  add_library(a{i} a.cu)\nelseif(USE_ROCM)\nelse()\nendif()\n",
        "",
    ),
    Shape::row(
        "cmake-elseifs",
        "CMakeLists.txt",
        "if(A)\n",
        "elseif(CUDA_VERSION VERSION_GREATER {i})\n  set(B cudart)\n",
        "endif()\n",
    ),
    Shape::row(
        "cmake-condition",
        "CMakeLists.txt",
        "if(A ",
        "OR CUDA_FOUND ",
        ")\nendif()\n",
    ),
    cmake(
        "cmake-loops",
        "foreach(x IN LISTS A{i})\n  target_link_libraries(${x} CUDA::cudart)\nendforeach()\n",
        "",
    ),
    Shape::made("cmake-loops-nested", |number| {
        cmake_nested(number, "foreach(x 1 2)\n", "endforeach()\n")
    }),
    Shape::made("cmake-ifs-nested", |number| {
        cmake_nested(number, "if(CUDA_FOUND)\n", "endif()\n")
    }),
    cmake(
        "cmake-functions-in-a-chain",
        "function(f{next} a)\n  f{i}(${a})\n  target_link_libraries(${a} CUDA::cudart)\nendfunction()\nf{next}(b{i})\n",
        "",
    ),
    cmake(
        "cmake-functions-used-often",
        "f(a{i} a.cu)\n",
        "function(f a b)\n  cuda_add_library(${a} ${b})\nendfunction()\n",
    ),
    cmake(
        "cmake-targets",
        "add_library(a{i} a{i}.cu)\ntarget_link_libraries(a{i} PRIVATE CUDA::cudart CUDA::cublas)\n",
        "",
    ),
    cmake(
        "cmake-targets-of-one",
        "target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>)\nset_target_properties(a PROPERTIES CUDA_ARCHITECTURES {i})\n",
        "",
    ),
    Shape::row(
        "cmake-list",
        "CMakeLists.txt",
        "add_library(a ",
        "a{i}.cu ",
        ")\n",
    ),
    Shape::row(
        "cmake-list-of-places",
        "CMakeLists.txt",
        "set(PLACES ",
        "$ENV{CUDA_ROOT} ",
        ")\n",
    ),
    cmake(
        "cmake-commands-with-comments",
        "set(CMAKE_CUDA_STANDARD_REQUIRED # {i}\n    ON)\n",
        "",
    ),
    Shape::row(
        "cmake-list-of-libraries",
        "CMakeLists.txt",
        "target_link_libraries(a ",
        "CUDA::cudart ",
        ")\n",
    ),
    Shape::row(
        "cmake-expression",
        "CMakeLists.txt",
        "set(a \"",
        "$<$<COMPILE_LANGUAGE:CUDA>:-a{i}>",
        "\")\n",
    ),
    cmake(
        "cmake-packages",
        "find_package(CUDA{i})\nfind_library(L{i} cudart HINTS ${CUDA_TOOLKIT_ROOT_DIR})\n",
        "",
    ),
    cmake(
        "cmake-architectures",
        "set(CMAKE_CUDA_ARCHITECTURES {i})\n",
        "",
    ),
    cmake(
        "cmake-code",
        "file(WRITE a{i}.cu \"int main() { cudaFree(0); }\")\ncheck_cxx_source_compiles(\"#include <cuda.h>\" A{i})\n",
        "",
    ),
    cmake(
        "cmake-options",
        "option(USE_CUDA{i} \"With CUDA\" ON)\nenable_language(CUDA)\n",
        "",
    ),
    cmake("cmake-comments", "# CUDA of {i}\n#[[ cudart ]]\n", ""),
    Shape::row(
        "cmake-left-open",
        "CMakeLists.txt",
        "",
        "add_library(a ${A \"a.cu\n",
        "",
    ),
    Shape::row(
        "make-variables-in-a-chain",
        "Makefile",
        "A0 = a.cu\n",
        "A{next} = $(A{i}) -lcudart\n",
        "all:\n\tnvcc $(A{last})\n",
    ),
    Shape::row(
        "make-appends",
        "Makefile",
        "",
        "A += a{i}.cu -lcudart\n",
        "all:\n\tnvcc $(A)\n",
    ),
    Shape::row(
        "make-appends-of-itself",
        "Makefile",
        "",
        "A += $(A) $(A) a{i}.cu\n",
        "all:\n\tnvcc $(A) -o x\n",
    ),
    Shape::row(
        "make-commands-of-one-list",
        "Makefile",
        "",
        "A += a{i}.o\nx{i}:\n\tnvcc $(A) -o x{i}\n",
        "",
    ),
    Shape::row(
        "make-rules",
        "Makefile",
        "CUDA_HOME ?= /usr/local/cuda\n",
        "a{i}.o: a{i}.cu\n\t$(CUDA_HOME)/bin/nvcc -arch=sm_80 -c $< -o $@\n",
        "",
    ),
    Shape::row(
        "make-continuations",
        "Makefile",
        "A = ",
        "-lcudart \\\n",
        "\n",
    ),
    Shape::row(
        "make-ifs",
        "Makefile",
        "",
        "ifdef CUDA_HOME\nA += -lcudart\nelse\nendif\n",
        "",
    ),
    Shape::row(
        "shell-commands",
        "s.sh",
        "#!/bin/bash\n",
        "nvcc -arch=sm_80 a{i}.cu -lcudart\n",
        "",
    ),
    Shape::row(
        "shell-exports",
        "s.sh",
        "#!/bin/bash\n",
        "export CUDA_HOME{i}=/usr/local/cuda-{i}\nexport PATH=$CUDA_HOME/bin:$PATH\n",
        "",
    ),
    Shape::row(
        "shell-pipe",
        "s.sh",
        "#!/bin/bash\nnvcc a.cu ",
        "| nvcc - ",
        "\n",
    ),
    Shape::row(
        "shell-continuations",
        "s.sh",
        "#!/bin/bash\nnvcc ",
        "-lcudart \\\n  ",
        "\n",
    ),
    Shape::row(
        "shell-here-documents",
        "s.sh",
        "#!/bin/bash\n",
        "cat > a{i}.cu <<EOF\ncudaFree(0);\nEOF\nnvcc a{i}.cu\n",
        "",
    ),
    Shape::row(
        "shell-here-document-left-open",
        "s.sh",
        "#!/bin/bash\n",
        "cat <<EOF{i}\nnvcc a.cu\n",
        "",
    ),
    Shape::row(
        "shell-functions",
        "s.sh",
        "#!/bin/bash\n",
        "f{i}() {\n  nvcc $1\n}\nf{i} a.cu\n",
        "",
    ),
    Shape::row(
        "shell-variables-in-a-chain",
        "s.sh",
        "#!/bin/bash\nA0=a.cu\n",
        "A{next}=\"$A{i} a.cu\"\n",
        "nvcc $A{last}\n",
    ),
    Shape::row(
        "shell-quotes",
        "s.sh",
        "#!/bin/bash\n",
        "echo \"$(nvcc --version)\" 'cuda' `nvcc`\n",
        "",
    ),
    Shape::row(
        "shell-case",
        "s.sh",
        "#!/bin/bash\ncase $x in\n",
        "cuda{i}) nvcc a.cu ;;\n",
        "esac\n",
    ),
    Shape::row(
        "shell-left-open",
        "s.sh",
        "#!/bin/bash\n",
        "nvcc \"$(\n",
        "",
    ),
    Shape::row(
        "docker",
        "Dockerfile",
        "FROM nvidia/cuda:12.1.0-devel-ubuntu22.04\n",
        "ENV CUDA_HOME=/usr/local/cuda{i}\nRUN apt-get install -y cuda-toolkit-12-1 \\\n    && nvcc a{i}.cu\n",
        "",
    ),
    Shape::row(
        "docker-stages",
        "Dockerfile",
        "",
        "FROM nvidia/cuda:12.{i} AS a{i}\nCOPY --from=a{i} /usr/local/cuda /cuda\n",
        "",
    ),
    Shape::row(
        "workflow",
        ".github/workflows/w.yml",
        "jobs:\n  a:\n    steps:\n",
        "      - run: nvcc a{i}.cu -lcudart\n",
        "",
    ),
    Shape::row(
        "workflow-of-blocks",
        ".github/workflows/w.yml",
        "jobs:\n",
        "  a{i}:\n    env:\n      CUDA_HOME: /usr/local/cuda\n    steps:\n      - run: |\n          nvcc a.cu\n          nvcc b.cu\n",
        "",
    ),
    Shape::row(
        "workflow-anchors",
        ".github/workflows/w.yml",
        "a0: &a0 nvcc\n",
        "a{next}: &a{next} [*a{i}, nvcc]\n",
        "",
    ),
    Shape::row(
        "requirements",
        "requirements.txt",
        "",
        "cupy-cuda12x=={i}\nnvidia-cublas-cu12\n",
        "",
    ),
    Shape::row(
        "pyproject",
        "pyproject.toml",
        "[project]\nname = \"a\"\ndependencies = [\n",
        "  \"cupy-cuda12x=={i}\",\n",
        "]\n",
    ),
    Shape::row(
        "setup-cfg",
        "setup.cfg",
        "[options]\ninstall_requires =\n",
        "    cupy-cuda12x=={i}\n",
        "",
    ),
    Shape::row(
        "manifest",
        "MANIFEST.in",
        "",
        "include a{i}.cu\nrecursive-include b{i} *.cuh\n",
        "",
    ),
    Shape::row(
        "bazel",
        "BUILD",
        "",
        "cc_library(name = \"a{i}\", srcs = [\"a{i}.cu\"], deps = [\"@local_config_cuda//cuda:cudart\"])\n",
        "",
    ),
    Shape::row(
        "ninja",
        "build.ninja",
        "",
        "build a{i}.o: nvcc a{i}.cu\n",
        "",
    ),
];

/// Twenty blocks that stand inside each other, over and over.
fn cmake_nested(number: usize, open: &str, close: &str) -> Vec<File> {
    let inner = "target_link_libraries(a CUDA::cudart)\n";
    let twenty = [&open.repeat(20), inner, &close.repeat(20)].concat();
    vec![(
        "CMakeLists.txt".to_owned(),
        twenty.repeat(number.div_ceil(20)),
    )]
}
