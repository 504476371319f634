"""Counting how often classes of `torch.cuda` are used, which are torch_musa's own and can't be wrapped as functions are."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from ... import _later, _report, _tables
from ..._journal import Journal


def count() -> None:
    """Count each object of such a class that is made outside of torch, once torch_musa is there."""
    if "torch_musa" in sys.modules:
        _count_all()
    else:
        _later.when_imported("torch_musa", _count_all, Journal())


def _count_all() -> None:
    done = set()
    for dotted, target in _tables.FORWARDED.items():
        value: Any = sys.modules.get("torch")
        for part in target.split(".")[1:]:
            value = getattr(value, part, None)
        if isinstance(value, type) and value not in done:
            done.add(value)
            _count_class(value, _report.counter("torch-cuda", dotted))


def _count_class(cls: type, counter: _report.Count) -> None:
    init: Callable[..., Any] = type.__getattribute__(cls, "__init__")

    @functools.wraps(init)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        # Torch, torch_musa and this package make such objects for themselves.
        if not _report.is_inside(sys._getframe(1).f_code.co_filename):
            counter()
        if init is not object.__init__:
            init(self, *args, **kwargs)

    try:
        cls.__init__ = __init__  # type: ignore[misc]
    except TypeError:
        # A class that is written in C stays as it is.
        return
