"""The scripts with which `torchada doctor` asks a Python, and tries a device."""

from pathlib import Path

import pytest
import torch

DOCTOR = Path(__file__).resolve().parents[3] / "src" / "doctor"


def run(path: str) -> object:
    """What a script hands to `answer`."""
    answers: list[object] = []
    source = (DOCTOR / path).read_text(encoding="utf-8")
    exec(compile(source, path, "exec"), {"answer": answers.append})
    (only,) = answers
    return only


@pytest.mark.parametrize("name", ["allocation", "kernel", "matrix_product", "collective"])
def test_what_the_device_computes_is_right(name):
    answer = run(f"full/{name}.py")
    assert answer["right"] is True and answer["says"]


@pytest.mark.parametrize("name", ["allocation", "kernel", "matrix_product"])
def test_a_wrong_result_is_seen(name, monkeypatch):
    right = torch.Tensor.cpu
    monkeypatch.setattr(torch.Tensor, "cpu", lambda self: right(self) + 1)
    assert run(f"full/{name}.py")["right"] is False


def test_what_modules_say_of_themselves():
    answer = run("python/imported.py")
    assert answer["torch"]["version"] == torch.__version__
    assert len(answer["torch_musa"]["devices"]) == torch.musa.device_count()
