"""Kernels of a user's own, as the documentation shows them, compiled for the double."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import warm

ROOT = Path(__file__).resolve().parents[3]
SDK = ROOT / "tests" / "runtime" / "sdk"
EXAMPLES = re.findall(r"```cpp\n(.*?)```", (ROOT / "docs" / "operator-overrides.md").read_text(), re.DOTALL)

PROGRAM = """
import sys, torch
import torchada
from torchada import _cpp_ops
x = torch.tensor([-1.0, 0.0, 2.0], device="cuda", requires_grad=True)
y = torch.nn.functional.silu(x)
y.sum().backward()
expected = torch.nn.functional.silu(x.detach().cpu())
assert torch.allclose(y.cpu(), expected), y
assert torch.equal((-x.detach()).cpu(), torch.tensor([1.0, 0.0, -2.0]))
assert x.grad is not None
names = _cpp_ops.get_module().active if _cpp_ops.is_loaded() else []
print("active:", *sorted(names))
sys.stdout.flush()
torchada.unpatch()
torch.nn.functional.silu(torch.ones(1, device="musa"))
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The two examples of the documentation, and where they are compiled."""
    place = tmp_path_factory.mktemp("operators")
    (place / "kernels").mkdir()
    for name, code in zip(("silu.cpp", "negate.mu"), EXAMPLES):
        (place / "kernels" / name).write_text(code)
    return place


def start(place: Path, **variables: str) -> warm.Process:
    environment = {
        **os.environ,
        "MUSA_HOME": str(SDK),
        "MCC_LOG": str(place / "mcc.log"),
        "TORCH_EXTENSIONS_DIR": str(place / "extensions"),
        "TORCHADA_CPP_OPS_PATH": str(place / "kernels"),
        "MTGPU_TARGET": "mp_31",
        **variables,
    }
    return warm.Process(["-W", "ignore", "-c", PROGRAM], env=environment)


def finished(process: warm.Process) -> tuple[str, str]:
    done = process.finish()
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_many_processes_compile_once(place: Path) -> None:
    processes = [start(place, TORCHADA_ENABLE_CPP_OPS="1", TORCHADA_DEBUG_CPP_OPS="1") for _ in range(3)]
    for process in processes:
        printed, errors = finished(process)
        assert printed.endswith("active: neg silu\n")
        assert errors.count("torchada: silu\n") == 1  # and none after unpatch
        assert errors.count("torchada: neg\n") == 1
    log = (place / "mcc.log").read_text()
    assert log.count("-c ") == 1
    assert "--offload-arch=mp_31" in log


def test_later_processes_load_what_is_there(place: Path) -> None:
    before = (place / "mcc.log").read_text()
    printed, errors = finished(
        start(place, TORCHADA_ENABLE_CPP_OPS="1", TORCHADA_CPP_OPS_VERBOSE="1", TORCHADA_DISABLE_OP_OVERRIDE_NEG="1")
    )
    assert printed.endswith("active: silu\n")
    assert "torchada: kernels for silu from " in errors
    assert (place / "mcc.log").read_text() == before


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"TORCHADA_ENABLE_CPP_OPS": "1", "TORCHADA_DISABLE": "operator-overrides"},
    ],
)
def test_nothing_happens_unasked(place: Path, variables: dict[str, str]) -> None:
    printed, _ = finished(start(place, TORCH_EXTENSIONS_DIR=str(place / "unused"), **variables))
    assert printed.endswith("active:\n")
    assert not (place / "unused").exists()


def test_what_cannot_be_loaded_is_an_error(place: Path, tmp_path: Path) -> None:
    process = start(place, TORCHADA_ENABLE_CPP_OPS="1", TORCHADA_CPP_OPS_PATH=str(tmp_path / "none"))
    done = process.finish()
    assert done.returncode != 0
    assert "TORCHADA_CPP_OPS_PATH names no file or folder" in done.stderr
    assert "TORCHADA_DISABLE=operator-overrides" in done.stderr
