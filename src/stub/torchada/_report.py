"""What was redirected, how often and from where."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


class Count:
    """How often one name was redirected, and the place that did so first."""

    __slots__ = ("name", "patch", "place", "places", "times")

    def __init__(self, patch: str, name: str) -> None:
        self.patch = patch
        self.name = name
        self.times = 0
        #: `file:line` of the first call.
        self.place = ""
        #: How often each place called; kept while tracing only.
        self.places: dict[str, int] = {}


_counts: dict[tuple[str, str], Count] = {}

#: `TORCHADA_TRACE=1`, read once: every place is counted, and calls of `torch.cuda`'s functions are, too.
TRACE = os.environ.get("TORCHADA_TRACE", "").strip().lower() in ("1", "true", "yes", "on")


def counter(patch: str, name: str) -> Callable[[], None]:
    """What a patch calls when it redirects `name`, a few dozen nanoseconds.

    Counts of threads that redirect at the same moment may be lost: they are figures for people.
    """
    count = _counts.setdefault((patch, name), Count(patch, name))

    def first() -> None:
        if not count.place:
            count.place = caller()
        count.times += 1

    def traced() -> None:
        place = caller()
        count.place = count.place or place
        count.places[place] = count.places.get(place, 0) + 1
        count.times += 1

    return traced if TRACE else first


def traced(patch: str, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function itself or, while tracing, one that counts its calls."""
    if not TRACE or isinstance(function, type):
        return function
    import functools

    count = counter(patch, name)

    @functools.wraps(function)
    def counted(*args: Any, **kwargs: Any) -> Any:
        count()
        return function(*args, **kwargs)

    return counted


def counts() -> list[Count]:
    """What was redirected at all, by patch and name."""
    return sorted((count for count in _counts.values() if count.times), key=lambda count: (count.patch, count.name))


def forget() -> None:
    """Start counting anew."""
    for count in _counts.values():
        count.times, count.place, count.places = 0, "", {}


def caller() -> str:
    """`file:line` of the innermost frame outside this package and torch's own code."""
    frame = sys._getframe(1)
    fallback = ""
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith(_PACKAGE):
            place = f"{file}:{frame.f_lineno}"
            fallback = fallback or place
            if f"{os.sep}torch{os.sep}" not in file and f"{os.sep}torch_musa{os.sep}" not in file:
                return place
        frame = frame.f_back  # type: ignore[assignment]
    return fallback or "?"


class Report:
    """What `report()` gives: to be printed, or read."""

    def __init__(self) -> None:
        self.counts = counts()

    def __str__(self) -> str:
        return "\n".join(f"{count.name}: {count.times} from {count.place}" for count in self.counts)


def report() -> Report:
    """What was redirected so far."""
    return Report()
