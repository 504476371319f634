"""What torch_musa has in its C half, `torch_musa._MUSAC`, as far as the stand-in asks for it."""

from __future__ import annotations

import sys
import types
from typing import Any

import torch

from . import autocast, convolution, devices, generators, graphs, hooks, kernels, memory, modules, storages, streams


def _maybe_exchange(index: int) -> int:
    # Its own function, though it does the same: Dynamo keeps what it knows of functions by their identity.
    return devices.exchange(index)


def _memory_stats(index: int) -> dict[str, int]:
    return memory.stats(index)


def _is_musa(tensor: torch.Tensor) -> bool:
    if not isinstance(tensor, torch.Tensor):
        raise TypeError("_is_musa takes a tensor")
    return tensor.device.type == "musa"


def _raw_stream(index: int) -> int:
    return streams.current(index)


def _register_hooks() -> None:
    """Done when the module was made."""


_NAMES: dict[str, Any] = {
    "_is_musa": _is_musa,
    "_musa_getDeviceCount": lambda: devices.COUNT,
    "_musa_getDevice": devices.current,
    "_musa_setDevice": devices.select,
    "_musa_exchangeDevice": devices.exchange,
    "_musa_maybeExchangeDevice": _maybe_exchange,
    "_musa_getCurrentStream": lambda index: (streams.current(index), index, streams.KIND),
    "_musa_getCurrentRawStream": _raw_stream,
    "_musa_setStream": streams.select,
    "_musa_memoryStats": _memory_stats,
    "_musa_resetPeakMemoryStats": memory.reset_peak,
    "_musa_resetAccumulatedMemoryStats": memory.reset_accumulated,
    "_musa_getDefaultGenerator": generators.default,
    "_musa_register_device_hook": _register_hooks,
    "_musa_isCurrentStreamCapturing": graphs.capturing,
    "_MusaStreamBase": streams.StreamBase,
    "_MusaEventBase": streams.EventBase,
    "_stand_in": "torchada's try-out",
    "_device_name": "CPU (torchada's try-out)",
    "_double_total_memory": memory.total,
    "_double_fallback_calls": lambda: 0,
    "_double_graph_new": graphs.new,
    "_double_graph_begin": graphs.begin,
    "_double_graph_end": graphs.end,
    "_double_graph_replay": graphs.replay,
    "_double_graph_free": graphs.free,
    "_double_graph_operators": graphs.operators,
    "_tryout_alias_cpu": kernels.alias_cpu,
}


def make(name: str) -> types.ModuleType:
    """Make the device, and the module by which torch_musa reaches it."""
    hooks.register()
    kernels.register()
    convolution.register(kernels.library("aten"))
    autocast.register(kernels.library("aten"), kernels.library("_"))
    storages.register()
    from . import compile, pinning  # noqa: F401  they register their patches, once torchada is being imported

    modules.register()
    module = types.ModuleType(name, __doc__)
    vars(module).update(_NAMES)
    sys.modules[name] = module
    return module
