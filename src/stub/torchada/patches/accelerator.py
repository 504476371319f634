"""`torch.accelerator`, which newer torch has more of."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
import torch.accelerator

from .. import _devices
from .._journal import Journal
from .._registry import patch

#: What `torch.accelerator` asks the backend for, and torch_musa answers under `torch.musa`.
_MEMORY = {
    "empty_cache": "empty_cache",
    "get_memory_info": "mem_get_info",
    "max_memory_allocated": "max_memory_allocated",
    "max_memory_reserved": "max_memory_reserved",
    "memory_allocated": "memory_allocated",
    "memory_reserved": "memory_reserved",
    "memory_stats": "memory_stats",
    "reset_accumulated_memory_stats": "reset_accumulated_memory_stats",
    "reset_peak_memory_stats": "reset_peak_memory_stats",
}

#: Names of newer torch that are called otherwise in `torch.musa`.
_RENAMED = {
    "current_device_idx": "current_device",
    "current_device_index": "current_device",
    "get_memory_info": "mem_get_info",
    "set_device_idx": "set_device",
    "set_device_index": "set_device",
}


@patch("accelerator-default")
def default(journal: Journal) -> None:
    """Have torch's own code that asks for "the accelerator" find MUSA in torch 2.7, too: process groups
    without a backend, `barrier`, `fully_shard` without a mesh, `torch.get_device_module()`."""
    original = getattr(torch._C, "_get_accelerator", None)
    ask = getattr(torch._C, "_accelerator_getAccelerator", None)
    if original is None or ask is None:
        return

    @functools.wraps(original)
    def _get_accelerator(*args: Any, **kwargs: Any) -> torch.device:
        found = original(*args, **kwargs)
        # This one says that there is none for a device that was added to torch.
        return found if found.type != "cpu" else ask() or found

    journal.set(torch._C, "_get_accelerator", _get_accelerator)


@patch("accelerator-synchronize")
def synchronize(journal: Journal) -> None:
    """Have `torch.accelerator.synchronize(device)` be `torch.musa.synchronize`, since torch_musa does not wait
    for a device's streams when torch's own asks for it."""
    original = torch.accelerator.synchronize

    @functools.wraps(original)
    def synchronize(device: Any = None, /) -> None:
        if device is not None and not isinstance(device, (str, int, torch.device)):
            raise TypeError(
                f"synchronize() expected device to be a device, its name or its index, not {type(device).__name__}"
            )
        torch.musa.synchronize(_devices.translate(device))

    journal.set(torch.accelerator, "synchronize", synchronize)


@patch("accelerator-memory")
def memory(journal: Journal) -> None:
    """Have the functions of `torch.accelerator` about memory be those of `torch.musa`, whose allocator
    torch's own do not reach in every torch_musa."""
    for ours, theirs in _MEMORY.items():
        original = vars(torch.accelerator).get(ours)
        function = getattr(torch.musa, theirs, None)
        if original is not None and function is not None:
            journal.set(torch.accelerator, ours, _about_memory(original, function, ours == "empty_cache"))


def _about_memory(original: Callable[..., Any], function: Callable[..., Any], bare: bool) -> Callable[..., Any]:
    if bare:

        @functools.wraps(original)
        def without_device() -> Any:
            return function()

        return without_device

    @functools.wraps(original)
    def with_device(device_index: Any = None, /) -> Any:
        return function(_devices.translate(device_index))

    return with_device


@patch("accelerator-names")
def names(journal: Journal) -> None:
    """Have names that this torch's `torch.accelerator` does not have yet be those of `torch.musa`, such as
    `empty_cache`, `memory_allocated`, `get_memory_info`, `Stream`, `Event`, `device_index` and `stream`."""

    def __getattr__(name: str) -> Any:
        if not name.startswith("__"):
            if name == "device_index":
                return _DeviceIndex
            found = getattr(torch.musa, _RENAMED.get(name, name), None)
            if found is not None:
                return found
        raise AttributeError(f"module 'torch.accelerator' has no attribute {name!r}")

    if "__getattr__" not in vars(torch.accelerator):
        journal.set(torch.accelerator, "__getattr__", __getattr__)


class _DeviceIndex:
    """Sets the current device for a block, by its index; `None` leaves it as it is."""

    def __init__(self, device: int | None, /) -> None:
        self.idx = device
        self.prev_idx = -1

    def __enter__(self) -> None:
        if self.idx is not None:
            self.prev_idx = torch.musa.current_device()
            torch.musa.set_device(self.idx)

    def __exit__(self, *exc_info: object) -> None:
        if self.idx is not None:
            torch.musa.set_device(self.prev_idx)
