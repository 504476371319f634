"""`torch.device` under the stub."""

from __future__ import annotations

import pickle

import pytest
import torch


def test_cuda_is_musa() -> None:
    assert torch.device("cuda:1") == torch.device("musa:1")
    assert torch.device("cuda") == torch.device("musa")
    assert torch.device("cuda", 1) == torch.device(type="cuda", index=1) == torch.device("musa:1")
    assert torch.device(torch.device("cuda:1")) == torch.device("musa:1")


def test_the_class_is_itself() -> None:
    made = torch.device("cuda:1")
    assert type(made) is torch.device
    assert isinstance(made, torch.device)
    assert pickle.loads(pickle.dumps(made)) == made


def test_other_devices_stay() -> None:
    assert torch.device("cpu").type == "cpu"
    assert torch.device("meta").type == "meta"
    assert torch.device(0) == torch.device("musa:0")


@pytest.mark.parametrize("wrong", ["cud", "cuda:", "cuda:x", "cuda:-2", "nothing"])
def test_wrong_names_are_refused(wrong: str) -> None:
    with pytest.raises(RuntimeError):
        torch.device(wrong)


def test_as_a_context() -> None:
    with torch.device("cuda:1"):
        assert torch.empty(2).device == torch.device("musa:1")
