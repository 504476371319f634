"""Counting what is redirected, and from where."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from ._environment import is_on

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


#: What became of a call: it was led to MUSA; it did nothing, by intention; torch_musa has nothing for it.
REDIRECTED, SILENT, MISSING = "redirected", "silent", "missing"


class Count:
    """How often one name was redirected, and from where.

    A hot path writes `if count.quiet: count.times += 1` and calls the object otherwise, which finds out the
    place. Counts of threads that redirect at the same moment may be lost: they are figures for people.
    """

    __slots__ = ("kind", "name", "patch", "place", "places", "quiet", "times")

    def __init__(self, patch: str, name: str, kind: str = REDIRECTED) -> None:
        self.patch = patch
        self.name = name
        #: What became of the calls.
        self.kind = kind
        self.reset()

    def reset(self) -> None:
        """As if nothing had been redirected."""
        self.times = 0
        #: Whether no place is to be found out any more: the first is known, and only tracing wants them all.
        self.quiet = False
        #: `file:line` of the first call.
        self.place = ""
        #: How often each place called; only the first one's name is kept unless every place is traced.
        self.places: dict[str, int] = {}

    def __call__(self) -> None:
        self.times += 1
        if self.quiet:
            return
        place = caller()
        self.place = self.place or place
        if TRACE:
            times = self.places.get(place, 0) + 1
            self.places[place] = times
            if times & (times - 1) == 0:
                for listener in listeners:
                    listener(self, place)
        else:
            self.quiet = True


# The same after `importlib.reload`: the patches that are on count here.
_counts: dict[tuple[str, str], Count] = globals().get("_counts") or {}

#: The folder in which each process of a run leaves what it counted (`torchada run --report`).
FOLDER = os.environ.get("TORCHADA_REPORT", "")

#: `TORCHADA_TRACE=1`, read once: every place is counted, and calls of `torch.cuda`'s functions are, too.
TRACE = is_on("TORCHADA_TRACE") or bool(FOLDER)

#: Called while tracing, with each new place and whenever a place has called twice as often.
listeners: list[Callable[[Count, str], None]] = []


def counter(patch: str, name: str, kind: str = REDIRECTED) -> Count:
    """The count that a patch keeps of what it redirects by one name."""
    return _counts.setdefault((patch, name), Count(patch, name, kind))


def traced(patch: str, name: str, function: Callable[..., Any], kind: str = REDIRECTED) -> Callable[..., Any]:
    """The function itself or, while tracing, one that counts its calls. What is missing counts itself."""
    if not TRACE or isinstance(function, type):
        return function
    import functools

    count = counter(patch, name, kind)
    if count.kind == MISSING:
        return function

    @functools.wraps(function)
    def counted(*args: Any, **kwargs: Any) -> Any:
        # What torch asks itself, no program has asked for.
        file = sys._getframe(1).f_code.co_filename
        if not is_torchs(file):
            count()
        return function(*args, **kwargs)

    return counted


def counts() -> list[Count]:
    """What was redirected at all, by patch and name."""
    return sorted((count for count in _counts.values() if count.times), key=lambda count: (count.patch, count.name))


def forget() -> None:
    """Start counting anew."""
    for count in _counts.values():
        count.reset()


#: Parts of the paths of torch's own code.
_TORCH = (f"{os.sep}torch{os.sep}", f"{os.sep}torch_musa{os.sep}")


def is_torchs(file: str) -> bool:
    """Whether a file is one of torch's or torch_musa's own code."""
    return any(part in file for part in _TORCH)


def is_inside(file: str) -> bool:
    """Whether a file is torch's, torch_musa's or this package's: no program's."""
    return file.startswith(_PACKAGE) or is_torchs(file)


#: Where the modules of the standard library are, and packages that were installed beside them.
_STANDARD, _INSTALLED = os.path.dirname(os.__file__) + os.sep, f"{os.sep}site-packages{os.sep}"


def is_torchs_import() -> bool:
    """Whether torch asks while it imports a module of its own, whoever's call that is for: no program has asked."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith("<frozen importlib"):
            return True
        if not is_inside(file):
            return False
        frame = frame.f_back
    return False


def caller() -> str:
    """`file:line` of the innermost frame outside this package, torch's own code and the standard library."""
    frame = sys._getframe(1)
    fallback = ""
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith(_PACKAGE):
            place = f"{file}:{frame.f_lineno}"
            fallback = fallback or place
            is_standard = (file.startswith(_STANDARD) and _INSTALLED not in file) or file.startswith("<frozen ")
            # Its decorators, such as that for deprecated functions, stand between a caller and torch.
            is_standard = is_standard or file.endswith(f"{os.sep}typing_extensions.py")
            if not is_standard and not is_torchs(file):
                return place
        frame = frame.f_back  # type: ignore[assignment]
    return fallback or "?"
