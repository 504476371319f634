"""Extensions that were written for CUDA: ported, compiled by a stand-in for mcc, and run on the device."""

from __future__ import annotations

import ctypes
import inspect
import os
import subprocess
import textwrap
import time
from pathlib import Path

import pytest
import torch
import torch.utils.cpp_extension
import torchada
import warm
from torch.utils.cpp_extension import BuildExtension, CUDAExtension
from torch_musa.utils import musa_extension
from torchada.utils import _porter, cpp_extension

ROOT = Path(__file__).resolve().parents[3]
SDK = ROOT / "tests" / "runtime" / "sdk"

# Python's own interface: torch's headers take a minute to compile.
BINDING = r"""
#include <Python.h>
#include "inc/kernel.cuh"

static PyObject* add(PyObject*, PyObject* args) {
    long long a, b, sum, n;
    if (!PyArg_ParseTuple(args, "LLLL", &a, &b, &sum, &n)) return nullptr;
    launch_add((const float*)a, (const float*)b, (float*)sum, n);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"add", add, METH_VARARGS, ""}, {nullptr, nullptr, 0, nullptr}};
#define JOINED(a, b) a##b
#define INITIALIZE(name) JOINED(PyInit_, name)
#define TEXT(name) #name
#define NAME(name) TEXT(name)
static PyModuleDef module = {PyModuleDef_HEAD_INIT, NAME(TORCH_EXTENSION_NAME), nullptr, -1, methods};
PyMODINIT_FUNC INITIALIZE(TORCH_EXTENSION_NAME)() { return PyModule_Create(&module); }
"""

KERNEL = r"""
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include "inc/kernel.cuh"
#include <constants.h>

__global__ void add_kernel(const float* a, const float* b, float* sum, int64_t n) {
    int64_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i] + CONSTANT;
}

void launch_add(const float* a, const float* b, float* sum, int64_t n) {
    cudaStream_t stream = at::cuda::getCurrentCUDAStream();
    add_kernel<<<(n + 255) / 256, 256, 0, stream>>>(a, b, sum, n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
}
"""

HEADER = r"""
#pragma once
#include <cuda_runtime.h>
void launch_add(const float* a, const float* b, float* sum, int64_t n);
"""

SETUP = r"""
import os
import torch
if getattr(torch.version, "musa", None):
    import torchada
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension, CUDA_HOME

assert CUDA_HOME is not None
setup(
    name="adder",
    version="1",
    py_modules=[],
    ext_modules=[
        CUDAExtension(
            "adder",
            ["csrc/binding.cpp", {KERNEL}],
            include_dirs=[os.path.join(os.path.dirname(os.path.abspath(__file__)), "include")],
            libraries=["c10_cuda"],
            extra_compile_args={
                "cxx": ["-O1"],
                "nvcc": ["-O1", "--expt-relaxed-constexpr", "-gencode=arch=compute_80,code=sm_80",
                         "-gencode", "arch=compute_90,code=sm_90", "--use_fast_math", "-Xcompiler", "-Wall"],
            },
        )
    ],
    cmdclass={"build_ext": BuildExtension},
)
"""


def program() -> str:
    """The translator, as built from this checkout or named by TORCHADA_BINARY."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    for path in (os.environ.get("TORCHADA_BINARY"), target / "debug" / "torchada", target / "release" / "torchada"):
        if path and os.access(path, os.X_OK):
            return str(path)
    pytest.skip("the translator is not built: `cargo build`, or set TORCHADA_BINARY")


@pytest.fixture(autouse=True)
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHADA_BINARY", program())
    monkeypatch.setenv("TORCH_EXTENSIONS_DIR", str(tmp_path / "extensions"))
    monkeypatch.setenv("MCC_LOG", str(tmp_path / "mcc.log"))
    monkeypatch.setenv("MUSA_HOME", str(SDK))
    monkeypatch.setattr(musa_extension, "MUSA_HOME", str(SDK))


def log(tmp_path: Path) -> str:
    path = tmp_path / "mcc.log"
    return path.read_text() if path.exists() else ""


def project(folder: Path, kernel: str = '"csrc/kernel.cu"') -> Path:
    for name, text in (
        ("csrc/binding.cpp", BINDING),
        ("csrc/kernel.cu", KERNEL),
        ("csrc/inc/kernel.cuh", HEADER),
        ("include/constants.h", "#define CONSTANT 1\n"),
        ("setup.py", SETUP.replace("{KERNEL}", kernel)),
    ):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def run(folder: Path, *command: str) -> str:
    done = warm.run([*command], cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


CHECK = """
import torch, adder
x = torch.ones(1000, device="cuda")
y, z = 2 * x, torch.empty_like(x)
adder.add(x.data_ptr(), y.data_ptr(), z.data_ptr(), 1000)
print(z.sum().item())
"""


def test_a_project_is_built_in_place(tmp_path: Path) -> None:
    folder = project(tmp_path / "project", 'os.path.abspath("csrc/kernel.cu")')
    before = contents(folder)
    run(folder, "setup.py", "build_ext", "--inplace")
    after = contents(folder)
    assert {name: after[name] for name in before} == before
    assert {name.split("/")[0] for name in after.keys() - before.keys()} == {
        "build",
        next(iter(Path(folder).glob("*.so"))).name,
    }
    called = log(tmp_path)
    assert called.count("kernel.mu") >= 1 and "kernel.cu " not in called
    assert "-ffast-math" in called and "-Wall" in called and "--offload-arch=mp_22" in called
    assert "gencode" not in called and "sm_90" not in called and "constexpr" not in called
    assert run(folder, "-c", f"import torchada{CHECK}").split()[-1] == "4000.0"


def test_it_is_built_again_only_when_inputs_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = project(tmp_path / "project")
    build = ("setup.py", "build_ext", "--inplace")
    run(folder, *build)
    first = log(tmp_path)
    [ported] = folder.glob("build/**/kernel.mu")
    written = ported.stat().st_mtime_ns
    run(folder, *build)
    assert log(tmp_path) == first
    assert ported.stat().st_mtime_ns == written
    time.sleep(0.01)
    (folder / "include" / "constants.h").write_text("#define CONSTANT 5\n")
    run(folder, *build)
    assert log(tmp_path) != first
    assert run(folder, "-c", f"import torchada{CHECK}").split()[-1] == "8000.0"


def test_targets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTGPU_TARGET", "mp_31")
    made = CUDAExtension("adder", ["a.cu"])
    assert "--offload-arch=mp_31" in made.extra_compile_args["mcc"]
    assert "TORCH_MUSA_ARCH_LIST" not in os.environ
    monkeypatch.setenv("MTGPU_TARGET", "sm_80")
    with pytest.raises(ValueError, match="MTGPU_TARGET=sm_80"):
        CUDAExtension("adder", ["a.cu"])


def test_an_extension(tmp_path: Path) -> None:
    flags, libraries = ["-O3"], ["cudart", "c10_cuda", "cublas", "mine"]
    made = CUDAExtension(
        "adder",
        [Path("a.cpp"), "b.cu"],
        libraries=libraries,
        extra_compile_args=flags,
        extra_link_args=["-lnccl", "-Wl,-s"],
    )
    assert made.sources == ["a.cpp", "b.cu"]
    assert made.libraries[:3] == ["musart", "mublas", "mine"]
    assert not {"c10_cuda", "torch_cuda"} & set(made.libraries)
    assert made.extra_compile_args["cxx"] == ["-O3"]
    assert made.extra_compile_args["mcc"][0] == "-O3"
    assert made.extra_link_args[:2] == ["-lmccl", "-Wl,-s"]
    assert (flags, libraries) == (["-O3"], ["cudart", "c10_cuda", "cublas", "mine"])


def test_the_class_is_itself() -> None:
    assert torch.utils.cpp_extension.BuildExtension is BuildExtension is cpp_extension.BuildExtension
    assert BuildExtension.__module__ == "torch.utils.cpp_extension"
    assert issubclass(BuildExtension.with_options(use_ninja=False), BuildExtension)
    assert torch.utils.cpp_extension.CUDAExtension is cpp_extension.CUDAExtension
    assert "name" in inspect.signature(torch.utils.cpp_extension.load_inline).parameters


def test_paths() -> None:
    assert str(SDK / "include") in torch.utils.cpp_extension.include_paths("cuda")
    assert torch.utils.cpp_extension.include_paths(device_type="cuda") == torch.utils.cpp_extension.include_paths(
        cuda=True
    )
    *folders, last = torch.utils.cpp_extension.include_paths(True)
    assert folders == musa_extension.include_paths(musa=True) and last == cpp_extension.stable_compat_include_dir()
    # Newer torch passes on what older torch does not have.
    assert torch.utils.cpp_extension.include_paths("cpu", True) == torch.utils.cpp_extension.include_paths("cpu")
    assert Path(cpp_extension.stable_compat_box_header()).is_relative_to(last)
    assert str(SDK / "include") not in torch.utils.cpp_extension.include_paths()
    assert str(SDK / "lib") in torch.utils.cpp_extension.library_paths("cuda")
    assert str(SDK / "lib") not in torch.utils.cpp_extension.library_paths("cpu")
    assert str(SDK) == cpp_extension.CUDA_HOME


def test_load(tmp_path: Path) -> None:
    folder = project(tmp_path / "project")
    sources = [str(folder / "csrc" / "binding.cpp"), str(folder / "csrc" / "kernel.cu")]
    module = torch.utils.cpp_extension.load(
        "loaded_adder", sources, extra_cuda_cflags=["-lineinfo", "-O1"], extra_include_paths=[str(folder / "include")]
    )
    x = torch.arange(300, dtype=torch.float32, device="cuda")
    total = torch.empty_like(x)
    module.add(x.data_ptr(), x.data_ptr(), total.data_ptr(), x.numel())
    assert total.equal(2 * x + 1)
    assert "-lineinfo" not in log(tmp_path)
    assert set(contents(folder)) == {
        "csrc/binding.cpp", "csrc/kernel.cu", "csrc/inc/kernel.cuh", "include/constants.h", "setup.py"
    }  # fmt: skip


TWICE = """
__global__ void twice(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }
void run(torch::Tensor x) {
    twice<<<dim3((x.numel() + 31) / 32), 32>>>(x.data_ptr<float>(), x.numel());
    cudaError_t error = cudaGetLastError();
    TORCH_CHECK(error == cudaSuccess, cudaGetErrorString(error));
}
"""


def test_load_inline() -> None:
    module = torch.utils.cpp_extension.load_inline(
        "twice", "void run(torch::Tensor x);", TWICE, functions=["run"], extra_cuda_cflags=["-O1"]
    )
    x = torch.ones(100, device="cuda")
    module.run(x)
    assert x.sum().item() == 200


def test_torch_musas_own_keywords(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, object] = {}

    def load_inline(name, cpp_sources, musa_sources=None, functions=None, extra_musa_cflags=None, extra_ldflags=None,
                    extra_include_paths=None, build_directory=None, with_musa=None):  # fmt: skip
        given.update(locals())

    monkeypatch.setattr(musa_extension, "load_inline", load_inline)
    torch.utils.cpp_extension.load_inline(
        "twice", [], musa_sources=TWICE, functions="run", extra_musa_cflags=["-O1", "-arch=sm_80"], with_musa=True
    )
    assert "musaGetLastError" in str(given["musa_sources"]) and "cuda" not in str(given["musa_sources"])
    assert (given["functions"], given["extra_musa_cflags"], given["with_musa"]) == ("run", ["-O1"], True)
    with pytest.raises(TypeError, match="both 'cuda_sources' and 'musa_sources'"):
        torch.utils.cpp_extension.load_inline("twice", [], cuda_sources=TWICE, musa_sources=TWICE)
    with pytest.raises(TypeError):
        torch.utils.cpp_extension.load_inline("twice", [], nonsense=1)
    with pytest.raises(NotImplementedError, match="sycl_sources"):
        torch.utils.cpp_extension.load_inline("twice", [], TWICE, sycl_sources="void f();")


def test_a_text_is_ported() -> None:
    source = "#include <cuda_runtime.h>\nint f() { return cudaDeviceSynchronize() + mine(); }\n"
    ported = cpp_extension.port_source(source, {"mine": "yours"})
    assert ported == source.replace("cuda", "musa").replace("mine", "yours")
    assert cpp_extension._port_cuda_source(source) == source.replace("cuda", "musa")


def test_only_cpp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No translator is needed where nothing is CUDA's."""
    monkeypatch.setenv("TORCHADA_BINARY", str(tmp_path / "none"))
    folder = tmp_path / "plain"
    folder.mkdir()
    code = BINDING.replace('#include "inc/kernel.cuh"', "")
    (folder / "plain.cpp").write_text(code.replace("launch_add((const float*)a, (const float*)b, (float*)sum, n);", ""))
    module = torch.utils.cpp_extension.load("plain", [folder / "plain.cpp"])
    assert module.add(1, 2, 3, 4) is None
    (folder / "setup.py").write_text(
        textwrap.dedent("""
        import torchada
        from setuptools import setup
        from torch.utils.cpp_extension import BuildExtension, CppExtension, CUDAExtension
        made = [CppExtension("plain_cpp", ["plain.cpp"]), CUDAExtension("plain_cuda", ["plain.cpp"])]
        setup(name="plain", ext_modules=made, cmdclass={"build_ext": BuildExtension})
        """)
    )
    run(folder, "setup.py", "build_ext", "--inplace")
    program = "import torch, plain_cpp, plain_cuda; print(plain_cpp.add(1, 2, 3, 4), plain_cuda.add(1, 2, 3, 4))"
    assert run(folder, "-c", program).split()[-2:] == ["None", "None"]
    assert log(tmp_path) == ""


def test_sources_that_are_musa_already(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHADA_BINARY", str(tmp_path / "none"))
    source = tmp_path / "own.mu"
    source.write_text(
        "#include <musa_runtime.h>\n"
        "__global__ void five(float* x) { x[threadIdx.x] = 5; }\n"
        'extern "C" void run(float* x) { five<<<1, 4>>>(x); }\n'
    )
    torch.utils.cpp_extension.load("own_musa", str(source), build_directory=str(tmp_path), is_python_module=False)
    x = torch.zeros(4, device="cuda")
    ctypes.CDLL(str(tmp_path / "own_musa.so")).run(ctypes.c_void_p(x.data_ptr()))
    assert x.tolist() == [5] * 4


def test_extensions_of_others(tmp_path: Path) -> None:
    """An object of setuptools' own class, and a subclass of the builder with a name of its own."""
    folder = project(tmp_path / "project")
    (folder / "csrc" / "kernel.cu").write_text(KERNEL.replace("+ CONSTANT", "+ CUDA_CONSTANT_OF_MINE"))
    (folder / "setup.py").write_text(
        textwrap.dedent("""
        from torch.utils.cpp_extension import BuildExtension
        import torchada
        from setuptools import Extension, setup

        class Mine(BuildExtension):
            def build_extensions(self):
                print("mine", len(self.extensions))
                super().build_extensions()
                print(type(self) is Mine, self.extensions[0].sources)

            def get_mapping_rule(self):
                return {**super().get_mapping_rule(), "CUDA_CONSTANT_OF_MINE": "CONSTANT"}

        extension = Extension("adder", ["csrc/binding.cpp", "csrc/kernel.cu"], language="c++",
                              extra_compile_args={"cxx": [], "nvcc": ["-arch=sm_90", "-Iinclude"]}, libraries=["torch_cuda"])
        setup(name="adder", ext_modules=[extension], cmdclass={"build_ext": Mine})
        """)
    )
    printed = run(folder, "setup.py", "build_ext", "--inplace")
    assert "mine 1" in printed
    assert "True ['csrc/binding.cpp', 'csrc/kernel.cu']" in printed
    assert run(folder, "-c", f"import torchada{CHECK}").split()[-1] == "4000.0"


def test_the_line_of_build_leaves_it_to_torchs_builder(tmp_path: Path) -> None:
    folder = project(tmp_path / "project")
    setup = (folder / "setup.py").read_text()
    own = "torchada.build.cmdclass(BuildExtension.with_options(use_ninja=False))"
    setup = setup.replace('cmdclass={"build_ext": BuildExtension}', f"cmdclass={own}")
    (folder / "setup.py").write_text("import torchada.build\n" + setup)
    run(folder, "setup.py", "build_ext", "--inplace")
    assert len([*folder.glob("build/**/kernel.mu")]) == 1
    assert "-ffast-math" in log(tmp_path)
    assert run(folder, "-c", f"import torchada{CHECK}").split()[-1] == "4000.0"


#: A project that takes its CUDA sources where it finds that there is CUDA, as many do; `{FIRST}` and `{LAST}` are lines.
ASKING = r"""
{FIRST}
import os, torch
from setuptools import setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CppExtension, CUDAExtension

WITH_CUDA = torch.cuda.is_available() and CUDA_HOME is not None
if os.getenv("FORCE_CUDA", "0") == "1":
    WITH_CUDA = True
{LAST}
made = CppExtension("adder_cpu", ["csrc/plain.cpp"])
if WITH_CUDA:
    made = CUDAExtension("adder", ["csrc/binding.cpp", "csrc/kernel.cu"], include_dirs=[os.path.abspath("include")],
                         extra_link_args=["-l", "cudart"])
setup(name="adder", version="1", py_modules=[], ext_modules=[made] if os.getenv("WITH_CUDA_SOURCES", "1") == "1" else [],
      cmdclass={"build_ext": BuildExtension.with_options(use_ninja=False)})
print("afterwards", torch.cuda.is_available(), os.environ.get("FORCE_CUDA"))
"""


def asking(folder: Path, first: str = "", last: str = "") -> Path:
    project(folder)
    plain = BINDING.replace('#include "inc/kernel.cuh"', "").replace("launch_add(", "(void)(")
    (folder / "csrc" / "plain.cpp").write_text(plain.replace("(const float*)a, (const float*)b, (float*)sum, n", "n"))
    (folder / "setup.py").write_text(ASKING.replace("{FIRST}", first).replace("{LAST}", last))
    return folder


def fails(folder: Path, *command: str, **variables: str) -> str:
    done = warm.run([*command], cwd=folder, env={**os.environ, **variables})
    assert done.returncode != 0, done.stdout
    assert not [*folder.rglob("*.so")]
    return done.stderr


@pytest.fixture
def sdk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An SDK with a library to link."""
    (tmp_path / "sdk" / "lib").mkdir(parents=True)
    for name in ("bin", "include"):
        (tmp_path / "sdk" / name).symlink_to(SDK / name)
    library = tmp_path / "sdk" / "lib" / "libmusart.so"
    subprocess.run(["g++", "-shared", "-x", "c", "/dev/null", "-o", library], check=True)
    monkeypatch.setenv("MUSA_HOME", str(tmp_path / "sdk"))


def test_a_setup_script_that_asks_for_cuda_builds_for_musa(tmp_path: Path, sdk: None) -> None:
    """The import is all that it takes."""
    folder = asking(tmp_path / "project", "import torchada.build")
    # As pip runs it.
    printed = run(folder, "-c", "import setuptools.build_meta as build; build.build_wheel('made')")
    assert "afterwards False None" in printed
    assert "kernel.mu" in log(tmp_path)
    assert [path.name.split(".")[0] for path in folder.glob("build/lib*/*.so")] == ["adder"]


@pytest.mark.parametrize("command", [["build_ext", "--inplace"], ["bdist_wheel"]])
def test_a_build_for_the_cpu_by_mistake_stops(tmp_path: Path, command: list[str]) -> None:
    """The import comes behind the questions, or the answer is not what decides."""
    folder = asking(tmp_path / "project", last="import torchada.build")
    there = {"WITH_CUDA_SOURCES": "0"} if command == ["bdist_wheel"] else {}
    printed = fails(folder, "setup.py", *command, **there)
    assert "none of its extensions has a CUDA source, though the project has csrc/kernel.cu" in printed
    assert f"{folder}/setup.py:7: WITH_CUDA = torch.cuda.is_available() and CUDA_HOME is not None" in printed
    assert "in line 10: make that the first import of the script" in printed
    assert "TORCHADA_PLATFORM=cpu" in printed


def test_a_build_for_the_cpu_that_was_asked_for_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = asking(tmp_path / "project", "import torchada.build")
    monkeypatch.setenv("TORCHADA_PLATFORM", "cpu")
    run(folder, "setup.py", "build_ext", "--inplace")
    assert [path.name.split(".")[0] for path in folder.glob("*.so")] == ["adder_cpu"]


def test_without_torch_musa_a_build_for_musa_stops(tmp_path: Path) -> None:
    folder = asking(tmp_path / "project", "import torchada.build")
    here = {"PYTHONPATH": str(ROOT / "src" / "stub"), "TORCHADA_FORCE": "1", "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}
    for forced in ("0", "1"):
        printed = fails(folder, "setup.py", "build_ext", "--inplace", FORCE_CUDA=forced, **here)
        assert "torch_musa, whose builder compiles CUDA extensions of PyTorch's, is not in" in printed, printed
        assert "CUDA_HOME environment variable is not set" not in printed


def test_an_editable_install(tmp_path: Path) -> None:
    folder = project(tmp_path / "project")
    place = tmp_path / "site"
    run(folder, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps", "-e", ".", "--target", str(place))
    found = [*folder.glob("adder*.so"), *place.glob("adder*.so")]
    assert found
    assert run(found[0].parent, "-c", f"import torchada{CHECK}").split()[-1] == "4000.0"


def test_a_translator_that_fails_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "failing"
    script.write_text("#!/bin/sh\necho 'error: no room on the moon' >&2\nexit 2\n")
    script.chmod(0o755)
    monkeypatch.setenv("TORCHADA_BINARY", str(script))
    source = tmp_path / "a.cu"
    source.write_text("__global__ void f() { cudaSuccess; }\n")
    with pytest.raises(_porter.PortError, match="exit code 2:\nerror: no room on the moon"):
        torch.utils.cpp_extension.load("failing", [str(source)])


def test_findings_that_are_errors_are_shown(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a.cu"
    source.write_text("#include <cuda_runtime.h>\nint version() { return CUDART_VERSION; }\n")
    _porter.port([str(source)], [], str(tmp_path / "build"))
    assert f"{source}:2: CPP056: " in capfd.readouterr().err
    _porter.port([str(source)], [], str(tmp_path / "build"))
    assert capfd.readouterr().err == ""


def test_unpatch() -> None:
    made, build = torch.utils.cpp_extension.CUDAExtension, BuildExtension.build_extensions
    torchada.unpatch()
    try:
        assert torch.utils.cpp_extension.CUDAExtension is made.__wrapped__
        assert BuildExtension.build_extensions is build.__wrapped__
        assert "__wrapped__" not in vars(musa_extension.BuildExtension.build_extensions)
    finally:
        torchada.apply_patches()
