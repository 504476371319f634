"""Events that go to another process."""

from __future__ import annotations

from multiprocessing.reduction import ForkingPickler
from typing import Any

from .stream import Event


def reduce_event(event: Event) -> tuple[Any, tuple[Any, bytes]]:
    """What is sent in an event's place."""
    return Event.from_ipc_handle, (event.device, event.ipc_handle())


def init_reductions() -> None:
    """Make it known to multiprocessing."""
    ForkingPickler.register(Event, reduce_event)
