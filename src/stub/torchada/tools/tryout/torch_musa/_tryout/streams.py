"""Streams and events. Work is done when it is asked for, so streams are numbers and events are times."""

from __future__ import annotations

import itertools
import threading
import time
from typing import Any

import torch

from . import devices

#: The number of c10::DeviceType::PrivateUse1.
KIND = 20

_numbers = itertools.count(1)


#: What makes torch's own streams and events, once `constructors` have taken its place.
_make: dict[str, Any] = {}


class _Current(threading.local):
    def __init__(self) -> None:
        self.streams = [0] * devices.COUNT
        #: Whether this thread has ever chosen a stream: those of autograd do not, and work for who waits for them.
        self.chosen = False


_current = _Current()


def current(index: int) -> int:
    """The number of a device's current stream."""
    return _current.streams[devices.checked(index)]


def select(number: int, index: int) -> None:
    """Make a stream the current one of its device, and its device the current one."""
    devices.select(index)
    _current.streams[index] = number
    _current.chosen = True


def works_on(index: int, number: int) -> bool:
    """Whether this thread's work goes to a stream."""
    return _current.streams[index] == number if _current.chosen else True


class StreamBase(torch.Stream):
    """A stream as torch_musa's C half has it."""

    def __new__(cls, device: Any = None, priority: int = 0, **kwargs: Any) -> Any:
        if "stream_id" not in kwargs:
            wanted = torch.device("musa" if device is None else device)
            index = devices.current() if wanted.index is None else devices.checked(wanted.index)
            kwargs = {"stream_id": next(_numbers), "device_index": index, "device_type": KIND}
        return _make["Stream"](cls, (), kwargs)

    def query(self) -> bool:
        """Whether all is done."""
        return True

    def synchronize(self) -> None:
        """Wait: all is done already."""

    def wait_event(self, event: Any) -> None:
        """Wait for an event in the stream."""

    def wait_stream(self, stream: Any) -> None:
        """Wait for another stream in this one."""

    @property
    def native_handle(self) -> int:
        """What the driver knows the stream by."""
        return self.stream_id

    def __enter__(self) -> Any:
        index = self.device_index
        self.__dict__.setdefault("_before", []).append((devices.current(), index, current(index)))
        select(self.stream_id, index)
        return self

    def __exit__(self, *_: object) -> None:
        device, index, number = self.__dict__["_before"].pop()
        select(number, index)
        devices.select(device)


class EventBase(torch.Event):
    """An event as torch_musa's C half has it."""

    _recorded: float | None = None
    _ids = itertools.count(1)

    def __new__(
        cls, device: Any = None, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False
    ) -> Any:
        settings = {"enable_timing": enable_timing, "blocking": blocking, "interprocess": interprocess}
        made = _make["Event"](cls, (), {"device": "musa", **settings})
        made._timed = enable_timing
        made._id = 0
        return made

    _timed: bool
    _id: int

    @property
    def device(self) -> torch.device:  # type: ignore[override]
        """The device on which it was recorded."""
        return torch.device("musa", devices.current())

    @property
    def event_id(self) -> int:  # type: ignore[override]
        """What the driver knows the event by."""
        return self._id

    def record(self, stream: Any = None) -> None:
        """Record the event."""
        self._id = self._id or next(EventBase._ids)
        self._recorded = time.perf_counter()

    def wait(self, stream: Any = None) -> None:
        """Let a stream wait for the event."""

    def query(self) -> bool:
        """Whether all before it is done."""
        return True

    def synchronize(self) -> None:
        """Wait: all is done already."""

    def elapsed_time(self, end_event: Any) -> float:
        """Milliseconds between two events."""
        if not (self._timed and end_event._timed):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if self._recorded is None or end_event._recorded is None:
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        return (end_event._recorded - self._recorded) * 1e3


def constructor(base: type, ours: type) -> Any:
    """`torch.Stream(device)` and `torch.Event(device)`: the device's own for the device, which is the default."""

    def construct(make: Any) -> Any:
        _make[base.__name__] = make

        def new(cls: type, *args: Any, **kwargs: Any) -> Any:
            device = args[0] if args else kwargs.get("device")
            if cls is base and "stream_id" not in kwargs and (device is None or torch.device(device).type == "musa"):
                return ours.__new__(ours, *args, **kwargs)
            return make(cls, args, kwargs)

        return new

    return construct
