"""What builds of extensions hand to the translator and to mcc."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest
import torch
from torchada.utils import _binary, _flags, _includes, _names, _porter


def test_the_translator_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = shutil.which("true")
    assert real is not None
    monkeypatch.delenv("TORCHADA_BINARY", raising=False)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setattr(_binary.sysconfig, "get_path", lambda *_: str(tmp_path / "scripts"))
    with pytest.raises(_porter.PortError, match="Install it .*, or name it in TORCHADA_BINARY"):
        _porter.binary()
    (tmp_path / "scripts").mkdir()
    script = tmp_path / "scripts" / "torchada"
    script.write_text("#!/bin/sh\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    (tmp_path / "path").mkdir()
    shutil.copy(real, tmp_path / "path" / "torchada")
    assert _porter.binary() == str(tmp_path / "path" / "torchada")
    shutil.copy(real, script)
    assert _porter.binary() == str(script)
    monkeypatch.setenv("TORCHADA_BINARY", str(tmp_path / "missing"))
    with pytest.raises(_porter.PortError, match="TORCHADA_BINARY="):
        _porter.binary()


def test_includes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "project"
    for name, text in {
        "a/one.cu": '#include "../b/two.cuh"\n# include <lib/three.h>\n#include <vector>\n#include <foreign/plain.h>\n',
        "b/two.cuh": '#include "four.h"\n',
        "b/four.h": '#include "two.cuh"\n',
        "include/lib/three.h": "#include <foreign/cuda.h>\n",
        "a/unused.h": "",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    foreign = tmp_path / "elsewhere"
    (foreign / "foreign").mkdir(parents=True)
    (foreign / "foreign" / "plain.h").write_text("int plain;\n")
    (foreign / "foreign" / "cuda.h").write_text("cudaStream_t stream;\n")
    monkeypatch.chdir(folder)
    found = _includes.closure(["a/one.cu"], ["include", str(foreign), os.path.dirname(torch.__file__) + "/include"])
    assert {os.path.relpath(path, tmp_path) for path in found.files} == {
        "project/a/one.cu", "project/b/two.cuh", "project/b/four.h", "project/include/lib/three.h", "elsewhere/foreign/cuda.h"
    }  # fmt: skip
    assert found.folders == [str(folder / "include"), str(foreign)]
    assert str(foreign / "foreign" / "plain.h") in found.seen


def test_a_header_that_leads_to_cuda_comes_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its port has to include that of the other one."""
    project, library, cuda = tmp_path / "project", tmp_path / "library", tmp_path / "cuda"
    for path, text in {
        project / "a.cpp": "#include <outer.h>\n#include <bare.h>\n#include <cudnn.h>\n",
        library / "outer.h": '#include "inner.h"\n',
        library / "inner.h": "cudaStream_t stream;\n",
        library / "bare.h": '#include "more.h"\n',
        library / "more.h": "",
        cuda / "cudnn.h": "cudnnStatus_t status;\n",
    }.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(project)
    found = _includes.closure(["a.cpp"], [str(library), str(cuda)])
    assert {os.path.relpath(path, tmp_path) for path in found.files} == {
        "project/a.cpp", "library/outer.h", "library/inner.h"
    }  # fmt: skip


def test_an_environment_in_the_project_is_not_the_projects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / ".venv" / "site"
    site.mkdir(parents=True)
    (site / "plain.h").write_text("int plain;\n")
    (tmp_path / "a.cu").write_text("#include <plain.h>\n")
    monkeypatch.setattr(_includes.sysconfig, "get_path", lambda *_: str(tmp_path / ".venv"))
    monkeypatch.chdir(tmp_path)
    assert _includes.closure(["a.cu"], [str(site)]).files == [str(tmp_path / "a.cu")]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("-O3 -std=c++17 -DX=1 -I/x -g", "-O3 -std=c++17 -DX=1 -I/x -g"),
        ("--expt-relaxed-constexpr --expt-extended-lambda -gencode arch=compute_80,code=sm_80 -arch=sm_90a", ""),
        ("-use_fast_math --ptxas-options=-v -Xptxas -O3 --maxrregcount 32", "-ffast-math -fno-finite-math-only"),
        ("-Xcompiler -fPIC,-Wall --compiler-options=-O2 -Xcompiler=-fopenmp", "-fPIC -Wall -O2 -fopenmp"),
        ("-x cu", "-x musa"),
        ("--threads 4 -lineinfo -ccbin g++ --fmad=false", "-ffp-contract=off"),
        ("--Werror all-warnings -Werror all-warnings", "-Werror -Werror"),
        ("-static-global-template-stub=false -O2", "-O2"),
        ("-U__CUDA_NO_HALF_OPERATORS__", "-U__MUSA_NO_HALF_OPERATORS__"),
    ],
)
def test_compiler_flags(given: str, expected: str) -> None:
    assert _flags.compiler_flags(given.split()) == expected.split()


def test_flags_without_a_counterpart() -> None:
    with pytest.warns(RuntimeWarning, match="--default-stream per-thread, -rdc=true"):
        assert _flags.compiler_flags(["--default-stream", "per-thread", "-rdc=true", "-O2"]) == ["-O2"]
    assert _flags.compiler_flags(["-gencode arch=compute_80,code=sm_80", "-Xcompiler '-O2 -g'"]) == ["-O2", "-g"]


def test_folders_in_flags() -> None:
    assert _flags.include_dirs(["-Ia", "-O2", "-I", "b", "-isystem", "c", "-isystemd", "-DI"]) == ["a", "b", "c", "d"]


def test_folders_that_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("project/k.cu", "libs/mine/a.cuh", "libs/theirs/include/b.cuh"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("// cuda\n#include <a.cuh>\n#include <b.cuh>\n" if "k.cu" in name else "// cuda\n")
    folders = [str(tmp_path / "libs" / "mine"), str(tmp_path / "libs" / "theirs" / "include")]
    monkeypatch.chdir(tmp_path / "project")

    def taken() -> list[str]:
        return sorted(
            Path(path).name for path in _includes.closure([str(tmp_path / "project" / "k.cu")], folders).files
        )

    assert taken() == ["a.cuh", "b.cuh", "k.cu"]
    for value in ("theirs", f" {tmp_path}/libs/theirs ,mi", f"/nowhere{os.pathsep}{tmp_path}/libs/theirs/include"):
        monkeypatch.setenv("TORCHADA_EXCLUDE_DIRS", value)
        assert taken() == ["a.cuh", "k.cu"], value
    monkeypatch.setenv("TORCHADA_EXCLUDE_DIRS", "project,libs")
    assert taken() == ["k.cu"]


def test_names_of_a_build(tmp_path: Path) -> None:
    assert _names.options({}, str(tmp_path)) == _names.options({"same": "same"}, str(tmp_path)) == []
    rules = {"myCuda": "myMusa", "mine::cuda": "mine::musa", "mine/cuda.h": "mine/musa.h", "x->cuda()": "x->musa()"}
    with pytest.warns(RuntimeWarning, match="other text: 'x->cuda"):
        option, path = _names.options(rules, str(tmp_path))
    assert option == "--mapping" and Path(path).read_text().split("\n") == [
        *("[names]", '"myCuda" = "myMusa"', "[qualified]", '"mine::cuda" = "mine::musa"'),
        *("[headers]", '"mine/cuda.h" = "mine/musa.h"', ""),
    ]
    rules["myCuda"] = "yourMusa"
    with pytest.warns(RuntimeWarning):
        assert _names.options(rules, str(tmp_path))[1] != path
