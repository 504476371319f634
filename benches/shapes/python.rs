//! Shapes of Python, notebooks and Cython.

use crate::shape::{File, Shape};

const fn file(name: &'static str, piece: &'static str) -> Shape {
    Shape::row(name, "m.py", "import torch\n", piece, "")
}

const fn setup(name: &'static str, piece: &'static str, back: &'static str) -> Shape {
    let front = "from torch.utils.cpp_extension import CUDAExtension\nfrom setuptools import setup\nimport os, torch\nx = []\n";
    Shape::row(name, "setup.py", front, piece, back)
}

pub const ALL: &[Shape] = &[
    file("python-calls", "torch.cuda.synchronize()\n"),
    file("python-plain", "def f{i}(a, b):\n    return a + b * {i}\n"),
    file("python-devices", "x{i} = torch.zeros(3, device=\"cuda\")\n"),
    file(
        "python-device-of-one-name",
        "x = torch.zeros(3, device=\"cuda:{i}\").cuda()\n",
    ),
    file(
        "python-functions-in-a-chain",
        "def f{next}(d):\n    return f{i}(d)\nf{next}(\"cuda\")\n",
    ),
    Shape::row(
        "python-functions-in-a-long-chain",
        "m.py",
        "import torch\ndef f0(d):\n    return torch.device(d)\n",
        "def f{next}(d):\n    return f{i}(d)\n",
        "f{last}(\"cuda\")\n",
    ),
    Shape::made("python-functions-in-a-chain-backwards", backwards),
    Shape::row(
        "python-calls-of-one-function",
        "m.py",
        "import torch\ndef f(d):\n    return torch.zeros(3, device=d)\n",
        "f(\"cuda\")\n",
        "",
    ),
    file(
        "python-calls-among-all",
        "def f{i}(d):\n    f{next}(d); g(d); h{i}(d)\n    return torch.device(d)\ng(f{i}(\"cuda\"))\n",
    ),
    Shape::row(
        "python-attributes",
        "m.py",
        "import torch\nx = torch.cuda",
        ".a",
        "\n",
    ),
    Shape::row(
        "python-attributes-set-to-themselves",
        "m.py",
        "import torch\ndef f(o):\n    if o.device == \"cuda\":\n        torch.cuda.synchronize()\n",
        "    o.device = o.device or o.device\n",
        "",
    ),
    Shape::row(
        "python-calls-chained",
        "m.py",
        "import torch\nx = y",
        ".to(\"cuda\")",
        "\n",
    ),
    Shape::row(
        "python-subscripts-chained",
        "m.py",
        "import torch\nx = torch",
        "[\"cuda\"]",
        "\n",
    ),
    file(
        "python-ifs",
        "if torch.cuda.is_available():\n    d{i} = \"cuda\"\nelse:\n    d{i} = \"cpu\"\n",
    ),
    Shape::row(
        "python-elifs",
        "m.py",
        "import torch\nif a: pass\n",
        "elif torch.cuda.is_available() and b == {i}:\n    d = \"cuda\"\n",
        "",
    ),
    Shape::row(
        "python-elifs-on-text",
        "m.py",
        "import torch\nif a: pass\n",
        "elif d == \"cuda{i}\":\n    x = d\n",
        "",
    ),
    Shape::row(
        "python-elifs-on-capabilities",
        "m.py",
        "import torch\nm = torch.cuda.get_device_capability()\nif a: pass\n",
        "elif m == (8, {i}):\n    x = m\n",
        "",
    ),
    file(
        "python-capabilities",
        "if torch.cuda.get_device_capability()[0] >= {i}:\n    x = {i}\n",
    ),
    Shape::row(
        "python-conditional-expressions",
        "m.py",
        "import torch\nx = ",
        "\"cuda\" if a{i} else ",
        "\"cpu\"\n",
    ),
    Shape::made("python-functions-nested", functions_nested),
    Shape::made("python-blocks-nested", blocks_nested),
    file(
        "python-classes",
        "class A{i}:\n    def f(self):\n        self.d = torch.device(\"cuda\")\n        return self.d\n",
    ),
    file(
        "python-classes-in-a-chain",
        "class A{next}(A{i}):\n    def f{i}(self):\n        return self.f0(\"cuda\")\n",
    ),
    Shape::row(
        "python-methods",
        "m.py",
        "import torch\nclass A:\n",
        "    def f{i}(self, d=\"cuda\"):\n        self.x{i} = d\n        return self.f{next}(d)\n",
        "",
    ),
    Shape::row(
        "python-fields",
        "m.py",
        "import torch\nclass A:\n    def f(self):\n",
        "        self.x{next} = self.x{i} or torch.device(\"cuda\")\n",
        "",
    ),
    Shape::row(
        "python-field-set-often",
        "m.py",
        "import torch\nclass A:\n    def f(self):\n",
        "        self.x = torch.device(\"cuda\"); g(self.x)\n",
        "",
    ),
    file(
        "python-assignments-of-one-name",
        "x = \"cuda\"\ntorch.device(x)\n",
    ),
    file(
        "python-assignments-in-a-chain",
        "x{next} = x{i}\ntorch.device(x{next})\n",
    ),
    Shape::row(
        "python-assignments-in-a-long-chain",
        "m.py",
        "import torch\nx0 = \"cuda\"\n",
        "x{next} = x{i}\n",
        "torch.device(x{last})\n",
    ),
    Shape::row(
        "python-assignments-in-a-function",
        "m.py",
        "import torch\ndef f(x):\n",
        "    x = x or \"cuda\"\n    x = g(x)\n",
        "    return torch.device(x)\n",
    ),
    file("python-additions-to-one-name", "x = x + [\"cuda{i}\"]\n"),
    Shape::row(
        "python-globals",
        "m.py",
        "import torch\nx = \"cuda\"\n",
        "def f{i}():\n    global x\n    x = torch.device(x)\n",
        "",
    ),
    Shape::row(
        "python-alternatives",
        "m.py",
        "import torch\nx = a ",
        "or torch.cuda.is_available() ",
        "\n",
    ),
    Shape::row(
        "python-sums-of-strings",
        "m.py",
        "import torch\nx = \"cuda\" ",
        "+ \"{i}\" ",
        "\ntorch.device(x)\n",
    ),
    Shape::row(
        "python-comparisons",
        "m.py",
        "import torch\nx = ",
        "torch.version.cuda < ",
        "\"12\"\n",
    ),
    Shape::row(
        "python-list-of-strings",
        "m.py",
        "import torch\nx = [",
        "\"cuda\", ",
        "]\n",
    ),
    Shape::row(
        "python-dictionary",
        "m.py",
        "import torch\nx = {",
        "\"cuda{i}\": torch.device(\"cuda\"), ",
        "}\n",
    ),
    Shape::row(
        "python-dictionary-read",
        "m.py",
        "import torch\nx = {\"a\": \"cuda\"}\n",
        "torch.device(x[\"a\"]); x[\"a{i}\"] = \"cuda\"\n",
        "",
    ),
    Shape::row(
        "python-keywords",
        "m.py",
        "import torch\nf(",
        "a{i}=\"cuda\", ",
        ")\n",
    ),
    Shape::row(
        "python-parameters",
        "m.py",
        "import torch\ndef f(",
        "a{i}=\"cuda\", ",
        "z=1):\n    return a0\n",
    ),
    Shape::row(
        "python-f-string",
        "m.py",
        "import torch\nx = f\"",
        "cuda:{torch.cuda.current_device()} ",
        "\"\n",
    ),
    file("python-f-strings", "x{i} = torch.device(f\"cuda:{{i}}\")\n"),
    Shape::row(
        "python-strings-joined",
        "m.py",
        "import torch\nx = (\n",
        "    \"cuda{i}\"\n",
        ")\n",
    ),
    Shape::row(
        "python-kernel-in-a-string",
        "m.py",
        "import cupy\nx = cupy.RawKernel(r'''\n",
        "extern \"C\" __global__ void k{i}() { cudaFree(0); }\n",
        "''', 'k')\n",
    ),
    file(
        "python-kernels-in-strings",
        "k{i} = cupy.RawKernel('extern \"C\" __global__ void k() { __syncwarp(); }', 'k')\n",
    ),
    file(
        "python-decorators",
        "@torch.cuda.amp.autocast()\ndef f{i}(x):\n    return x.cuda()\n",
    ),
    Shape::row(
        "python-decorators-of-one",
        "m.py",
        "import torch\n",
        "@torch.cuda.amp.custom_fwd\n",
        "def f(): pass\n",
    ),
    file(
        "python-comprehensions",
        "x{i} = [torch.device(d) for d in [\"cuda\"] if d != \"cpu\"]\n",
    ),
    file(
        "python-tries",
        "try:\n    import cupy{i}\nexcept ImportError:\n    d = torch.device(\"cuda\")\n",
    ),
    file(
        "python-withs",
        "with torch.cuda.device({i}), torch.cuda.stream(s):\n    torch.cuda.synchronize()\n",
    ),
    file(
        "python-imports",
        "import torch.cuda.m{i}\nfrom torch.cuda import n{i}\n",
    ),
    file(
        "python-imports-of-one",
        "import torch.cuda as c\nc.synchronize()\n",
    ),
    file(
        "python-imports-in-functions",
        "def f{i}():\n    import torch.cuda as c\n    from torch.cuda import amp\n    c.synchronize()\n",
    ),
    file(
        "python-environment",
        "import os\nos.environ[\"CUDA_VISIBLE_DEVICES\"] = \"{i}\"\nx = os.environ.get(\"CUDA_HOME\")\n",
    ),
    file(
        "python-commands",
        "import subprocess\nsubprocess.run([\"nvcc\", \"-arch=sm_80\", \"a{i}.cu\"])\n",
    ),
    file(
        "python-messages",
        "raise RuntimeError(\"needs CUDA {i}\")\nassert torch.cuda.is_available(), \"no CUDA\"\n",
    ),
    file(
        "python-patches",
        "torch.cuda.f{i} = lambda: None\nsetattr(torch.cuda, \"g{i}\", None)\n",
    ),
    file(
        "python-gates",
        "if os.environ.get(\"A{i}\") and torch.version.hip is None and torch.version.cuda:\n    x = 1\n",
    ),
    file(
        "python-own-devices",
        "class cuda{i}: pass\nx = cuda{i}.synchronize(); y.is_cuda\n",
    ),
    file("python-comments", "# torch.cuda of {i}\n"),
    file(
        "python-markers",
        "x = torch.version.cuda  # torchada: ignore\n",
    ),
    file(
        "python-markers-line",
        "x = torch.cuda.foo()  # MUSIFY_EXCL_LINE\n",
    ),
    file(
        "python-continuations",
        "x = torch.cuda \\\n    .synchronize() \\\n    + 1\n",
    ),
    file(
        "python-broken",
        "def f{i}(:\n    x = torch.cuda.synchronize()\n",
    ),
    file("python-left-open", "x = (torch.cuda.synchronize(\n"),
    // Builds.
    setup(
        "setup-flags",
        "x = x + [\"-gencode=arch=compute_80,code=sm_{i}\"]\n",
        "setup(ext_modules=[CUDAExtension(\"a\", [\"a.cu\"], extra_compile_args={\"nvcc\": x})])\n",
    ),
    setup(
        "setup-flags-appended",
        "x.append(\"-DCUDA{i}\")\nx += [\"-lcudart\"]\n",
        "setup(ext_modules=[CUDAExtension(\"a\", [\"a.cu\"], extra_compile_args={\"nvcc\": x})])\n",
    ),
    setup(
        "setup-flags-in-a-chain",
        "x{next} = x{i} + [\"--use_fast_math\"]\n",
        "CUDAExtension(\"a\", [\"a.cu\"], extra_compile_args={\"nvcc\": x{last}})\n",
    ),
    setup(
        "setup-sources-in-a-chain-of-branches",
        "if a:\n    x{next} = x{i}\nelse:\n    x{next} = x{i} + [\"a{i}.cu\"]\n",
        "CUDAExtension(\"a\", x{last})\n",
    ),
    setup(
        "setup-extensions",
        "x.append(CUDAExtension(\"a{i}\", [\"a{i}.cu\"], libraries=[\"cudart\"]))\n",
        "setup(ext_modules=x)\n",
    ),
    setup(
        "setup-gates",
        "if os.environ.get(\"CUDA_HOME\") and torch.cuda.is_available():\n    x += [CUDAExtension(\"a{i}\", [\"a.cu\"])]\n",
        "setup(ext_modules=x)\n",
    ),
    setup(
        "setup-functions",
        "def g{next}(f):\n    return g{i}(f + [\"-arch=sm_80\"])\n",
        "CUDAExtension(\"a\", [\"a.cu\"], extra_compile_args=g{last}([]))\n",
    ),
    // Other hosts of Python.
    Shape::row(
        "notebook-of-many-cells",
        "n.ipynb",
        "{\"cells\": [\n",
        "{\"cell_type\": \"code\", \"source\": [\"import torch\\n\", \"torch.cuda.synchronize()\\n\"]},\n",
        "{\"cell_type\": \"markdown\", \"source\": []}], \"nbformat\": 4}\n",
    ),
    Shape::row(
        "notebook-of-one-cell",
        "n.ipynb",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"import torch\\n\"",
        ", \"x{i} = torch.zeros(3, device=\\\"cuda\\\")\\n\"",
        "]}], \"nbformat\": 4}\n",
    ),
    Shape::row(
        "notebook-of-commands",
        "n.ipynb",
        "{\"cells\": [\n",
        "{\"cell_type\": \"code\", \"source\": [\"!nvcc a{i}.cu -lcudart\\n\", \"%env CUDA_HOME=/a\\n\"]},\n",
        "{\"cell_type\": \"markdown\", \"source\": []}], \"nbformat\": 4}\n",
    ),
    Shape::row(
        "notebook-of-commands-with-variables",
        "n.ipynb",
        "{\"cells\": [\n",
        "{\"cell_type\": \"code\", \"source\": [\"!CUDA_VISIBLE_DEVICES={i} python a.py\\n\", \"!nvidia-smi\\n\"]},\n",
        "{\"cell_type\": \"markdown\", \"source\": []}], \"nbformat\": 4}\n",
    ),
    Shape::row(
        "cython",
        "m.pyx",
        "import torch\ncdef extern from \"cuda_runtime.h\":\n    int cudaFree(void *p)\n",
        "cdef int f{i}(void *p):\n    return cudaFree(p)\n",
        "",
    ),
    Shape::row(
        "cython-declarations",
        "m.pyx",
        "cdef extern from \"cuda_runtime.h\":\n",
        "    int cudaThing{i}(cudaStream_t s)\n",
        "",
    ),
];

fn backwards(number: usize) -> Vec<File> {
    let one = |at: usize| format!("def f{}(d):\n    return f{at}(d)\n", at + 1);
    let chain: String = (0..number).rev().map(one).collect();
    let text = format!(
        "import torch\n{chain}def f0(d):\n    return torch.device(d)\nf{number}(\"cuda\")\n"
    );
    vec![("m.py".to_owned(), text)]
}

/// Twenty functions that stand inside each other, over and over.
fn functions_nested(number: usize) -> Vec<File> {
    indented(number, |at, indent| {
        format!("{indent}def f{at}(d=\"cuda\"):\n{indent}  x{at} = torch.device(d)\n")
    })
}

/// Twenty blocks that stand inside each other, over and over.
fn blocks_nested(number: usize) -> Vec<File> {
    indented(number, |_, indent| {
        format!("{indent}if torch.cuda.is_available():\n{indent}  x = \"cuda\"\n")
    })
}

fn indented(number: usize, piece: impl Fn(usize, &str) -> String) -> Vec<File> {
    let pieces = (0..number).map(|at| piece(at, &"  ".repeat(at % 20)));
    let text: String = std::iter::once("import torch\n".to_owned())
        .chain(pieces)
        .collect();
    vec![("m.py".to_owned(), text)]
}
