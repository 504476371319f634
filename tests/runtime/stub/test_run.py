"""Programs with the package in place before their first import of torch, and what a run reports of them."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import torchada

STARTUP = Path(torchada.__file__).parent / "tools" / "run" / "startup"

#: Uses CUDA in each kind of process that a program can start.
PROGRAM = """\
import multiprocessing, os, subprocess, sys
import torch
from torch.utils.data import DataLoader

class Items(torch.utils.data.Dataset):
    def __len__(self): return 2
    def __getitem__(self, index): return str(torch.device("cuda", index))

def work(queue):
    queue.put(str(torch.device("cuda:1")))

if __name__ == "__main__":
    queue = multiprocessing.get_context("fork").SimpleQueue()
    child = multiprocessing.get_context("fork").Process(target=work, args=(queue,))
    child.start(); print(queue.get()); child.join()
    print(list(DataLoader(Items(), num_workers=1, batch_size=None, multiprocessing_context="spawn")))
    code = "import torch; print(torch.empty(1).cuda().device)"
    print(subprocess.check_output([sys.executable, "-c", code], text=True).strip())
    torch.nn.Linear(1, 1).to("cuda")
    for _ in range(3):
        torch.cuda.nvtx.mark("x"); torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    try:
        torch.cuda.list_gpu_processes()
    except NotImplementedError as error:
        print(error)
    sys.exit(5)
"""


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """A program with the start-up folder on its path, as `torchada run` starts it."""
    path = os.pathsep.join([str(STARTUP), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        command, cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=100
    )


def reported(folder: Path, program: str, *options: str) -> tuple[subprocess.CompletedProcess[str], Any]:
    """A program under the supervisor, and its report."""
    (folder / "program.py").write_text(program)
    supervisor = [sys.executable, str(STARTUP / "torchada_supervise.py"), "json", "report.json"]
    done = run([*supervisor, sys.executable, *options, "program.py"], folder)
    return done, json.loads((folder / "report.json").read_text())


def test_every_process_is_served_and_counted(tmp_path: Path) -> None:
    done, report = reported(tmp_path, PROGRAM)
    assert done.returncode == 5, done.stderr
    fork, spawn, script, missing = done.stdout.splitlines()
    assert (fork, spawn, script) == ("musa:1", "['musa:0', 'musa:1']", "musa:0")
    assert missing.startswith("torch.cuda.list_gpu_processes has no counterpart")
    assert (report["processes"], report["processes_cut_off"], report["not_redirected"]) == (4, 0, [])
    lines = PROGRAM.splitlines()

    def place(text: str) -> str:
        [number] = [number for number, line in enumerate(lines, 1) if text in line and "print" not in line]
        return f"program.py:{number}"

    found = {kind: {each["name"]: each for each in report[kind]} for kind in ("redirected", "silent", "missing")}
    for kind, name, times, text in (
        ("redirected", "torch.device", 3, "__getitem__"),
        ("redirected", "torch.nn.Module.to", 1, "nn.Linear"),
        ("redirected", "torch.cuda.synchronize", 3, "synchronize"),
        ("redirected", "torch.cuda.Stream", 1, "Stream()"),
        ("silent", "torch.cuda.nvtx.mark", 3, "synchronize"),
        ("missing", "torch.cuda.list_gpu_processes", 1, "list_gpu_processes"),
    ):
        call = found[kind].pop(name)
        where = place(text) if name != "torch.cuda.list_gpu_processes" else place("    torch.cuda.list_gpu")
        assert (call["times"], call["places"][0]["place"]) == (times, where), name
    assert found["redirected"].pop("torch.Tensor.cuda")["places"] == [{"place": "<string>:1", "times": 1}]
    assert found == {"redirected": {}, "silent": {}, "missing": {}}
    from_text = importlib.util.spec_from_file_location("torchada_summary", STARTUP / "torchada_summary.py")
    assert from_text is not None and from_text.loader is not None
    summary = importlib.util.module_from_spec(from_text)
    from_text.loader.exec_module(summary)
    text = summary.text(report)
    assert text.startswith("torchada: what 4 processes that imported torch asked of CUDA\n"), text
    assert "\n        3  torch.cuda.nvtx.mark " in text, text


def test_a_process_that_is_killed_has_left_its_places(tmp_path: Path) -> None:
    program = "import os, torch\nfor _ in range(5): torch.device('cuda')\nos.kill(os.getpid(), 9)\n"
    done, report = reported(tmp_path, program)
    assert done.returncode == -9
    assert report["processes_cut_off"] == 1
    assert report["redirected"][0]["places"] == [{"place": "program.py:2", "times": 4}]


def test_torchrun_and_torch_musa_first(tmp_path: Path) -> None:
    program = """\
import os

import torch_musa
import torch
torch.distributed.init_process_group("nccl")
x = torch.ones(2).cuda()
torch.distributed.all_reduce(x)
# In one piece: the other process writes to the same pipe.
os.write(1, f"{x.tolist()} {torch.distributed.get_backend() == 'nccl'}\\n".encode())
torch.distributed.destroy_process_group()
"""
    (tmp_path / "program.py").write_text(program)
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "program.py"]
    done = run(launch, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("[2.0, 2.0] True") == 2, done.stdout + done.stderr
