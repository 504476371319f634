"""The device, as Dynamo asks about it."""

from __future__ import annotations

from typing import Any

import torch_musa as musa
from torch._dynamo.device_interface import (
    DeviceInterface,
    get_registered_device_interfaces,
    register_interface_for_device,
)

__all__ = ["MusaInterface", "get_registered_device_interfaces", "register_interface_for_device"]


class MusaInterface(DeviceInterface):
    """Every answer is torch.musa's."""

    device, Event, Stream = musa.device, musa.Event, musa.Stream

    class Worker:
        """The same, in a process that compiles."""

        set_device = staticmethod(musa.set_device)
        current_device = staticmethod(musa.current_device)
        get_device_properties = staticmethod(musa.get_device_properties)

    current_device = staticmethod(musa.current_device)
    set_device = staticmethod(musa.set_device)
    device_count = staticmethod(musa.device_count)
    is_available = staticmethod(musa.is_available)
    stream = staticmethod(musa.stream)
    current_stream = staticmethod(musa.current_stream)
    set_stream = staticmethod(musa.set_stream)
    _set_stream_by_id = staticmethod(musa._set_stream_by_id)
    get_raw_stream = staticmethod(musa._MUSAC._musa_getCurrentRawStream)
    synchronize = staticmethod(musa.synchronize)
    get_device_properties = staticmethod(musa.get_device_properties)
    exchange_device = staticmethod(musa._exchange_device)
    maybe_exchange_device = staticmethod(musa._maybe_exchange_device)
    memory_allocated = staticmethod(musa.memory_allocated)
    is_bf16_supported = staticmethod(musa.is_bf16_supported)

    @staticmethod
    def get_compute_capability(device: Any = None) -> int:
        """31 for mp_31."""
        major, minor = musa.get_device_capability(device)
        return major * 10 + minor

    @staticmethod
    def is_triton_capable(device: Any = None) -> bool:
        """There is no Triton for the stand-in."""
        return False


for _name in ("musa", *(f"musa:{index}" for index in range(musa.device_count()))):
    register_interface_for_device(_name, MusaInterface)
