"""This package's own implementations for names of `torch.cuda` that `torch.musa` lacks.

`torch.cuda.NAME` is `torchada._own.NAME`, and what is in a submodule is in one here. Some are made of what
torch_musa has, some are torch's own Python functions, which work on MUSA since what they call is there.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.cuda

from ._names import (
    _device_count_nvml,
    _get_device_index,
    _is_compiled,
    get_gencode_flags,
    get_stream_from_external,
    get_sync_debug_mode,
    make_graphed_callables,
    set_sync_debug_mode,
)
from ._properties import DeviceProperties as _CudaDeviceProperties, get_device_properties
from ._runtime import CUDART as _cudart
from .memory import caching_allocator_disabled

__all__ = [
    "_CudaDeviceProperties",
    "_cudart",
    "_device_count_nvml",
    "_get_device_index",
    "_is_compiled",
    "caching_allocator_disabled",
    "get_device_properties",
    "get_gencode_flags",
    "get_stream_from_external",
    "get_sync_debug_mode",
    "make_graphed_callables",
    "set_sync_debug_mode",
]


def __getattr__(name: str) -> Any:
    if name.endswith("Tensor"):
        from . import _types

        return _types.dense(name)
    if name == "graph":
        return torch.musa.graph
    if name in ("cudart", "check_error", "CudaError"):
        # PyTorch's own: they ask `torch.cuda._cudart`, which is this package's.
        return vars(torch.cuda)[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
