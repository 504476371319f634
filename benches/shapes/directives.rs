//! Shapes of directives, markers and line ends in C++.

use crate::shape::{File, Shape, repeated};

const fn file(name: &'static str, piece: &'static str) -> Shape {
    Shape::row(name, "k.cu", "#include <cuda_runtime.h>\n", piece, "")
}

pub const ALL: &[Shape] = &[
    // Macros.
    file(
        "macros",
        "#define CUDA_THING{i} cudaFree\nvoid f{i}() { CUDA_THING{i}(0); }\n",
    ),
    file(
        "macros-undefined",
        "#define cudaFree x{i}\n#undef cudaFree\nvoid f{i}() { cudaFree(0); }\n",
    ),
    file(
        "macros-in-a-chain",
        "#define M{next}(x) M{i}(x) cudaFree(x)\nM{next}(a)\n",
    ),
    Shape::made("macros-in-a-chain-backwards", backwards),
    file(
        "macros-that-paste",
        "#define M{i}(x) cuda##x\nvoid f{i}() { M{i}(Free)(0); }\n",
    ),
    file(
        "macros-that-paste-one",
        "#define M(x) cuda##x\nvoid f{i}() { M(Free)(0); }\n",
    ),
    Shape::row(
        "macro-that-pastes-used-often",
        "k.cu",
        "#define M(x) cuda##x\n",
        "void f{i}() { M(Free)(0); M(Thing{i}); }\n",
        "",
    ),
    Shape::row(
        "macro-that-pastes-much",
        "k.cu",
        "#define M(x) ",
        "cuda##x ",
        "\nM(Free)\n",
    ),
    Shape::row(
        "macro-that-pastes-long",
        "k.cu",
        "#define M(x) cuda",
        "##x",
        "\nM(Free)\n",
    ),
    file(
        "macros-that-paste-in-a-chain",
        "#define M{next}(x) M{i}(Mem##x) cuda##x\nM{next}(Free)\n",
    ),
    Shape::row(
        "macros-that-make-names",
        "k.cu",
        "#define MAKE(n) void *n##_ptr;\n",
        "MAKE(cuThing{i})\nint x{i} = use(cuThing{i}_ptr);\n",
        "",
    ),
    Shape::row(
        "macros-that-join-in-a-chain",
        "k.cu",
        "#define J0(a, b) a##b\n",
        "#define J{next}(a, b) J{i}(a, b)\n",
        "#define API(n) J1(cuda, n)\nAPI(Free)\n",
    ),
    Shape::row(
        "macros-that-hand-strings-on",
        "k.cu",
        "#define S0(x) #x\n",
        "#define S{next}(x) S{i}(x) S{i}(x)\n",
        "const char *s = S1(cudaFree);\n",
    ),
    file(
        "macros-with-strings",
        "#define S{i}(x) #x\nconst char *s{i} = S{i}(cudaFree);\n",
    ),
    Shape::row(
        "macro-of-many-lines",
        "k.cu",
        "#define M(x) \\\n",
        "  cudaFree(x + {i}); \\\n",
        "  x\nM(1)\n",
    ),
    Shape::row(
        "macro-used-often",
        "k.cu",
        "#define M(x) cudaFree(x)\n",
        "M(a{i});\n",
        "",
    ),
    Shape::row(
        "macro-with-many-parameters",
        "k.cu",
        "#define M(",
        "a{i}, ",
        "z) cuda##z a1\nM(1, 2)\n",
    ),
    Shape::row(
        "macro-with-many-arguments",
        "k.cu",
        "#define M(...) cuda##__VA_ARGS__\nM(",
        "a{i}, ",
        "z)\n",
    ),
    Shape::nested("macro-calls-nested", "k.cu", "M(", "cudaFree", ")\n"),
    file(
        "macros-of-includes",
        "#define CUDA_H{i} <cuda_runtime.h>\n#include CUDA_H{i}\n",
    ),
    // Conditions.
    file(
        "ifs-on-architectures",
        "#if __CUDA_ARCH__ >= {i}\ncudaStream_t s{i};\n#endif\n",
    ),
    Shape::row(
        "elifs-on-architectures",
        "k.cu",
        "#if __CUDA_ARCH__ >= 900\nint a;\n",
        "#elif __CUDA_ARCH__ >= {i}\ncudaStream_t s{i};\n",
        "#endif\n",
    ),
    file(
        "ifs-on-versions",
        "#if CUDART_VERSION >= {i}\ncudaStream_t s{i};\n#else\nint a{i};\n#endif\n",
    ),
    file(
        "ifs-on-rocm",
        "#ifdef USE_ROCM\nhipStream_t s{i};\n#else\ncudaStream_t s{i};\n#endif\n",
    ),
    file(
        "ifs-on-cuda",
        "#ifdef USE_CUDA\ncudaStream_t s{i};\n#elif defined(USE_ROCM)\nhipStream_t s{i};\n#endif\n",
    ),
    file(
        "ifs-on-own-macros",
        "#define HAS_{next} HAS_{i}\n#if HAS_{next} && defined(USE_CUDA)\ncudaStream_t s{i};\n#endif\n",
    ),
    file("ifs-left-open", "#if A{i}\n"),
    file("elses-without-ifs", "#elif A{i}\ncudaFree(0);\n#else\n"),
    Shape::made("ifs-nested", |number| {
        nested_ifs(number, "#if __CUDA_ARCH__ >= 700\n")
    }),
    Shape::made("ifs-nested-own", |number| {
        nested_ifs(number, "#ifdef USE_CUDA\n")
    }),
    Shape::row(
        "condition-of-many-words",
        "k.cu",
        "#if 1 ",
        "|| CUDA_VERSION > 9 ",
        "\ncudaStream_t s;\n#endif\n",
    ),
    file(
        "conditions-of-many-words",
        "#if defined(USE_CUDA) && (CUDA_VERSION > 9 || defined(A{i})) && !defined(USE_ROCM) && B\ncudaStream_t s;\n#endif\n",
    ),
    file(
        "errors-in-conditions",
        "#ifndef USE_CUDA\n#error \"needs CUDA\"\n#endif\n",
    ),
    file(
        "pragmas",
        "#pragma unroll {i}\n#pragma nv_diag_suppress {i}\ncudaStream_t s{i};\n",
    ),
    file("lines", "#line {i} \"cuda{i}.cu\"\ncudaStream_t s{i};\n"),
    // Includes.
    file("includes", "#include \"a{i}.h\"\n#include <cuda{i}.h>\n"),
    file("includes-of-one", "#include <cuda_runtime.h>\n"),
    file(
        "includes-between",
        "#include <ATen/cuda/CUDAContext.h>\nvoid f{i}() { at::cuda::getCurrentCUDAStream(); }\n",
    ),
    // Line ends.
    file("continuations", "cuda\\\nFree(a{i}); \\\n\n"),
    Shape::row(
        "continuations-alone",
        "k.cu",
        "int a; ",
        "\\\n",
        "cudaStream_t s;\n",
    ),
    Shape::row("continuations-in-a-name", "k.cu", "cuda", "F\\\n", " s;\n"),
    Shape::row(
        "continuations-between-tokens",
        "k.cu",
        "int x = 1 ",
        "+ cudaSuccess \\\n",
        ";\n",
    ),
    Shape::row(
        "continuations-in-a-comment",
        "k.cu",
        "// a ",
        "cudaFree \\\n",
        "b\ncudaStream_t s;\n",
    ),
    Shape::row(
        "continuations-in-a-string",
        "k.cu",
        "const char *s = \"",
        "cudaFree \\\n",
        "\";\n",
    ),
    Shape::row(
        "continuations-in-a-condition",
        "k.cu",
        "#if 1 ",
        "|| A \\\n",
        "\ncudaStream_t s;\n#endif\n",
    ),
    file(
        "continuations-split-names",
        "void f{i}() { cuda\\\nFree(0); cudaMal\\\nloc(0, 1); }\n",
    ),
    Shape::row(
        "line-ends-of-windows",
        "k.cu",
        "#include <cuda_runtime.h>\r\n",
        "cudaStream_t s{i}; \\\r\n\r\n",
        "",
    ),
    // Markers.
    file(
        "markers-start",
        "// MUSIFY_EXCL_START\ncudaStream_t s{i};\n",
    ),
    file(
        "markers-start-and-stop",
        "// MUSIFY_EXCL_START\ncudaStream_t s{i};\n// MUSIFY_EXCL_STOP\ncudaStream_t t{i};\n",
    ),
    file("markers-stop", "// MUSIFY_EXCL_STOP\ncudaStream_t s{i};\n"),
    file(
        "markers-line",
        "cudaStream_t s{i}; // MUSIFY_EXCL_LINE\ncudaStream_t t{i};\n",
    ),
    file(
        "markers-ignore",
        "int v{i} = CUDART_VERSION; // torchada: ignore[CPP056]\n",
    ),
    file(
        "markers-ignore-above",
        "// torchada: ignore[CPP056]\nint v{i} = CUDART_VERSION;\n",
    ),
    file("markers-ignore-all", "// torchada: ignore\n"),
    file(
        "markers-ignore-nothing",
        "int v{i}; // torchada: ignore[CPP001]\n",
    ),
    file(
        "markers-ignore-broken",
        "int v{i} = CUDART_VERSION; // torchada: ignore[CPP056\n",
    ),
    Shape::row(
        "markers-ignore-many-codes",
        "k.cu",
        "int v = CUDART_VERSION; // torchada: ignore[CPP056",
        ", CPP0{i}",
        "]\n",
    ),
    Shape::row(
        "markers-on-one-line",
        "k.cu",
        "",
        "/* torchada: ignore[CPP056] */ v = CUDART_VERSION; /* MUSIFY_EXCL_LINE */ ",
        "\n",
    ),
];

/// Each macro calls one that is defined below it.
fn backwards(number: usize) -> Vec<File> {
    let one = |at: usize| format!("#define M{}(x) M{at}(x)\n", at + 1);
    let chain: String = (0..number).rev().map(one).collect();
    let text = format!("{chain}#define M0(x) cuda##x\nM{number}(Free)\n");
    vec![("k.cu".to_owned(), text)]
}

/// Fifty conditions that stand inside each other, over and over.
fn nested_ifs(number: usize, open: &str) -> Vec<File> {
    let fifty = [
        &open.repeat(50),
        "cudaStream_t s{i};\n",
        &"#endif\n".repeat(50),
    ]
    .concat();
    vec![("k.cu".to_owned(), repeated(&fifty, number.div_ceil(50)))]
}
