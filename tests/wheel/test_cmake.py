"""The CMake module: `torchada_port` in a project that builds a program."""

from __future__ import annotations

import os
import shutil
import zipfile
from pathlib import Path

import pytest

import conftest
from conftest import Machine, write

#: A program of two sources, one of them CUDA's by its ending, with headers of its own and of a library's.
PROJECT = {
    "library/CMakeLists.txt": """
        add_library(outside INTERFACE)
        target_include_directories(outside INTERFACE "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>")
        """,
    "library/include/outside/names.h": conftest.PROJECT["library/include/outside/names.h"],
    "project/CMakeLists.txt": """
        cmake_minimum_required(VERSION 3.20)
        project(probe CXX)
        find_package(torchada 0.1 REQUIRED)
        add_subdirectory(../library library)
        add_executable(probe main.cpp src/version.cu src/plain.cpp)
        target_include_directories(probe PRIVATE include $ENV{MUSA_HOME}/include)
        target_link_directories(probe PRIVATE $ENV{MUSA_HOME}/lib)
        target_link_libraries(probe PRIVATE outside musart)
        torchada_port(TARGET probe DEVICE_FLAGS -x c++)
        """,
    "project/main.cpp": """
        #include <cstdio>
        #include <outside/names.h>
        #include "probe/version.cuh"
        int plain();
        int main() { std::printf("%d %s %d %s\\n", version(), outside_name(cudaErrorInvalidValue), plain(), WORD); }
        """,
    "project/src/version.cu": """
        #include <cuda_runtime.h>
        #include <probe/version.cuh>
        int version() { int number = 0; cudaRuntimeGetVersion(&number); return number; }
        """,
    "project/src/plain.cpp": "int plain() { return 1; }\n",
    "project/include/probe/version.cuh": """
        #pragma once
        #define WORD "first"
        int version();
        """,
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The project."""
    return write(tmp_path / "tree", PROJECT) / "project"


class Build:
    """A build folder of the project."""

    def __init__(self, machine: Machine, tree: Path, generator: str, *options: str, **variables: str) -> None:
        self.folder = tree.parent / "build"
        self._machine = machine
        self._variables = {
            **variables,
            "PATH": f"{conftest.SYSTEM}:{conftest.TOOLS}/bin",
            # As a user finds it, who has read the documentation.
            "torchada_DIR": machine.run("python", "-m", "torchada", "--cmake-dir").strip(),
        }
        shutil.rmtree(self.folder, ignore_errors=True)
        self._cmake = conftest.TOOLS / "bin" / "cmake"
        self.printed = machine.run(
            self._cmake, "-S", tree, "-B", self.folder, "-G", generator, *options, **self._variables
        )

    def make(self, code: int = 0) -> str:
        """Build. Returns the output of the build."""
        command = [self._cmake, "--build", self.folder, "--verbose"]
        return self._machine.run(*command, code=code, **self._variables)

    def program(self) -> str:
        """What the program says."""
        return self._machine.run(self.folder / "probe").strip()

    def state(self) -> dict[str, int]:
        """When the objects and the ported files were made."""
        files = [*self.folder.rglob("*.o"), *(self.folder / "torchada").rglob("*.[mch]*")]
        return {path.name: path.stat().st_mtime_ns for path in files}


GENERATORS = ["Ninja", "Unix Makefiles"]

#: What docs/build.md shows, and a project for it.
RECIPE = {
    "project/CMakeLists.txt": conftest.PAGE.split("```cmake\n")[1].split("```")[0],
    "project/main.cpp": """
        #include <cstdio>
        #include "kernels.cuh"
        int main() { std::printf("%d %s\\n", version(), COMPILED_BY); }
        """,
    "project/include/kernels.cuh": """
        #pragma once
        #include <cuda_runtime.h>
        #define COMPILED_BY "a compiler"
        int version();
        """,
    "project/csrc/kernels.cu": """
        #include "kernels.cuh"
        #ifdef __CUDACC__
        __global__ void scale(float* x, float by) { x[threadIdx.x] *= by; }
        void start(float* x) { scale<<<1, 32>>>(x, 2); }
        #endif
        int version() { int number = 0; cudaRuntimeGetVersion(&number); return number; }
        """,
}

#: Stands in for nvcc: the compiler of C++ compiles what nvcc would, and the script answers CMake's questions to nvcc.
NVCC = r"""#!/bin/sh
top=$(dirname "$(dirname "$0")")
asked=
case " $* " in
  *" --version "*)
    echo "nvcc: NVIDIA (R) Cuda compiler driver"
    exit
    ;;
  *" -v "*)
    asked=-D__CUDACC__
    echo "#\$ TOP=$top"
    echo "#\$ LIBRARIES=  \"-L$top/lib64\""
    echo "#\$ g++ \"-L$top/lib64\" -o a.out"
    ;;
esac
for argument; do
  shift
  case $argument in
    -v | --keep | --keep-dir | tmp | -x | cu | -forward-unknown* | --generate-code*) ;;
    *.cu) set -- "$@" -x c++ "$argument" -x none ;;
    *) set -- "$@" "$argument" ;;
  esac
done
version="-D__CUDACC_VER_MAJOR__=13 -D__CUDACC_VER_MINOR__=0 -D__CUDACC_VER_BUILD__=88"
exec g++ -D__NVCC__ $asked $version "$@"
"""

#: Stands in for mcc in the same way.
MCC = r"""#!/bin/sh
for argument; do
  shift
  case $argument in
    musa) set -- "$@" c++ ;;
    *) set -- "$@" "$argument" ;;
  esac
done
exec g++ "$@"
"""


def program(path: Path, text: str) -> Path:
    """A script that can be started."""
    path.parent.mkdir(parents=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def toolkit(folder: Path) -> list[str]:
    """The options that name CUDA's toolkit to CMake: a real one, by `TORCHADA_NVCC`, or what stands in for one."""
    real = os.environ.get("TORCHADA_NVCC")
    if real:
        return [f"-DCMAKE_CUDA_COMPILER={real}", "-DCMAKE_CUDA_ARCHITECTURES=80"]
    nvcc = program(folder / "bin/nvcc", NVCC)
    (folder / "nvvm/libdevice").mkdir(parents=True)
    (folder / "lib64").mkdir()
    (folder / "include").symlink_to(conftest.CUDA / "include")
    (folder / "lib64/libcudart.so").symlink_to(next((conftest.CUDA / "lib").glob("libcudart.so.*")))
    options = {"CUDA_COMPILER": nvcc, "CUDA_COMPILER_FORCED": "ON", "CUDA_ARCHITECTURES": 80}
    return [f"-DCMAKE_{name}={value}" for name, value in options.items()]


def test_one_recipe_builds_for_musa(machine: Machine, tmp_path: Path) -> None:
    tree = write(tmp_path / "tree", RECIPE) / "project"
    mcc = program(tmp_path / "sdk/bin/mcc", MCC)
    build = Build(machine, tree, "Ninja", f"-DCMAKE_CXX_COMPILER={mcc}")
    printed = build.make()
    assert build.program() == "13000 a compiler"
    assert "-x musa" in printed and "kernels.mu" in printed, printed


@pytest.mark.parametrize("is_there", [True, False])
def test_one_recipe_builds_for_nvidia(machine: Machine, tmp_path: Path, is_there: bool) -> None:
    """With torchada on the machine and without."""
    tree = write(tmp_path / "tree", RECIPE) / "project"
    without = [] if is_there else ["-DCMAKE_DISABLE_FIND_PACKAGE_torchada=ON"]
    options = [*toolkit(tmp_path / "toolkit"), *without]
    build = Build(machine, tree, "Ninja", *options, TORCHADA_PLATFORM="cuda", TORCHADA_BINARY="/none")
    printed = build.make()
    assert build.program() == "13000 a compiler"
    assert "nvcc" in printed and "kernels.mu" not in printed, printed


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_target_is_built_from_ported_sources(machine: Machine, tree: Path, generator: str) -> None:
    before = conftest.contents(tree.parent)
    build = Build(machine, tree, generator)
    build.make()
    assert build.program() == "13000 cudaErrorInvalidValue 1 first"
    musa = build.folder / "torchada" / "probe" / f"musa{tree}"
    assert "musaRuntimeGetVersion" in (musa / "src/version.mu").read_text()
    assert "<probe/version.muh>" in (musa / "src/version.mu").read_text()
    assert "musaGetErrorName" in (musa / "../library/include/outside/names.h").read_text()
    assert {name: text for name, text in conftest.contents(tree.parent).items() if name in before} == before


@pytest.mark.parametrize("generator", GENERATORS)
def test_what_changes_is_built_again(machine: Machine, tree: Path, generator: str) -> None:
    build = Build(machine, tree, generator)
    build.make()
    first = build.state()
    printed = build.make()
    assert "Porting" not in printed and "port.py" not in printed, printed
    assert build.state() == first

    # A header's content reaches the program in one build, though its port is made in the middle of it.
    header = tree / "include/probe/version.cuh"
    header.write_text(header.read_text().replace("first", "second"))
    assert "port.py" in build.make()
    assert build.program() == "13000 cudaErrorInvalidValue 1 second"
    second = build.state()
    assert second["version.mu"] == first["version.mu"], "what did not change is not written"

    # So does that of a library's header, and of a source, which is compiled alone.
    names = tree.parent / "library/include/outside/names.h"
    names.write_text(names.read_text().replace("cudaGetErrorName", "cudaGetErrorString"))
    build.make()
    assert build.program() == "13000 invalid argument 1 second"
    third = build.state()
    (tree / "src/plain.cpp").write_text("int plain() { return 2; }\n")
    build.make()
    assert build.program() == "13000 invalid argument 2 second"
    fourth = build.state()
    changed = {name for name, at in fourth.items() if third.get(name) != at}
    assert {name for name in changed if name.endswith(".o")} == {"plain.cpp.o"}

    # A header that is new to the build is known from then on.
    (tree / "src/extra.h").write_text("#define EXTRA 3\n")
    (tree / "src/plain.cpp").write_text('#include "extra.h"\nint plain() { return EXTRA; }\n')
    build.make()
    assert build.program() == "13000 invalid argument 3 second"
    (tree / "src/extra.h").write_text("#define EXTRA 4\n")
    build.make()
    assert build.program() == "13000 invalid argument 4 second"
    assert "port.py" not in build.make()


@pytest.mark.parametrize("generator", GENERATORS)
def test_nothing_happens_for_nvidia(machine: Machine, tree: Path, generator: str) -> None:
    text = (
        (tree / "CMakeLists.txt").read_text().replace("src/version.cu", "src/version.cpp").replace("musart", "cudart")
    )
    (tree / "CMakeLists.txt").write_text(text)
    (tree / "src/version.cu").rename(tree / "src/version.cpp")
    build = Build(machine, tree, generator, TORCHADA_PLATFORM="cuda", TORCHADA_BINARY="/none")
    build.make()
    assert build.program() == "13000 cudaErrorInvalidValue 1 first"
    assert not [path for path in build.folder.rglob("*") if path.name == "torchada"]


def test_a_folder_that_only_the_generator_knows(machine: Machine, tree: Path) -> None:
    text = (tree / "CMakeLists.txt").read_text()
    text = text.replace("PRIVATE include ", 'PRIVATE "$<$<BOOL:ON>:${CMAKE_CURRENT_SOURCE_DIR}/plain>" include ')
    (tree / "CMakeLists.txt").write_text(text)
    (tree / "src/plain.cpp").write_text("#include <number.h>\nint plain() { return NUMBER; }\n")
    write(tree, {"plain/number.h": "#define NUMBER 7\n"})
    build = Build(machine, tree, "Ninja")
    assert "/plain> are not ported" in " ".join(build.printed.split())
    build.make()
    assert build.program() == "13000 cudaErrorInvalidValue 7 first"


def test_force_and_a_program_by_name(machine: Machine, tree: Path, tmp_path: Path) -> None:
    log = tmp_path / "calls"
    program = machine.logging(log)
    options = ["-DTORCHADA_FORCE=ON", f"-DTORCHADA_BINARY={program}", f"-DTORCHADA_PYTHON={machine.python}"]
    build = Build(machine, tree, "Ninja", *options, TORCHADA_PLATFORM="cuda")
    build.make()
    assert log.read_text() == "port\n"


def test_sources_for_somebody_elses_function(machine: Machine, tree: Path) -> None:
    """`musa_add_library` and its kin take a list of sources and make the target themselves."""
    text = (tree / "CMakeLists.txt").read_text()
    text = text.replace("add_executable(probe main.cpp src/version.cu src/plain.cpp)", "")
    text = text.replace("torchada_port(TARGET probe DEVICE_FLAGS -x c++)", "")
    before = """
        torchada_port(TARGET probe SOURCES main.cpp src/version.cu src/plain.cpp OUTPUT sources
            INCLUDE_DIRS include ../library/include OPTIONS --rename=never DEVICE_FLAGS -x c++)
        add_executable(probe ${sources})
        add_dependencies(probe probe_torchada)
        target_include_directories(probe PRIVATE ${sources_INCLUDE_DIRS})
        target_include_directories("""
    text = text.replace("target_include_directories(", before, 1)
    (tree / "CMakeLists.txt").write_text(text)
    build = Build(machine, tree, "Ninja")
    build.make()
    assert build.program() == "13000 cudaErrorInvalidValue 1 first"
    assert (build.folder / "torchada" / "probe" / f"musa{tree}" / "src/version.cu").exists()


def test_a_project_of_scikit_build_core(machine: Machine, tree: Path, tmp_path: Path) -> None:
    """pip builds it in an environment with the wheel, where the module is found by itself."""
    with open(tree / "CMakeLists.txt", "a") as file:
        file.write("install(TARGETS probe DESTINATION probe)\n")
    (tree / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["scikit-build-core", "torchada-port"]\nbuild-backend = "scikit_build_core.build"\n'
        '[project]\nname = "probe"\nversion = "1.0"\n'
    )
    wheel = conftest.pip_wheel(machine, tree, tmp_path)
    with zipfile.ZipFile(wheel) as archive:
        program = Path(archive.extract("probe/probe", tmp_path))
    program.chmod(0o755)
    assert machine.run(program).strip() == "13000 cudaErrorInvalidValue 1 first"


@pytest.mark.parametrize(
    ("call", "printed"),
    [
        ("torchada_port(probe)", "does not know probe"),
        ("torchada_port(TARGET other)", "there is no target other yet"),
        ("torchada_port(TARGET probe SOURCES other.cpp)", r"has\s+no\s+source\s"),
        ("torchada_port(TARGET outside)", "is a target of"),
        ('add_library(broken "a\\nb.cpp")\ntorchada_port(TARGET broken)', r"line\s+break\s+in\s+its\s+name"),
        ("add_library(none INTERFACE)\ntorchada_port(TARGET none)", "has no source that can be ported"),
    ],
)
def test_wrong_calls(machine: Machine, tree: Path, call: str, printed: str) -> None:
    with open(tree / "CMakeLists.txt", "a") as file:
        file.write(call + "\n")
    with pytest.raises(AssertionError, match=printed):
        Build(machine, tree, "Ninja")


def test_a_program_that_is_not_there(machine: Machine, tree: Path) -> None:
    with pytest.raises(AssertionError, match="TORCHADA_BINARY=/none is no program"):
        Build(machine, tree, "Ninja", TORCHADA_BINARY="/none")


def test_a_port_that_fails_ends_the_build(machine: Machine, tree: Path) -> None:
    (tree / "torchada.toml").write_text("nonsense = 1\n")
    build = Build(machine, tree, "Ninja")
    printed = build.make(code=1)
    assert "nonsense" in printed and "Traceback" not in printed
    os.remove(tree / "torchada.toml")
    build.make()
    assert build.program().startswith("13000")
