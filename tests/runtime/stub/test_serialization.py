"""Checkpoints, as programs for CUDA write and read them."""

from __future__ import annotations

import copy
import io
import os
import pickle
import zipfile
from pathlib import Path
from typing import Any

import pytest
import torch
import warm
from torch import nn

FIRST, SECOND = torch.device("cuda:0"), torch.device("cuda:1")


def saved(value: Any, **options: Any) -> io.BytesIO:
    file = io.BytesIO()
    torch.save(value, file, **options)
    file.seek(0)
    return file


def from_cuda(value: Any, tag: bytes = b"cuda:0") -> io.BytesIO:
    """The checkpoint that CUDA would have written: the same archive with another tag."""
    result = io.BytesIO()
    with zipfile.ZipFile(saved(value)) as old, zipfile.ZipFile(result, "w", zipfile.ZIP_STORED) as new:
        for entry in old.infolist():
            content = old.read(entry)
            if entry.filename.endswith("data.pkl"):
                assert b"musa:0" in content
                content = content.replace(b"musa:0", tag)
            new.writestr(entry.filename, content)
    result.seek(0)
    return result


LOCATIONS = [
    ("cuda", FIRST),
    ("cuda:1", SECOND),
    (torch.device("cuda:1"), SECOND),
    ({"cuda:0": "cuda:1"}, SECOND),
    ({"cuda:0": "cpu"}, torch.device("cpu")),
    ({"cuda:1": "cpu"}, FIRST),
    ("cpu", torch.device("cpu")),
    (None, FIRST),
    (lambda storage, location: storage.cuda(1), SECOND),
    (lambda storage, location: storage, torch.device("cpu")),
    (lambda storage, location: None, FIRST),
]


@pytest.mark.parametrize("weights_only", [True, False])
@pytest.mark.parametrize(("location", "device"), LOCATIONS)
def test_map_location(location: Any, device: torch.device, weights_only: bool) -> None:
    state = {"w": torch.arange(3.0, device="cuda")}
    for file in (saved(state), from_cuda(state)):
        loaded = torch.load(file, map_location=location, weights_only=weights_only)["w"]
        assert loaded.device == device and loaded.tolist() == [0, 1, 2]


def test_the_tag_of_the_checkpoint_is_told() -> None:
    seen = []

    def note(storage: Any, location: str) -> Any:
        seen.append(location)
        return storage

    torch.load(from_cuda(torch.ones(1, device="cuda")), map_location=note)
    torch.load(saved(torch.ones(1, device="cuda")), map_location=note)
    assert seen == ["cuda:0", "musa:0"]


def test_a_device_that_is_not_there() -> None:
    file = from_cuda(torch.ones(1, device="cuda"), b"cuda:9")
    with pytest.raises(RuntimeError, match="device 9"):
        torch.load(file)


@pytest.mark.parametrize("options", [{}, {"_use_new_zipfile_serialization": False}], ids=str)
def test_files(options: dict, tmp_path: Path) -> None:
    path = tmp_path / "weights.pt"
    torch.save({"w": torch.ones(3)}, path, **options)
    assert torch.load(path, map_location="cuda:1")["w"].device == SECOND
    torch.save({"w": torch.ones(3, device="cuda:1")}, path, **options)
    assert torch.load(path)["w"].device == SECOND
    if not options:
        assert torch.load(path, map_location="cuda", mmap=True)["w"].device == FIRST


def test_models_and_optimizers() -> None:
    model = nn.Linear(2, 2).cuda()
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(1, 2, device="cuda")).sum().backward()
    optimizer.step()
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "device": torch.device("cuda:1")}
    loaded = torch.load(from_cuda(state), map_location="cuda:1", weights_only=False)
    other = nn.Linear(2, 2).to("cuda:1")
    other.load_state_dict(loaded["model"])
    again = torch.optim.Adam(other.parameters())
    again.load_state_dict(loaded["optimizer"])
    assert again.state[other.weight]["exp_avg"].device == SECOND
    assert loaded["device"] == SECOND
    assert torch.load(saved(model), weights_only=False).weight.device == FIRST


def test_copies_and_pickles() -> None:
    model = nn.Linear(2, 2).cuda()
    assert copy.deepcopy(model).weight.is_cuda
    assert pickle.loads(pickle.dumps(model)).weight.is_cuda
    assert pickle.loads(pickle.dumps(torch.device("cuda:1"))) == SECOND
    storage = torch.ones(2, device="cuda").untyped_storage()
    assert copy.deepcopy(storage).device == FIRST


def test_registries() -> None:
    storage = torch.ones(2).untyped_storage()
    assert torch.serialization.default_restore_location(storage, "cuda:1").device == SECOND
    assert torch.serialization.default_restore_location(storage, "cpu") is storage


@pytest.mark.parametrize("weights_only", [True, False])
def test_what_is_saved_loads_without_this_package(weights_only: bool, tmp_path: Path) -> None:
    path = tmp_path / "state.pt"
    model = nn.Linear(2, 2).cuda()
    scaler = torch.cuda.amp.GradScaler()
    torch.save({"model": model.state_dict(), "scaler": scaler.state_dict(), "rng": torch.cuda.get_rng_state()}, path)
    cpu = f"torch.load({str(path)!r}, map_location='cpu', weights_only={weights_only})['model']['weight'].device"
    programs = {
        # PyTorch for the CPU, to which a device of MUSA is nothing; and torch_musa alone.
        "cpu": (f"import torch, sys; assert 'torch_musa' not in sys.modules; print({cpu})", "0"),
        "musa:0": (f"import torch, torch_musa; print({cpu.replace(', map_location=' + repr('cpu'), '')})", "1"),
    }
    for device, (program, autoload) in programs.items():
        result = warm.run(
            ["-W", "ignore", "-c", program], env={**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": autoload}
        )
        assert result.stdout.strip() == device, result.stderr
