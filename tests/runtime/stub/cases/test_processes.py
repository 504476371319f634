"""Threads and processes: each file of cases is a process, of which each case prints its name when it passes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import warm

FOLDER = Path(__file__).parent


def passed(done: subprocess.CompletedProcess[str]) -> tuple[list[str], str]:
    """The cases that passed, with what went wrong."""
    return done.stdout.split(), f"{done.stderr}\nexit code {done.returncode}" * (
        done.returncode != 0 or bool(done.stderr)
    )


@pytest.fixture(scope="module")
def threads() -> tuple[list[str], str]:
    # which are the first to import torch
    line = [sys.executable, str(FOLDER / "in_threads.py")]
    return passed(subprocess.run(line, capture_output=True, text=True, timeout=240))


@pytest.fixture(scope="module")
def processes() -> tuple[list[str], str]:
    return passed(warm.run([str(FOLDER / "in_processes.py")], env={**os.environ, "CUDA_VISIBLE_DEVICES": "0,1"}))


def test_threads_that_import_at_once(threads: tuple[list[str], str]) -> None:
    """Eight threads import torchada and torch for the first time at the same moment."""
    assert "imported_at_once" in threads[0], threads[1]


def test_switched_while_threads_work(threads: tuple[list[str], str]) -> None:
    """`unpatch()` and `apply_patches()`, again and again, while other threads make devices, tensors and modules."""
    assert "switched_while_others_work" in threads[0], threads[1]


def test_any_order(threads: tuple[list[str], str]) -> None:
    """`unpatch()` and `apply_patches()` in any order, twice, over somebody else's patch, inside contexts, after imports."""
    assert "any_order" in threads[0], threads[1]


def test_reloaded(threads: tuple[list[str], str]) -> None:
    """`importlib.reload` of torchada, of each of its modules and of modules of `torch.cuda`; `unpatch()` after it."""
    assert "reloaded" in threads[0], threads[1]


def test_half_way(threads: tuple[list[str], str]) -> None:
    """A patch that raises, or Ctrl-C, half-way: nothing is changed, and a second attempt does all."""
    assert "half_way" in threads[0], threads[1]


def test_the_end(threads: tuple[list[str], str]) -> None:
    """Tensors, streams, graphs, cycles and finalizers alive at the interpreter's end: it ends well and quietly."""
    assert "at_the_end" in threads[0] and threads[0][-1] == "musa:0" and not threads[1], threads[1]


def test_forked(processes: tuple[list[str], str]) -> None:
    """A forked process: devices, dtypes and shared memory in queues; to use the device is refused, with what to do."""
    assert "forked" in processes[0], processes[1]


def test_workers_that_were_forked(processes: tuple[list[str], str]) -> None:
    """A forked worker of a `DataLoader` that touches the device: the error says that it must be spawned."""
    assert "workers_that_were_forked" in processes[0], processes[1]


def test_workers_that_were_spawned(processes: tuple[list[str], str]) -> None:
    """`set_start_method("spawn")`; workers that use the device, get the parent's devices, and whose items are pinned."""
    assert "workers_that_were_spawned" in processes[0], processes[1]


def test_tensors_of_the_device(processes: tuple[list[str], str]) -> None:
    """A tensor on MUSA goes to another process by value, or as torch_musa sends it; else an error says that it can't."""
    assert "tensors_of_the_device" in processes[0] and not processes[1], processes[1]


def test_the_commands_of_the_package() -> None:
    """`python -m torchada --help` shows the package's own commands, with or without the translator."""
    done = warm.run(["-m", "torchada", "--help"])
    for command in ("patches", "--cmake-dir", "run", "verify"):
        assert command in done.stdout, done.stdout + done.stderr
