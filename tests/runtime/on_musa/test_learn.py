"""The script with which `torchada learn` asks a Python, in a Python of its own: with the real torch, and the double."""

import json
import os
import subprocess
import sys
from pathlib import Path

import torch
import torch_musa

SRC = Path(__file__).resolve().parents[3] / "src"
SCRIPTS = ["machine/python/begin.py", "learn/python/asked.py"]


def ask(asked: list[list[object]]) -> dict[str, object]:
    """What the script answers, where torch does not load torch_musa by itself."""
    script = "\n".join((SRC / path).read_text(encoding="utf-8") for path in SCRIPTS)
    environment = {**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}
    line = [sys.executable, "-I", "-X", f"pycache_prefix={sys.pycache_prefix}", "-c", script, json.dumps(asked)]
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_what_torch_and_torch_musa_say():
    answer = ask(
        [
            ["torch.cuda.synchronize", ["torch.musa.synchronize"]],
            ["torch.cuda.make_graphed_callables", ["torch.musa.make_graphed_callables"]],
            ["torch.cuda.Event.query", ["torch.musa.Event.query"]],
            ["torch.Tensor.is_cuda", ["torch.Tensor.is_musa"]],
            ["torch.cuda.utilization", ["torch.musa.utilization"]],
        ]
    )
    assert answer["torch"]["version"] == torch.__version__
    assert answer["torch-musa"]["version"] == torch_musa.__version__
    names = answer["names"]
    assert sorted(names) == [
        "torch.Tensor.is_cuda",
        "torch.cuda.Event.query",
        "torch.cuda.make_graphed_callables",
        "torch.cuda.synchronize",
    ]
    taken = {
        side: [one["name"] for one in names["torch.cuda.make_graphed_callables"][side]] for side in ("cuda", "musa")
    }
    assert taken["cuda"] == [*taken["musa"], "pool"]
    assert "memory_allocated" in answer["members"]["torch.musa"]
    operators = answer["operators"]
    assert operators["count"] > 0 and operators["reference_device"] == "CUDA"
    assert "aten::geqrf" in operators["missing"] and "aten::empty.memory_format" not in operators["missing"]
