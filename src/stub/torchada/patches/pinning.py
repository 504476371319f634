"""Pinned memory."""

from __future__ import annotations

import functools
from typing import Any

import torch
import torch.storage

from .. import _devices, _report
from .._journal import Journal
from .._registry import patch


@patch("pin-memory")
def pin_memory(journal: Journal) -> None:
    """Have `pin_memory(device="cuda")` and `is_pinned("cuda")`, of tensors and storages, pin for MUSA."""
    for cls, name in (
        (torch.Tensor, "pin_memory"),
        (torch.Tensor, "is_pinned"),
        (torch.storage._StorageBase, "pin_memory"),
        (torch.storage._StorageBase, "is_pinned"),
        (torch.TypedStorage, "pin_memory"),
        (torch.TypedStorage, "is_pinned"),
    ):
        journal.set(cls, name, _pinning(cls, name))


def _pinning(cls: Any, name: str) -> Any:
    original = getattr(cls, name)
    musa = torch.device("musa")
    count = _report.counter("pin-memory", f"{cls.__name__}.{name}")

    @functools.wraps(original)
    def pinning(self: Any, device: Any = None) -> Any:
        # None is what PyTorch calls the device that there is.
        if device is None:
            return original(self, musa)
        count()
        return original(self, _devices.translate(device))

    return pinning
