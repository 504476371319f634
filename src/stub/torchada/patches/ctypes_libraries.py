"""Libraries that programs load with ctypes."""

from __future__ import annotations

import ctypes
import functools
import os
import warnings
from typing import Any

from .. import _libraries, _report
from .._journal import Journal
from .._registry import patch


@patch("ctypes-libraries")
def libraries(journal: Journal) -> None:
    """Have `ctypes.CDLL("libcudart.so.12")`, `PyDLL` and `cdll.LoadLibrary` load `libmusart.so`, and so for
    NCCL, cuBLAS and the other libraries that have a counterpart. A path that exists is loaded as it is. Where
    MUSA's library can't be loaded, CUDA's is, with a warning; where neither can, the error names both."""
    original = ctypes.CDLL.__init__
    count = _report.counter("ctypes-libraries", "ctypes.CDLL")

    # The class keeps its identity, so that subclasses and `isinstance` hold.
    @functools.wraps(original)
    def __init__(self: ctypes.CDLL, *args: Any, **kwargs: Any) -> None:
        if not args and "name" in kwargs:
            args = (kwargs.pop("name"),)
        # With a handle nothing is loaded.
        if not args or kwargs.get("handle") is not None or len(args) > 2 and args[2] is not None:
            original(self, *args, **kwargs)
            return
        candidates = _libraries.candidates(args[0])
        for name in candidates:
            try:
                original(self, name, *args[1:], **kwargs)
            except OSError:
                continue
            count()
            return
        if not candidates:
            original(self, *args, **kwargs)
            return
        asked = os.fsdecode(args[0])
        where = f"{', '.join(dict.fromkeys(map(os.path.basename, candidates)))} of MUSA's could not be loaded"
        remedy = "Add the folder of MUSA's libraries to LD_LIBRARY_PATH, or set MUSA_HOME."
        try:
            original(self, *args, **kwargs)
        except OSError as error:
            raise OSError(f"{error}. {where}, which {asked} stands for. {remedy}") from None
        warnings.warn(
            f"{asked} is CUDA's, whose functions know nothing of MUSA's devices: {where}. {remedy}",
            RuntimeWarning,
            stacklevel=2,
        )

    journal.set(ctypes.CDLL, "__init__", __init__)


@patch("ctypes-symbols")
def symbols(journal: Journal) -> None:
    """Have a MUSA library that was loaded with ctypes give its functions by CUDA's names, too: `cudaMalloc`
    is `musaMalloc`, `ncclAllReduce` is `mcclAllReduce`. Other libraries look names up as ever."""
    original = ctypes.CDLL.__getitem__
    count = _report.counter("ctypes-symbols", "ctypes.CDLL.__getitem__")

    @functools.wraps(original)
    def __getitem__(self: ctypes.CDLL, name: Any) -> Any:
        # A program's own symbols have no file, and ordinals no name.
        stem = _libraries.cuda_stem(os.fsdecode(self._name)) if self._name and isinstance(name, str) else None
        if stem is None:
            return original(self, name)
        renamed = _libraries.symbol(stem, name)
        if renamed == name:
            return original(self, name)
        try:
            function = original(self, renamed)
        except AttributeError as error:
            # A library may offer CUDA's own names besides.
            try:
                return original(self, name)
            except AttributeError:
                raise AttributeError(f"{error}, which is {name} on MUSA. {_libraries.advice(name)}".rstrip()) from None
        count()
        return function

    journal.set(ctypes.CDLL, "__getitem__", __getitem__)


@patch("find-library", module="ctypes.util")
def find_library(journal: Journal) -> None:
    """Have `ctypes.util.find_library("cudart")` find `libmusart.so`, and so for the other libraries that
    have a counterpart; if there is none, CUDA's is looked for as ever."""
    import ctypes.util

    original = ctypes.util.find_library
    count = _report.counter("find-library", "ctypes.util.find_library")

    @functools.wraps(original)
    def find(name: str) -> str | None:
        stem = _libraries.counterpart(name) if isinstance(name, str) else None
        if stem is not None:
            found = original(stem) or next((path for path in _libraries.files(stem) if "/" in path), None)
            if found is not None:
                count()
                return found
        return original(name)

    journal.set(ctypes.util, "find_library", find)
