"""Memory: what is in use on a device, and the names for pools and allocators, which the stand-in has not."""

from __future__ import annotations

import collections
import contextlib
import ctypes
from collections.abc import Iterator
from typing import Any

from torch_musa import _MUSAC

from ._utils import DeviceUnion, _get_musa_device_index

__all__ = [
    "MUSAPluggableAllocator",
    "MemPool",
    "MemPoolContext",
    "change_current_allocator",
    "empty_cache",
    "get_allocator_backend",
    "max_memory_allocated",
    "max_memory_reserved",
    "mem_get_info",
    "memory_allocated",
    "memory_reserved",
    "memory_snapshot",
    "memory_stats",
    "memory_stats_all",
    "memory_stats_as_nested_dict",
    "memory_summary",
    "reset_accumulated_memory_stats",
    "reset_max_memory_allocated",
    "reset_max_memory_cached",
    "reset_peak_memory_stats",
    "set_per_process_memory_fraction",
    "use_mem_pool",
]


def _stats(device: DeviceUnion) -> dict[str, int]:
    return _MUSAC._musa_memoryStats(_get_musa_device_index(device, optional=True))


def memory_allocated(device: DeviceUnion = None) -> int:
    """Bytes that tensors hold."""
    return _stats(device)["current"]


def max_memory_allocated(device: DeviceUnion = None) -> int:
    """The most bytes that tensors have taken at one time."""
    return _stats(device)["peak"]


def memory_reserved(device: DeviceUnion = None) -> int:
    """What the allocator holds: it keeps nothing back."""
    return memory_allocated(device)


def max_memory_reserved(device: DeviceUnion = None) -> int:
    """The most bytes that the allocator has reserved at one time."""
    return max_memory_allocated(device)


def mem_get_info(device: DeviceUnion = None) -> tuple[int, int]:
    """Free and total bytes."""
    total = _MUSAC._double_total_memory()
    return total - memory_allocated(device), total


def memory_stats_as_nested_dict(device: DeviceUnion = None) -> dict[str, Any]:
    """The allocator's counters, in torch's arrangement."""
    stats = _stats(device)
    ooms = stats.pop("ooms")
    nothing = dict.fromkeys(stats, 0)
    nested: dict[str, Any] = {
        group: {"all": dict(stats), "large_pool": dict(nothing), "small_pool": dict(nothing)}
        for group in ("active_bytes", "allocated_bytes", "requested_bytes", "reserved_bytes")
    }
    nested.update(num_alloc_retries=0, num_ooms=ooms)
    return nested


def memory_stats(device: DeviceUnion = None) -> dict[str, Any]:
    """The allocator's counters, by names with dots."""
    flat = {}
    for group, value in memory_stats_as_nested_dict(device).items():
        if isinstance(value, dict):
            for pool, counters in value.items():
                flat.update({f"{group}.{pool}.{counter}": number for counter, number in counters.items()})
        else:
            flat[group] = value
    return collections.OrderedDict(sorted(flat.items()))


def memory_stats_all() -> list[dict[str, Any]]:
    """The counters of every device."""
    return [memory_stats(index) for index in range(_MUSAC._musa_getDeviceCount())]


def memory_summary(device: DeviceUnion = None, abbreviated: bool = False) -> str:
    """The counters, to be read."""
    index = _get_musa_device_index(device, optional=True)
    counters = "\n".join(f"| {name:<12} {number:>16} |" for name, number in _stats(index).items())
    return f"| PyTorch MUSA memory summary, device ID {index} |\n{counters}\n"


def memory_snapshot() -> list[dict[str, Any]]:
    """Nothing: the stand-in keeps no segments."""
    return []


def reset_peak_memory_stats(device: DeviceUnion = None) -> None:
    """Let the peak begin at what is in use now."""
    _MUSAC._musa_resetPeakMemoryStats(_get_musa_device_index(device, optional=True))


def reset_max_memory_allocated(device: DeviceUnion = None) -> None:
    """The same, by its older name."""
    reset_peak_memory_stats(device)


def reset_max_memory_cached(device: DeviceUnion = None) -> None:
    """The same, by its older name."""
    reset_peak_memory_stats(device)


def reset_accumulated_memory_stats(device: DeviceUnion = None) -> None:
    """Let the sums begin at zero."""
    _MUSAC._musa_resetAccumulatedMemoryStats(_get_musa_device_index(device, optional=True))


def empty_cache() -> None:
    """Nothing: the stand-in keeps no cache."""


def set_per_process_memory_fraction(fraction: float, device: DeviceUnion = None) -> None:
    """Checked, and not kept."""
    if not isinstance(fraction, float):
        raise TypeError("Invalid type for fraction argument, must be `float`")
    if not 0 <= fraction <= 1:
        raise ValueError(f"Invalid fraction value: {fraction}. Allowed range: 0~1")


def get_allocator_backend() -> str:
    """What torch calls its own allocator."""
    return "native"


class MUSAPluggableAllocator:
    """Functions of a shared library. They are looked up and never called."""

    def __init__(self, path_to_so_file: str, alloc_fn_name: str, free_fn_name: str) -> None:
        library = ctypes.CDLL(path_to_so_file)
        self._functions = getattr(library, alloc_fn_name), getattr(library, free_fn_name)


def change_current_allocator(allocator: MUSAPluggableAllocator) -> None:
    """Refused, as on a device that is in use already."""
    raise RuntimeError("Can't swap an already initialized allocator")


class MemPool:
    """A pool by name; all memory is in one."""

    _last = 0

    def __init__(self, allocator: object | None = None) -> None:
        MemPool._last += 1
        self.id, self.allocator = (0, MemPool._last), allocator


class MemPoolContext:
    """A pool that is in use."""

    def __init__(self, pool: MemPool) -> None:
        self.pool = pool


@contextlib.contextmanager
def use_mem_pool(pool: MemPool, device: DeviceUnion = None) -> Iterator[None]:
    """Use a pool, for the length of a block."""
    yield
