"""Puts the package in place at the first import of torch, or of what needs torch."""

from __future__ import annotations

import os
import sys
from importlib.abc import Loader
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import spec_from_file_location
from types import ModuleType, TracebackType
from typing import Any

_STARTUP = os.path.dirname(os.path.abspath(__file__))
_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(_STARTUP)))

#: A file that every copy of the package has, and no other package of its name.
_MARK = "_tables.py"


def find(name: str, target: ModuleType | None = None) -> ModuleSpec | None:
    """The module by its name, which has the package in place when it is loaded."""
    if name == "torchada":
        return _package()
    if "torchada" in sys.modules or name in sys.modules:
        return None
    spec = _without_us(name, target)
    if spec is None and name == "torch":
        _explain_at_end()
    if spec is None and name == "torch_musa" and _may_stand_in():
        return ModuleSpec(name, _Loader(None), is_package=True)
    if spec is not None and spec.loader is not None:
        spec.loader = _Loader(spec.loader)
    return spec


def _package() -> ModuleSpec | None:
    """The package that a program's own folder has, as a port does, else the one that this file is in.

    The first gets what it lacks from the second: a port has no commands and no try-out.
    """
    before = sys.path[: sys.path.index(_STARTUP)] if _STARTUP in sys.path else []
    spec = PathFinder.find_spec("torchada", before)
    if spec is not None and spec.origin is not None and spec.submodule_search_locations is not None:
        folder = os.path.dirname(spec.origin)
        if os.path.exists(os.path.join(folder, _MARK)):
            if not os.path.samefile(folder, _PACKAGE):
                spec.submodule_search_locations.append(_PACKAGE)
            return spec
    first = os.path.join(_PACKAGE, "__init__.py")
    return spec_from_file_location("torchada", first, submodule_search_locations=[_PACKAGE])


def _explain_at_end() -> None:
    """Print what is missing if the program ends because of that. A program that goes on without torch gets no
    message."""
    before = sys.excepthook

    def explain(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        before(kind, error, trace)
        if isinstance(error, ModuleNotFoundError) and error.name == "torch":
            sys.stderr.write(
                f"torchada: this Python ({sys.executable}) has no torch: install PyTorch 2.7.1 or later there, or name "
                "a Python that has it: torchada run --python PYTHON\n"
            )

    sys.excepthook = explain


def _without_us(name: str, target: ModuleType | None) -> ModuleSpec | None:
    """What is found where nobody waits."""
    for finder in sys.meta_path:
        if getattr(finder, "__name__", "") != "_Waiting" and hasattr(finder, "find_spec"):
            spec = finder.find_spec(name, None, target)
            if spec is not None:
                return spec
    return None


def _may_stand_in() -> bool:
    """Whether a program that asks for torch_musa may get the try-out's."""
    return os.environ.get("TORCHADA_DEVICE", "").strip().lower() in ("auto", "cpu")


class _Loader(Loader):
    """Imports the package first, which imports the module itself where it has anything to do."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader
        self._there: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        import torchada  # noqa: F401

        module = sys.modules.get(spec.name)
        if module is not None:
            # It was loaded meanwhile, by this very import.
            self._there = module.__spec__
            return module
        if self._loader is None:
            raise ModuleNotFoundError(f"No module named {spec.name!r}", name=spec.name)
        spec.loader = self._loader
        created: ModuleType | None = self._loader.create_module(spec)
        return created

    def exec_module(self, module: ModuleType) -> None:
        if self._there is not None:
            module.__spec__ = self._there
        else:
            self._loader.exec_module(module)

    def __getattr__(self, name: str) -> object:
        return getattr(self._loader, name)
