"""`torch.load` and `torch.save`."""

from __future__ import annotations

import functools
from typing import Any

import torch
import torch.serialization

from .. import _devices, _report
from .._journal import Journal
from .._registry import patch

#: Among the packages that PyTorch asks for a place to restore to: after the CPU's, before CUDA's.
_PRIORITY = 15


@patch("load-cuda")
def load_cuda(journal: Journal) -> None:
    """Have `torch.load` restore to MUSA what was saved on CUDA, and what `map_location="cuda"` names. What is
    saved keeps torch_musa's own tag, `musa:0`, so that it loads where this package is not installed."""
    registry = torch.serialization._package_registry
    entry = (_PRIORITY, _no_tag, _restorer(_report.counter("load-cuda", "torch.load")))
    torch.serialization.register_package(*entry)

    def forget() -> None:
        if entry in registry:
            registry.remove(entry)

    journal.undo_with(forget)


def _no_tag(storage: Any) -> None:
    """What lies on MUSA has torch_musa's tag."""
    return None


def _restorer(count: Any) -> Any:
    def restore(storage: Any, location: str) -> Any:
        if location.__class__ is str and location in _devices.MUSA:
            count()
            return torch.serialization.default_restore_location(storage, _devices.translate_name(location))
        return None

    return restore


@patch("load-map")
def load_map(journal: Journal) -> None:
    """Have `torch.load(map_location={"cuda:0": "cuda:1"})` move what was saved on `musa:0`, too: for a program
    that says CUDA, this is its device 0."""
    original = torch.serialization._get_restore_location

    @functools.wraps(original)
    def _get_restore_location(map_location: Any) -> Any:
        if isinstance(map_location, dict):
            also = {
                _devices.translate_name(place): target
                for place, target in map_location.items()
                if isinstance(place, str) and place in _devices.MUSA
            }
            map_location = {**also, **map_location}
        return original(map_location)

    journal.set(torch.serialization, "_get_restore_location", _get_restore_location)
