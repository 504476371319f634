"""A plugin of pytest's: the private names by which the adapter's tests reach what they ask about.

`names/` has stand-ins for modules of the adapter's, each of which only leads to what this package or the translator
does for the same question; what is the adapter's own way of doing it is not there, and its tests fail.
"""

from __future__ import annotations

import importlib
from pathlib import Path

import torchada

torchada.__path__.append(str(Path(__file__).resolve().parent / "names"))


def _lend(module: str, source: str) -> None:
    """Give a module of the package the names that the tests ask it for."""
    target = importlib.import_module(module)
    for name, value in vars(importlib.import_module(source)).items():
        if not name.startswith("__") and not hasattr(target, name):
            setattr(target, name, value)


_lend("torchada.utils.cpp_extension", "torchada._lent_cpp_extension")
