"""Pinned memory, by hand and in a DataLoader."""

from __future__ import annotations

import pytest
import torch
from torch.utils.data import DataLoader, TensorDataset


def test_pinning(musa: torch.device) -> None:
    plain = torch.arange(3.0)
    pinned = plain.pin_memory()
    assert pinned.is_pinned() and not plain.is_pinned()
    assert torch.equal(pinned, plain)
    assert pinned.pin_memory().data_ptr() == pinned.data_ptr()
    assert torch.empty(3, pin_memory=True).is_pinned()
    assert pinned[1:].is_pinned()
    assert pinned.to(musa, non_blocking=True).tolist() == [0, 1, 2]


def test_only_host_memory_is_pinned(musa: torch.device) -> None:
    with pytest.raises(RuntimeError, match="pin"):
        torch.ones(2, device=musa).pin_memory()
    with pytest.raises(RuntimeError, match="pin"):
        torch.empty(2, device=musa, pin_memory=True)


@pytest.mark.parametrize("workers", [0, 2])
def test_data_loader(workers: int, musa: torch.device) -> None:
    loader = DataLoader(TensorDataset(torch.arange(8.0)), batch_size=4, pin_memory=True, num_workers=workers)
    batches = [batch for (batch,) in loader]
    assert [batch.is_pinned() for batch in batches] == [True, True]
    assert sum(batch.to(musa, non_blocking=True).sum().item() for batch in batches) == 28
