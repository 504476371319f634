"""Which devices there are, and which one is current."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any


def _count() -> int:
    # torchrun says how many processes there are here: each may want a device of its own
    wanted = os.environ.get("TORCHADA_TRYOUT_DEVICES") or os.environ.get("LOCAL_WORLD_SIZE") or "1"
    if not wanted.isdigit() or not 0 < int(wanted) <= 16:
        raise RuntimeError(f"TORCHADA_TRYOUT_DEVICES={wanted}: a number from 1 to 16 is wanted")
    visible = os.environ.get("MUSA_VISIBLE_DEVICES")
    if visible is None:
        return int(wanted)
    # as the driver does: what follows a device that there is not does not count
    found = 0
    for each in visible.split(","):
        if not each.strip().isdigit() or int(each) >= int(wanted):
            break
        found += 1
    return found


#: How many devices there are.
COUNT = _count()


#: Called with the device's number when a thread's device changes.
listeners: list[Callable[[int], Any]] = []


class _Current(threading.local):
    index = 0


_current = _Current()


def current() -> int:
    """The index of this thread's device."""
    return _current.index


def checked(index: int) -> int:
    """The index, where there is such a device."""
    if not 0 <= index < COUNT:
        raise RuntimeError(
            f"MUSA error: invalid device ordinal: {index} of {COUNT} (the try-out has as many devices as "
            "TORCHADA_TRYOUT_DEVICES says)"
        )
    return index


def select(index: int) -> None:
    """Make a device the current one of this thread."""
    _current.index = checked(index)
    for listener in listeners:
        listener(index)


def exchange(index: int) -> int:
    """Make a device the current one; gives the one before. A negative index changes nothing."""
    if index < 0:
        return -1
    before = _current.index
    select(index)
    return before
