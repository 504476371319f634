"""Streams and events. Work is done when it is asked for, so they only keep the books."""

from __future__ import annotations

import ctypes
import time
from typing import Any

import torch
from torch_musa import _MUSAC

from ._utils import STAND_IN, DeviceUnion, _get_musa_device_index

#: The number of c10::DeviceType::PrivateUse1.
_PRIVATEUSE1 = 20


class Stream(_MUSAC._MusaStreamBase):
    """A stream of a device: of the current one, if none is named."""

    def __new__(cls, device: DeviceUnion = None, priority: int = 0, **kwargs: Any) -> Stream:
        if "stream_ptr" in kwargs:
            kwargs["stream_id"] = kwargs.pop("stream_ptr")
            kwargs.update(device_index=_get_musa_device_index(device, optional=True), device_type=_PRIVATEUSE1)
        if "stream_id" in kwargs:
            return super().__new__(cls, **kwargs)
        index = _get_musa_device_index(device, optional=True)
        stream = super().__new__(cls, device=torch.device("musa", index), priority=priority)
        stream._priority = priority
        return stream

    @property
    def priority(self) -> int:
        """What the stream was made with."""
        return getattr(self, "_priority", 0)

    @staticmethod
    def priority_range() -> tuple[int, int]:
        """The least and the greatest priority."""
        return 0, -1

    @property
    def musa_stream(self) -> int:
        """What the driver knows the stream by."""
        return self.stream_id

    @property
    def _as_parameter_(self) -> ctypes.c_void_p:
        return ctypes.c_void_p(self.musa_stream)

    def record_event(self, event: Event | None = None) -> Event:
        """Record an event, a new one if none is given."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def __repr__(self) -> str:
        return f"torch_musa.Stream device={self.device} musa_stream={self.musa_stream:#x}"


class ExternalStream(Stream):
    """A stream that another library made."""

    def __new__(cls, stream_ptr: int, device: DeviceUnion = None, **kwargs: Any) -> ExternalStream:
        return super().__new__(cls, device=device, stream_ptr=stream_ptr, **kwargs)


class Event(_MUSAC._MusaEventBase):
    """A point in a stream's work."""

    _enable_timing = False
    _time: float | None = None

    def __new__(cls, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False) -> Event:
        event = super().__new__(
            cls, device="musa", enable_timing=enable_timing, blocking=blocking, interprocess=interprocess
        )
        event._enable_timing = enable_timing
        return event

    @classmethod
    def from_ipc_handle(cls, device: Any, handle: bytes) -> Event:
        """Not to be had: the stand-in shares nothing between processes."""
        raise RuntimeError(f"{STAND_IN} has no events between processes")

    def ipc_handle(self) -> bytes:
        """Not to be had: the stand-in shares nothing between processes."""
        raise RuntimeError(f"{STAND_IN} has no events between processes")

    def record(self, stream: Stream | None = None) -> None:
        """Record the event in a stream, the current one if none is given."""
        self._time = time.perf_counter()
        super().record(current_stream() if stream is None else stream)

    def wait(self, stream: Stream | None = None) -> None:
        """Let a stream wait for the event."""
        super().wait(current_stream() if stream is None else stream)

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds between two events. By Python's clock: torch 2.15 refuses its own to subclasses."""
        if not (self._enable_timing and end_event._enable_timing):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if self._time is None or end_event._time is None:
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        return (end_event._time - self._time) * 1e3

    @property
    def musa_event(self) -> int:
        """What the driver knows the event by."""
        return self.event_id

    @property
    def _as_parameter_(self) -> ctypes.c_void_p:
        return ctypes.c_void_p(self.musa_event)

    def __repr__(self) -> str:
        return "<torch_musa.Event uninitialized>" if self._time is None else f"<torch_musa.Event {self.musa_event:#x}>"


class StreamContext:
    """The current stream, for the length of a block. None changes nothing."""

    def __init__(self, stream: Stream | None) -> None:
        self.stream = stream
        self._device = -1
        self._before: Stream | None = None

    def __enter__(self) -> Stream | None:
        if self.stream is not None:
            self._device = _MUSAC._musa_getDevice()
            self._before = current_stream(self.stream.device)
            set_stream(self.stream)
        return self.stream

    def __exit__(self, *_: object) -> None:
        if self.stream is not None:
            set_stream(self._before)
            _MUSAC._musa_setDevice(self._device)


def stream(stream: Stream | None) -> StreamContext:
    """The current stream, for the length of a block."""
    return StreamContext(stream)


def set_stream(stream: Stream | None) -> None:
    """Make a stream the current one of its device, and its device the current one."""
    if stream is not None:
        _MUSAC._musa_setStream(stream.stream_id, stream.device_index)


def _set_stream_by_id(stream_id: int, device_index: int, device_type: int) -> None:
    _MUSAC._musa_setStream(stream_id, device_index)


def current_stream(device: DeviceUnion = None) -> Stream:
    """The current stream of a device."""
    stream_id, index, kind = _MUSAC._musa_getCurrentStream(_get_musa_device_index(device, optional=True))
    return Stream(stream_id=stream_id, device_index=index, device_type=kind)


def default_stream(device: DeviceUnion = None) -> Stream:
    """The stream that a device's work is in where nobody says otherwise."""
    index = _get_musa_device_index(device, optional=True)
    return Stream(stream_id=0, device_index=index, device_type=_PRIVATEUSE1)
