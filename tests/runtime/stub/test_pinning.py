"""Pinned memory, as programs for CUDA ask for it."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch.utils.data import DataLoader, TensorDataset


@pytest.mark.parametrize("args", [(), ("cuda",), (torch.device("cuda"),), (None,)], ids=str)
def test_tensors(args: tuple[Any, ...]) -> None:
    pinned = torch.ones(3).pin_memory(*args)
    assert pinned.is_pinned() and pinned.is_pinned("cuda") and pinned.is_pinned(device=torch.device("cuda"))
    assert not torch.ones(3).is_pinned(*args)
    assert pinned.cuda(non_blocking=True).tolist() == [1, 1, 1]


def test_storages() -> None:
    untyped, typed = torch.ones(3).untyped_storage(), torch.ones(3).storage()
    assert untyped.pin_memory().is_pinned() and untyped.pin_memory("cuda").is_pinned("cuda")
    assert typed.pin_memory().is_pinned() and typed.pin_memory(device="cuda").is_pinned()
    assert not untyped.is_pinned() and not typed.is_pinned()


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("options", [{}, {"pin_memory_device": "cuda"}, {"pin_memory_device": "cuda:1"}], ids=str)
def test_loaders(options: dict, workers: int) -> None:
    data = TensorDataset(torch.arange(8.0))
    for (batch,) in DataLoader(data, batch_size=4, pin_memory=True, num_workers=workers, **options):
        assert batch.is_pinned()
        assert batch.cuda(non_blocking=True).is_cuda
