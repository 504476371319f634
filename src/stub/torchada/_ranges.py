"""Ranges for a tool that records what a program does, where there is no such tool.

What the functions give is what NVTX would: depths and numbers.
"""

from __future__ import annotations

import itertools
import threading

_thread = threading.local()
_ids = itertools.count(1)


def mark(msg: str) -> None:
    """Nothing."""


def range_push(msg: str) -> int:
    """The depth of this thread's range that begins, from zero."""
    depth: int = getattr(_thread, "depth", 0)
    _thread.depth = depth + 1
    return depth


def range_pop() -> int:
    """The depth of this thread's range that ends; -2 if there is none, as NVTX has it."""
    depth: int = getattr(_thread, "depth", 0) - 1
    if depth < 0:
        return -2
    _thread.depth = depth
    return depth


def range_start(msg: str) -> int:
    """A number for a range that may end in another thread."""
    return next(_ids)


def range_end(range_id: int) -> None:
    """Nothing."""
