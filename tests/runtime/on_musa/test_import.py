"""How the double gets into a program: autoload on and off, either import first, and forked children."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import warm


def run(code: str, autoload: bool, anew: bool = False) -> str:
    """What a program prints; `anew` where torch's own import is what it is about."""
    environment = {**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": str(int(autoload))}
    if anew:
        line = [sys.executable, "-c", code]
        done = subprocess.run(line, env=environment, capture_output=True, text=True)
    else:
        done = warm.run(["-c", code], env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_autoload() -> None:
    assert run("import torch; print(torch.ones(1, device='musa').device)", autoload=True, anew=True) == "musa:0"


def test_no_autoload() -> None:
    code = "import torch; a = hasattr(torch, 'musa'); import torch_musa; print(a, torch.ones(1, device='musa').device)"
    assert run(code, autoload=False, anew=True) == "False musa:0"


@pytest.mark.parametrize("autoload", [True, False])
def test_torch_musa_first(autoload: bool) -> None:
    code = "import torch_musa, torch; print(torch.musa is torch_musa, torch.ones(1, device='musa').device)"
    assert run(code, autoload, anew=True) == "True musa:0"


def test_the_entry_point_is_torchs() -> None:
    code = (
        "from importlib.metadata import entry_points, version; import torch;"
        "print([e.value for e in entry_points(group='torch.backends')], version('torch_musa') != '')"
    )
    assert run(code, autoload=False) == "['torch_musa:_autoload'] True"


def test_submodules_are_loaded_once() -> None:
    code = (
        "import torch_musa; import torch.musa.core.stream as a; import torch_musa.core.stream as b;"
        "print(a is b, torch_musa.Stream is a.Stream)"
    )
    assert run(code, autoload=False) == "True True"


def test_a_forked_child_is_told() -> None:
    code = """
import os, torch, torch_musa
child = os.fork()
if child == 0:
    try:
        torch.musa._lazy_init()
    except RuntimeError as error:
        os._exit(7 if torch.musa._is_in_bad_fork() and "spawn" in str(error) else 1)
    os._exit(2)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), torch.musa._is_in_bad_fork())
"""
    assert run(code, autoload=False) == "7 False"


def test_the_version_can_be_chosen() -> None:
    code = (
        "import os; os.environ['TORCH_MUSA_DOUBLE_VERSION'] = '2.9.9'; import torch_musa; print(torch_musa.__version__)"
    )
    assert run(code, autoload=False) == "2.9.9"
