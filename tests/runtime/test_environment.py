"""The testbed's own tools: what they make is whole or not taken, and what fails says what to do."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import cuda_shells  # noqa: E402
import environment  # noqa: E402
import native  # noqa: E402
import packages  # noqa: E402
import tools  # noqa: E402
from errors import TestbedError  # noqa: E402


class Steps:
    """In the place of the slow steps: they count, and leave what the next ones look for."""

    def __init__(self) -> None:
        self.installed = self.compiled = 0
        self.fail_at = ""

    def install(self, root: Path, requirements: Path, *more: str) -> None:
        self.installed += 1
        packages.site(root).mkdir(parents=True)
        (root / "bin").mkdir()
        (root / "bin" / "python").symlink_to(sys.executable)
        time.sleep(0.2)
        if self.fail_at == "install":
            raise TestbedError("the download failed")

    def build(self, double: Path, site: Path, out: Path, say: environment.Say) -> None:
        self.compiled += 1
        (out / "torch_musa").mkdir(parents=True)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Steps]:
    """An empty cache, and steps that take no time."""
    fake = Steps()
    monkeypatch.setenv("TORCHADA_RUNTIME_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(packages, "install", fake.install)
    monkeypatch.setattr(packages, "smoke_test", lambda root, torch: None)
    monkeypatch.setattr(cuda_shells, "slim", lambda site: 0)
    monkeypatch.setattr(cuda_shells, "write", lambda site: [])
    monkeypatch.setattr(native, "build", fake.build)
    yield fake


def quiet(text: str) -> None:
    """Says nothing."""


def test_made_once(steps: Steps) -> None:
    first, second = environment.ensure(say=quiet), environment.ensure(say=quiet)
    assert first == second and (steps.installed, steps.compiled) == (1, 1)
    assert first.torch == environment.DEFAULT_TORCH and first.root.is_dir() and first.native.is_dir()


def test_half_made_is_made_anew(steps: Steps) -> None:
    steps.fail_at = "install"
    with pytest.raises(TestbedError, match="download failed"):
        environment.ensure(say=quiet)
    steps.fail_at = ""
    printed: list[str] = []
    environment.ensure(say=printed.append)
    assert steps.installed == 2
    assert any("half made" in text for text in printed)


def test_a_lost_interpreter_is_made_anew(steps: Steps, tmp_path: Path) -> None:
    python = environment.ensure(say=quiet).python
    python.unlink()
    python.symlink_to(tmp_path / "gone")
    environment.ensure(say=quiet)
    assert steps.installed == 2 and python.exists()


def test_two_at_once_make_one(steps: Steps) -> None:
    made: list[environment.Environment] = []
    threads = [threading.Thread(target=lambda: made.append(environment.ensure(say=quiet))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 1 and len(made) == 3
    assert (steps.installed, steps.compiled) == (1, 1)


def test_other_contents_other_folder(steps: Steps) -> None:
    slim, full = environment.ensure(slim=True, say=quiet), environment.ensure(slim=False, say=quiet)
    other = environment.ensure(environment.versions()[-1], say=quiet)
    assert len({slim.root, full.root, other.root}) == 3


def test_a_torch_that_is_not_pinned(steps: Steps) -> None:
    with pytest.raises(TestbedError, match=r"no torch 1\.0\.0.*there are 2\.7\.1, "):
        environment.ensure("1.0.0", say=quiet)


def test_versions_are_in_order() -> None:
    assert environment.versions()[0] == environment.DEFAULT_TORCH == "2.7.1"
    assert environment.versions() == sorted(environment.versions(), key=lambda name: [int(n) for n in name.split(".")])


def test_every_requirement_has_a_hash() -> None:
    for path in (HERE / "requirements").glob("*.txt"):
        lines = [line for line in path.read_text().splitlines() if line and line[0] not in "#-"]
        pinned = [line for line in lines if "==" in line]
        assert pinned and len(lines) == 2 * len(pinned) and path.read_text().count("--hash=sha256:") == len(pinned)


def test_a_missing_compiler_is_named(steps: Steps, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(shutil, "which", lambda name, **_: None if name == "g++" else "/usr/bin/" + name)
    with pytest.raises(TestbedError, match=r"needs g\+\+: install it"):
        environment.ensure(say=quiet)
    assert steps.installed == 0


def test_root_installs_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    called = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(shutil, "which", lambda name, **_: "/usr/bin/" + name)
    monkeypatch.setattr(tools.subprocess, "run", lambda command, **_: called.append(command[-1]))
    tools.provide(lambda: "thing-dev" in called, "the thing is missing", "thing-dev")
    assert called == ["update", "thing-dev"]


def test_a_full_disk_is_named(steps: Steps, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(1, 1, 1))
    with pytest.raises(TestbedError, match="0 MB left"):
        environment.ensure(say=quiet)


def test_no_network_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("PIP_") or name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    with pytest.raises(TestbedError, match=r"download of torch-2\.7\.1 failed"):
        packages.install(tmp_path / "venv", HERE / "requirements" / "torch-2.7.1.txt")


def test_no_pip_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = tmp_path / "python"
    bare.write_text("#!/bin/sh\nexit 1\n")
    bare.chmod(0o755)
    monkeypatch.setattr(packages, "interpreter", lambda: str(bare))
    with pytest.raises(TestbedError, match="has no pip: install it"):
        packages.install(tmp_path / "venv", HERE / "requirements" / "torch-2.7.1.txt")


def test_cpp_that_does_not_compile_is_shown(tmp_path: Path) -> None:
    (tmp_path / "csrc").mkdir()
    (tmp_path / "csrc" / "wrong.cpp").write_text("int f() { return not_there; }\n")
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "version.py").write_text("__version__ = '2.7.1+cu126'\n")
    with pytest.raises(TestbedError, match=r"(?s)wrong\.cpp.*not_there"):
        native.build(tmp_path, tmp_path, tmp_path / "out", quiet)
    assert not (tmp_path / "out").exists()


def test_shells_have_versions_and_answers(tmp_path: Path) -> None:
    library = tmp_path / "libcudart.so.12"
    nodes = {"libcudart.so.12": {"cudaMalloc", "cudaGetErrorString"}, "": {"cuLoose"}}
    cuda_shells.compile_shell(library, library.name, nodes)
    shell = ctypes.CDLL(str(library))
    shell.cudaGetErrorString.restype = ctypes.c_char_p
    assert (shell.cudaMalloc(), shell.cuLoose()) == (100, 100)
    assert b"no CUDA device" in shell.cudaGetErrorString(1)
    user = tmp_path / "libuser.so"
    (tmp_path / "user.c").write_text("int cudaMalloc(void); int user(void) { return cudaMalloc(); }\n")
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-o", str(user), str(tmp_path / "user.c"), str(library)], check=True, cwd=tmp_path
    )
    assert cuda_shells.needed(user)["libcudart.so.12"] == {"libcudart.so.12"}
    assert ("cudaMalloc", "libcudart.so.12") in cuda_shells.undefined(user)


def with_double(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the script."""
    return subprocess.run([str(HERE / "with-double"), *arguments], capture_output=True, text=True, check=False)


def test_with_double_runs_the_command() -> None:
    code = "import os, sys; print(sys.prefix == os.environ['VIRTUAL_ENV'], os.environ['TORCH_DEVICE_BACKEND_AUTOLOAD']); sys.exit(5)"
    done = with_double("python", "-c", code)
    assert (done.stdout.split(), done.returncode) == (["True", "1"], 5)
    done = with_double("--no-autoload", "--no-stub", "--", "python", "-c", code)
    assert (done.stdout.split(), done.returncode) == (["True", "0"], 5)


def test_with_double_puts_the_double_on_the_path() -> None:
    code = "import importlib.util; print(importlib.util.find_spec('torch_musa').origin)"
    assert with_double("python", "-c", code).stdout.strip() == str(HERE / "double" / "torch_musa" / "__init__.py")


def test_with_double_says_what_is_wrong() -> None:
    assert (with_double().returncode, "which command?" in with_double().stderr) == (2, True)
    assert with_double("no-such-command").returncode == 127
    done = with_double("--torch", "0.1", "true")
    assert done.returncode == 1 and done.stderr.startswith("runtime testbed: there is no torch 0.1")
