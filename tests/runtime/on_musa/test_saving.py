"""torch.save and torch.load across devices."""

from __future__ import annotations

import io
from typing import Any

import pytest
import torch
from torch import nn


def saved(value: Any) -> io.BytesIO:
    """A checkpoint, ready to be read."""
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return file


@pytest.mark.parametrize("weights_only", [True, False])
def test_tensors_come_back_where_they_were(weights_only: bool) -> None:
    file = saved({"a": torch.arange(3.0, device="musa:1"), "b": torch.ones(2)})
    loaded = torch.load(file, weights_only=weights_only)
    assert loaded["a"].device == torch.device("musa:1") and loaded["a"].tolist() == [0, 1, 2]
    assert loaded["b"].device.type == "cpu"


@pytest.mark.parametrize(
    ("location", "device"),
    [
        ("cpu", "cpu"),
        ("musa:0", "musa:0"),
        (torch.device("musa:0"), "musa:0"),
        ({"musa:1": "musa:0"}, "musa:0"),
        (lambda storage, tag: storage, "cpu"),
        (lambda storage, tag: storage.musa(0) if tag == "musa:1" else None, "musa:0"),
    ],
)
def test_map_location(location: Any, device: str) -> None:
    loaded = torch.load(saved(torch.ones(2, device="musa:1")), map_location=location)
    assert loaded.device == torch.device(device)
    assert loaded.tolist() == [1, 1]


def test_modules_and_optimizers(musa: torch.device) -> None:
    model = nn.Linear(2, 2).to("musa:1")
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(1, 2, device="musa:1")).sum().backward()
    optimizer.step()
    loaded = torch.load(
        saved({"model": model.state_dict(), "optimizer": optimizer.state_dict()}), map_location="musa:0"
    )
    other = nn.Linear(2, 2).to(musa)
    other.load_state_dict(loaded["model"])
    assert other.weight.device == musa and torch.equal(other.weight.cpu(), model.weight.cpu())
    again = torch.optim.Adam(other.parameters())
    again.load_state_dict(loaded["optimizer"])
    assert again.state[other.weight]["exp_avg"].device == musa
    whole = torch.load(saved(model), weights_only=False)
    assert whole.weight.device == torch.device("musa:1")


def test_shared_storages_stay_shared(musa: torch.device) -> None:
    whole = torch.zeros(4, device=musa)
    first, second = torch.load(saved([whole[:2], whole[1:]]))
    first[1] = 7
    assert second[0].item() == 7


def test_a_device_that_is_not_there() -> None:
    file = saved(torch.ones(1, device="musa:1"))
    with pytest.raises(RuntimeError, match="MUSA device 5"):
        torch.load(file, map_location="musa:5")


def test_cuda_checkpoints_are_refused_with_advice() -> None:
    with pytest.raises(RuntimeError, match="map_location=torch.device\\('musa'\\)"):
        torch.load(saved(torch.ones(1)), map_location="cuda")


def test_old_format(musa: torch.device, tmp_path: Any) -> None:
    path = tmp_path / "old.pt"
    torch.save(torch.ones(2, device=musa), path, _use_new_zipfile_serialization=False)
    assert torch.load(path, weights_only=False).device == musa
    assert torch.load(path, map_location="cpu", weights_only=False).tolist() == [1, 1]
