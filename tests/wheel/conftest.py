"""What the wheel's tests share: the wheel where a user has it, and a machine that looks as if MUSA's SDK were on it.

`TORCHADA_WHEEL` is the wheel, and `TORCHADA_TOOLS` the environment with what builds; the tests run in it.
`TORCHADA_BINARY` is a program that ports as the wheel's own does, and keeps what it ports.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

WHEEL = Path(os.environ["TORCHADA_WHEEL"])
TOOLS = Path(os.environ["TORCHADA_TOOLS"])

#: What ports, and keeps what it ported.
RECORDER = os.environ.pop("TORCHADA_BINARY")

#: CUDA's headers and the library of its runtime, as PyPI has them.
CUDA = next(TOOLS.glob("lib/python*/site-packages/nvidia/cu*"))

#: No cargo, no nvcc, and no other torchada.
SYSTEM = "/usr/bin:/bin"

#: The page of the documentation about builds.
PAGE = (Path(__file__).parents[2] / "docs" / "build.md").read_text(encoding="utf-8")

#: An extension for Python that asks CUDA's runtime for its version, through headers in three places.
PROJECT = {
    "project/csrc/probe.cpp": """
        #define PY_SSIZE_T_CLEAN
        #include <Python.h>
        #include "version.h"
        #include <probe/checks.h>

        static PyObject* version(PyObject*, PyObject*) {
            int number = 0;
            if (cuda_version(&number) != cudaSuccess) return nullptr;
            return PyLong_FromLong(number + PROBE_EXTRA);
        }
        static PyObject* word(PyObject*, PyObject*) { return PyUnicode_FromString(PROBE_NAME(cudaErrorInvalidValue)); }
        static PyMethodDef methods[] = {
            {"version", version, METH_NOARGS, ""}, {"word", word, METH_NOARGS, ""}, {nullptr, nullptr, 0, nullptr}};
        static PyModuleDef module = {PyModuleDef_HEAD_INIT, "probe", nullptr, -1, methods};
        PyMODINIT_FUNC PyInit_probe() { return PyModule_Create(&module); }
        """,
    "project/csrc/version.cpp": """
        #include "version.h"
        cudaError_t cuda_version(int* number) { return cudaRuntimeGetVersion(number); }
        """,
    "project/csrc/version.h": """
        #pragma once
        #include <cuda_runtime.h>
        cudaError_t cuda_version(int* number);
        """,
    "project/include/probe/checks.h": """
        #pragma once
        #include <outside/plain.h>
        #define PROBE_NAME(error) outside_name(error)
        """,
    # Nothing of CUDA's in it, but it leads there.
    "library/include/outside/plain.h": """
        #pragma once
        #include "names.h"
        #define PROBE_EXTRA 0
        """,
    "library/include/outside/names.h": """
        #pragma once
        #include <cuda_runtime.h>
        inline const char* outside_name(cudaError_t error) { return cudaGetErrorName(error); }
        """,
    # As docs/build.md shows it.
    "project/setup.py": PAGE.split("```python\n")[2].split("```")[0],
    "project/pyproject.toml": """
        [build-system]
        requires = ["setuptools", "torchada-port"]
        build-backend = "setuptools.build_meta"
        """,
}


def write(folder: Path, files: dict[str, str]) -> Path:
    """Write files, each without the indent of its text."""
    import textwrap

    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip())
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """The files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@dataclass
class Machine:
    """A user's environment with the wheel in it, and nothing else that has to do with torchada or CUDA."""

    #: The virtual environment.
    root: Path
    #: What every program gets.
    variables: dict[str, str]

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.root / "bin" / "python"

    def run(self, *command: str | Path, cwd: Path | None = None, code: int = 0, **variables: str) -> str:
        """Run a program, which has to end with `code`. Returns its output."""
        done = subprocess.run(
            [str(each) for each in command],
            cwd=cwd or self.root,
            env={**self.variables, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == code, f"{command} ended with {done.returncode}:\n{done.stdout}"
        return done.stdout

    def logging(self, log: Path) -> str:
        """A program that writes a line for each time the translator is called."""
        script = log.with_suffix(".sh")
        script.write_text(f'#!/bin/sh\necho "$1" >> {log}\nexec "{RECORDER}" "$@"\n')
        script.chmod(0o755)
        return str(script)


def pip(*arguments: str | Path) -> None:
    """Run the tools' pip."""
    subprocess.run([sys.executable, "-m", "pip", "--quiet", "--no-input", *map(str, arguments)], check=True)


def environment(root: Path, *wheels: Path) -> Path:
    """A virtual environment with wheels in it."""
    base = getattr(sys, "_base_executable", sys.executable)
    subprocess.run([base, "-m", "venv", "--without-pip", str(root)], check=True)
    if wheels:
        pip("--python", root / "bin" / "python", "install", "--no-index", "--no-deps", *wheels)
    return root


def wheelhouse(place: Path) -> list[str]:
    """What keeps pip to the wheels that are there."""
    place.mkdir()
    for wheel in (WHEEL, *(TOOLS / "wheelhouse").glob("*.whl")):
        shutil.copy(wheel, place)
    return ["--no-index", "--find-links", str(place)]


def pip_wheel(machine: Machine, project: Path, place: Path) -> Path:
    """The wheel of a project as pip builds it, in an environment that has what `pyproject.toml` asks for.

    The program in that environment is the wheel's own. It ports what other tests have the recorder port.
    """
    command = [TOOLS / "bin" / "python", "-m", "pip", "wheel", ".", "--no-deps", "--quiet", "-w", place]
    # pip hides the environment's packages from the build, and with them the script that starts CMake.
    [cmake] = TOOLS.glob("lib/python*/site-packages/cmake/data/bin")
    path = f"{SYSTEM}:{cmake}:{TOOLS}/bin"
    # What an environment for one build holds is not worth being compiled.
    variables = {"PATH": path, "PIP_CONFIG_FILE": os.devnull, "PIP_NO_COMPILE": "1", "TORCHADA_BINARY": ""}
    machine.run(*command, *wheelhouse(place / "house"), cwd=project, **variables)
    [wheel] = place.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A fresh environment with the wheel and setuptools, on a machine with MUSA's SDK."""
    place = tmp_path_factory.mktemp("machine")
    root = environment(place / "user", WHEEL, *(TOOLS / "wheelhouse").glob("setuptools-*.whl"))
    # Headers that give MUSA's names CUDA's meaning, and CUDA's library under MUSA's name.
    home = place / "musa"
    (home / "lib").mkdir(parents=True)
    (home / "bin").mkdir()
    (home / "bin" / "mcc").write_text("#!/bin/sh\nexit 1\n")
    (home / "bin" / "mcc").chmod(0o755)
    library = next((CUDA / "lib").glob("libcudart.so.*"))
    (home / "lib" / "libmusart.so").symlink_to(library)
    (place / "cuda").mkdir()
    (place / "cuda" / "libcudart.so").symlink_to(library)
    subprocess.run([root / "bin" / "torchada", "shim", home / "include", "--quiet"], check=True)
    variables = {
        "PATH": f"{root}/bin:{SYSTEM}",
        "HOME": str(place),
        "MUSA_HOME": str(home),
        # Where CUDA is not, whatever lies in its usual place.
        "CUDA_HOME": str(place / "no-cuda"),
        "CPATH": str(CUDA / "include"),
        "LIBRARY_PATH": str(place / "cuda"),
        "LD_LIBRARY_PATH": str(library.parent),
        "PYTHONNOUSERSITE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        **{name: os.environ[name] for name in ("TMPDIR", "LANG") if name in os.environ},
    }
    return Machine(root, variables)


@pytest.fixture(scope="session")
def machine(installed: Machine) -> Machine:
    """The same, where the program is named that keeps what it ports."""
    return replace(installed, variables={**installed.variables, "TORCHADA_BINARY": RECORDER})


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    """The project, with a library outside it. Nothing in either is changed by whatever a test does."""
    write(tmp_path / "tree", PROJECT)
    folder = tmp_path / "tree" / "project"
    yield folder
    shutil.rmtree(tmp_path, ignore_errors=True)
