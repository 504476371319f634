"""Shared libraries of CUDA's and the functions in them, as programs that load them by hand name them."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator
from typing import Any

from . import _tables

#: `libcudart.so.12`, and `libcudart-d0da41ae.so.11.0` as wheels call their copies.
_FILE = re.compile(r"lib(?P<stem>[A-Za-z0-9_-]+?)(?:-[0-9a-f]{8})?\.so(?:\.[0-9]+)*\Z")

#: Not by name: MTML's functions take other arguments than NVML's of the same meaning, so that calls through
#: ctypes, which knows no types, would go wrong.
_OTHER_INTERFACE = frozenset({"nvidia-ml"})

_STEMS = {cuda: musa for cuda, musa in _tables.LIBRARIES.items() if cuda not in _OTHER_INTERFACE}
_CUDA_STEMS = {musa: cuda for cuda, musa in reversed(sorted(_STEMS.items()))}


def musa_home() -> str:
    """The SDK's folder, by its environment variables or where it is installed by default."""
    return os.environ.get("MUSA_HOME") or os.environ.get("MUSA_PATH") or "/usr/local/musa"


def counterpart(stem: str) -> str | None:
    """`musart` for `cudart`, or None for a library that is not CUDA's or has no counterpart."""
    return _STEMS.get(stem)


def candidates(name: Any) -> list[str]:
    """What to load instead of the library that a program names; nothing if it is to have just that.

    A path that exists is what the program wants. Otherwise MUSA's library is meant: the loader looks for
    it, and then the SDK's folder is tried, which the loader may not know.
    """
    if not isinstance(name, (str, bytes, os.PathLike)):
        return []
    path = os.fsdecode(name)
    matched = _FILE.match(os.path.basename(path))
    stem = counterpart(matched["stem"]) if matched else None
    if stem is None or (os.path.dirname(path) and os.path.exists(path)):
        return []
    return list(files(stem))


def files(stem: str) -> Iterator[str]:
    """What the library of MUSA's may be loaded as: its names for the loader, then files that are there."""
    version = _tables.LIBRARY_VERSIONS.get(stem) or _tables.LIBRARY_VERSIONS.get(_CUDA_STEMS[stem])
    names = [f"lib{stem}.so"]
    if version:
        names.insert(0, f"lib{stem}.so.{version.lstrip('.')}")
    yield from names
    for folder in ("lib", "lib64"):
        for name in names:
            path = os.path.join(musa_home(), folder, name)
            if os.path.exists(path):
                yield path


@functools.lru_cache(maxsize=256)
def cuda_stem(path: str) -> str | None:
    """`cudart` for a path of `libmusart.so`, or None for a library that is no counterpart of CUDA's."""
    matched = _FILE.match(os.path.basename(path))
    return _CUDA_STEMS.get(matched["stem"]) if matched else None


def symbol(stem: str, name: str) -> str:
    """What the function of a library of CUDA's, by its stem, is called in MUSA's; other names stay."""
    exception = _tables.SYMBOLS.get(name)
    if exception is not None:
        return exception
    prefixes = _tables.SYMBOL_PREFIXES.get(stem, {})
    for ours in sorted(prefixes, key=len, reverse=True):
        if name.startswith(ours):
            return prefixes[ours] + name[len(ours) :]
    return name


def advice(name: str) -> str:
    """What to do about a function that is known to have no counterpart, or nothing."""
    return _tables.ABSENT_SYMBOLS.get(name, "")


def linked(name: str) -> str:
    """What the linker calls the counterpart of a library; others keep their name."""
    return _tables.LIBRARIES.get(name, name)
