"""What torch_musa initializes on first use. The stand-in is ready from the start, but not in a forked child."""

from __future__ import annotations

import os
import types
from typing import Callable

from . import _musart

_initialized = True
_forked = False


def _note_fork() -> None:
    global _forked
    _forked = True


os.register_at_fork(after_in_child=_note_fork)


def _is_in_bad_fork() -> bool:
    """Whether this process was forked from one that used the device, as every importer of the stand-in does."""
    return _forked


def is_initialized() -> bool:
    """Whether the device can be used."""
    return _initialized and not _forked


def _lazy_init() -> None:
    if _forked:
        raise RuntimeError(
            "Cannot re-initialize MUSA in forked subprocess. To use MUSA with multiprocessing, you must use the "
            "'spawn' start method"
        )


def _lazy_call(callable: Callable[[], object], **_: object) -> None:
    callable()


def musart() -> types.ModuleType:
    """The module of runtime functions."""
    _lazy_init()
    return _musart
