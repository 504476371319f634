"""Functions of `torch.cuda` that take a few lines."""

from __future__ import annotations

import functools
from typing import Any

import torch
from torch_musa.core._utils import _get_musa_device_index


def _is_compiled() -> bool:
    """Whether this PyTorch has the device: torch_musa is what it was compiled with."""
    return True


def _device_count_nvml() -> int:
    """How many devices there are, without initializing them."""
    return torch.musa.device_count()


def _get_device_index(device: Any, optional: bool = False, allow_cpu: bool = False) -> int:
    """The index of a device that is given by name, number or object; the current one's for None."""
    if device.__class__ is int:
        return device
    if device is None and not optional:
        raise ValueError("Expected a torch.device with a specified index or an integer, but got:None")
    return _get_musa_device_index(device, optional, allow_cpu)


def get_stream_from_external(data_ptr: int, device: Any = None) -> Any:
    """The stream that another library made: `data_ptr` is its `musaStream_t`."""
    return torch.musa.ExternalStream(data_ptr, device)


def set_sync_debug_mode(debug_mode: int | str) -> None:
    """Only the mode that looks for nothing can be set.

    Raises NotImplementedError for the others, since torch_musa does not watch for synchronizing operations.
    """
    if debug_mode in (0, "default"):
        return
    if debug_mode not in (1, 2, "warn", "error"):
        raise RuntimeError("invalid value of debug_mode, expected one of `default`, `warn`, `error`")
    raise NotImplementedError(
        f"torch.cuda.set_sync_debug_mode({debug_mode!r}) has no counterpart on MUSA: torch_musa does not watch "
        "for synchronizing operations. Look for them with torch.profiler."
    )


def get_gencode_flags() -> str:
    """None: MUSA's builders take the GPUs that a build is for from TORCH_MUSA_ARCH_LIST."""
    return ""


def get_sync_debug_mode() -> int:
    """0: nothing is looked for."""
    return 0


@functools.wraps(torch.cuda.make_graphed_callables)
def make_graphed_callables(
    callables: Any,
    sample_args: Any,
    num_warmup_iters: int = 3,
    allow_unused_input: bool = False,
    pool: Any = None,
    **options: Any,
) -> Any:
    # A pool is a hint that memory may be shared: torch_musa takes one of its own, and the result is the same.
    return torch.musa.make_graphed_callables(callables, sample_args, num_warmup_iters, allow_unused_input, **options)
