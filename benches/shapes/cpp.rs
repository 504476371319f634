//! Shapes of C++ and CUDA.

use crate::shape::Shape;

const HEAD: &str = "#include <cuda_runtime.h>\n";

const fn file(name: &'static str, piece: &'static str) -> Shape {
    Shape::row(name, "k.cu", HEAD, piece, "")
}

const fn body(name: &'static str, piece: &'static str) -> Shape {
    Shape::row(
        name,
        "k.cu",
        "#include <cuda_runtime.h>\nvoid f() {\n",
        piece,
        "}\n",
    )
}

pub const ALL: &[Shape] = &[
    file("cpp-references", "void f{i}() { cudaFree(a{i}); }\n"),
    body("cpp-references-on-one-line", "cudaFree(a); "),
    file(
        "cpp-plain-code",
        "int f{i}(int a, float b) { return a + (int)b * {i}; }\n",
    ),
    Shape::row(
        "cpp-numbers",
        "k.cpp",
        "const int a[] = {",
        "0x12345678,",
        "};\n",
    ),
    file(
        "cpp-findings",
        "int f{i}() { return cudaNoSuchName{i}(); }\n",
    ),
    // Namespaces.
    file(
        "cpp-namespaces-left-open",
        "namespace a { cudaStream_t s;\n",
    ),
    file("cpp-namespaces", "namespace a{i} { cudaStream_t s; }\n"),
    file(
        "cpp-namespaces-reopened",
        "namespace a { namespace b { cudaStream_t s{i}; } }\n",
    ),
    file(
        "cpp-namespaces-qualified",
        "namespace a{i}::b::c { cudaStream_t s; }\n",
    ),
    file(
        "cpp-namespaces-anonymous",
        "namespace { cudaStream_t s{i}; }\n",
    ),
    file(
        "cpp-namespaces-inline",
        "inline namespace v{i} { cudaStream_t s; }\n",
    ),
    file(
        "cpp-namespaces-own-cuda",
        "namespace cuda { void f{i}() { cuda::g{i}(); at::cuda::g(); } }\n",
    ),
    file(
        "cpp-using-directives",
        "using namespace n{i}; cudaStream_t s{i};\n",
    ),
    file(
        "cpp-using-directives-cuda",
        "using namespace at::cuda; CUDAStream s{i};\n",
    ),
    file(
        "cpp-using-declarations",
        "using n{i}::cudaThing{i}; cudaThing{i} s{i};\n",
    ),
    file(
        "cpp-using-declarations-cuda",
        "using at::cuda::CUDAStream; CUDAStream s{i};\n",
    ),
    file(
        "cpp-aliases-of-namespaces",
        "namespace a{i} = at::cuda; a{i}::CUDAStream s{i};\n",
    ),
    file(
        "cpp-aliases-in-a-chain",
        "namespace a{next} = a{i}; a{next}::CUDAStream s{i};\n",
    ),
    file(
        "cpp-aliases-of-one-name",
        "namespace a = at::cuda; a::CUDAStream s{i};\n",
    ),
    file(
        "cpp-aliases-of-types",
        "using t{next} = t{i}; typedef cudaStream_t u{i};\n",
    ),
    Shape::row(
        "cpp-qualified-name",
        "k.cu",
        "at::cuda",
        "::x",
        "::getCurrentCUDAStream s;\n",
    ),
    // Declarations.
    Shape::row(
        "cpp-class-members",
        "k.cu",
        "class A {\n",
        "  cudaStream_t s{i}; void f{i}(cudaEvent_t e) { use(s{i}); }\n",
        "};\n",
    ),
    file(
        "cpp-classes",
        "struct A{i} { cudaStream_t s; A{i}() : s(0) {} };\n",
    ),
    file(
        "cpp-inheritance",
        "struct A{next} : A{i} { cudaStream_t s{i}; };\n",
    ),
    file(
        "cpp-members-outside",
        "cudaError_t A{i}::cudaThing() { return cudaSuccess; }\n",
    ),
    file(
        "cpp-own-functions",
        "void cudaThing{i}(); void f{i}() { cudaThing{i}(); }\n",
    ),
    file(
        "cpp-overloads",
        "void cudaMallocThing(T{i} a) { cudaMallocThing(a); }\n",
    ),
    file(
        "cpp-shadowing",
        "void f{i}() { int cudaSuccess = {i}; use(cudaSuccess); }\n",
    ),
    body(
        "cpp-local-scopes",
        "{ int cudaDeviceCount = {i}; use(cudaDeviceCount); cudaFree(a); }\n",
    ),
    body(
        "cpp-local-variables",
        "int cudaThing{i} = cudaThing{i}_; use(cudaThing{i});\n",
    ),
    Shape::row(
        "cpp-enumerators",
        "k.cu",
        "enum E {\n",
        "  cudaThing{i} = {i},\n",
        "};\n",
    ),
    Shape::row(
        "cpp-parameters",
        "k.cu",
        "void f(",
        "cudaStream_t s{i}, ",
        "int e) {}\n",
    ),
    file(
        "cpp-forward-declarations",
        "struct cudaThing{i}; cudaThing{i} *p{i};\n",
    ),
    file(
        "cpp-extern-c",
        "extern \"C\" { void cuThing{i}(CUstream s); }\n",
    ),
    file(
        "cpp-templates",
        "template <typename T, int N> struct A{i}<T, N> { cudaStream_t s; };\n",
    ),
    Shape::row(
        "cpp-angles-open",
        "k.cu",
        "auto x = ",
        "a<",
        "cudaStream_t;\n",
    ),
    // Statements.
    file(
        "cpp-launches",
        "void f{i}() { k{i}<<<grid, block, 0, stream>>>(a, b); }\n",
    ),
    body("cpp-launches-in-one-body", "k<<<g{i}, b{i}>>>(a);\n"),
    body("cpp-launches-left-open", "k<<<g, "),
    body(
        "cpp-lambdas",
        "auto l{i} = [=] __device__ (int i) { return cudaThing + i; };\n",
    ),
    body(
        "cpp-ifs",
        "if (cudaSuccess == x{i}) { y(); } else { cudaFree(z); }\n",
    ),
    body("cpp-else-ifs", "if (x == {i}) { cudaFree(a); } else "),
    Shape::row("cpp-sums", "k.cu", "int x = ", "cudaSuccess + ", "1;\n"),
    Shape::row(
        "cpp-calls-with-many-arguments",
        "k.cu",
        "int x = f(",
        "cudaSuccess, ",
        "1);\n",
    ),
    body("cpp-error-checks", "CUDA_CHECK(cudaMalloc(&p{i}, {i}));\n"),
    body(
        "cpp-warps",
        "__syncwarp(); int m{i} = __ballot_sync(0xffffffff, {i}); if (lane < 32) {}\n",
    ),
    body(
        "cpp-capabilities",
        "if (prop{i}.major >= 8 && prop{i}.minor == {i}) { }\n",
    ),
    body(
        "cpp-assembly",
        "asm volatile(\"mov.u32 %0, %laneid;\" : \"=r\"(x{i}));\n",
    ),
    Shape::row(
        "cpp-assembly-of-many-lines",
        "k.cu",
        "__device__ void f() { asm(\n",
        "  \"add.u32 %0, %1, %2;\\n\\t\"\n",
        "); }\n",
    ),
    // Literals and comments.
    file("cpp-strings", "const char *s{i} = \"cudaMalloc\";\n"),
    Shape::row(
        "cpp-strings-joined",
        "k.cu",
        "const char *s = \n",
        "  \"__global__ void k{i}() { cudaFree(0); }\\n\"\n",
        ";\n",
    ),
    file(
        "cpp-strings-raw",
        "const char *s{i} = R\"(__global__ void k() { cudaFree(0); })\";\n",
    ),
    Shape::row(
        "cpp-string-raw-of-many-lines",
        "k.cu",
        "const char *s = R\"(\n",
        "__global__ void k{i}() { cudaFree(0); }\n",
        ")\";\n",
    ),
    body("cpp-strings-raw-left-open", "R\"({i}( "),
    body("cpp-quotes-left-open", "' \" \n"),
    body(
        "cpp-loaded-by-name",
        "void *p{i} = dlsym(h, \"cudaMalloc\"); getenv(\"CUDA_HOME\"); dlopen(\"libcudart.so\", 1);\n",
    ),
    file(
        "cpp-comments",
        "// cudaMalloc of {i}\n/* cudaFree */ int a{i};\n",
    ),
    Shape::row(
        "cpp-comment-of-many-lines",
        "k.cu",
        "/*\n",
        " * cudaMalloc of {i}\n",
        " */ cudaStream_t s;\n",
    ),
    file("cpp-no-brackets-closed", "f( [ {\n"),
    file("cpp-brackets-closed-twice", ") ] }\n"),
];
