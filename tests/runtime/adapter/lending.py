"""A plugin of pytest's: the private names by which the adapter's tests reach what they ask about.

`names/` has stand-ins for modules of the adapter's, each of which only leads to what this package or the translator
does for the same question; what is the adapter's own way of doing it is not there, and its tests fail.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import torchada
from torch.utils.cpp_extension import BuildExtension

torchada.__path__.append(str(Path(__file__).resolve().parent / "names"))


def _lend(module: str, source: str) -> None:
    """Give a module of the package the names that the tests ask it for."""
    target = importlib.import_module(module)
    for name, value in vars(importlib.import_module(source)).items():
        if not name.startswith("__") and not hasattr(target, name):
            setattr(target, name, value)


_lend("torchada.utils.cpp_extension", "torchada._lent_cpp_extension")


def _port_directory(self: Any, folder: str, mapping_rule: Any = None) -> str:
    """Port the sources of a folder where they stand, as the adapter's builder does."""
    from torchada.utils.cpp_extension import port_source

    rules = self.get_mapping_rule() if mapping_rule is None else mapping_rule
    for path in sorted(Path(folder).rglob("*")):
        if path.suffix in ENDINGS and not path.is_symlink():
            text = path.read_text(errors="surrogateescape")
            path.write_text(port_source(text, rules), errors="surrogateescape")
    return folder


#: What the adapter's builder ports, beside what it leaves alone.
ENDINGS = {".cu", ".cuh", ".cc", ".cpp", ".cxx", ".c", ".h", ".hpp", ".hh", ".hxx", ".inl", ".inc"}
ENDINGS |= {".ipp", ".tpp", ".txx", ".ixx", ".cppm"}

BuildExtension._port_directory = _port_directory
