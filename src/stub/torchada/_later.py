"""Doing something when a module is first imported, without importing it.

The stand-in for torch_musa loads this file by itself, so it imports nothing of the package.
"""

from __future__ import annotations

import importlib.util
import sys
import threading
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._journal import Journal


class _Finder(MetaPathFinder):
    """Finds a module as the others do, and has its loader call back when the module is complete."""

    def __init__(self) -> None:
        self.waiting: dict[str, list[Callable[[], None]]] = {}
        #: What is being looked for, by which thread: then the others are asked, not this finder.
        self.finding: set[tuple[int, str]] = set()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        looking = (threading.get_ident(), fullname)
        if fullname not in self.waiting or looking in self.finding:
            return None
        self.finding.add(looking)
        try:
            spec = importlib.util.find_spec(fullname)
        except (ImportError, ValueError):
            return None
        finally:
            self.finding.discard(looking)
        if spec is None or spec.loader is None:
            return None
        spec.loader = _Loader(spec.loader, self, fullname)
        return spec


class _Loader(Loader):
    """Another loader, and what is to be done after it."""

    def __init__(self, loader: Loader, finder: _Finder, name: str) -> None:
        self._loader = loader
        self._finder = finder
        self._name = name

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        # The module should look as if nobody had waited for it.
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        self._loader.exec_module(module)
        # The import system does this after the loader; who is called may ask for the module by its dotted name.
        package, _, name = self._name.rpartition(".")
        if package in sys.modules:
            setattr(sys.modules[package], name, module)
        for call in self._finder.waiting.pop(self._name, []):
            call()

    def __getattr__(self, name: str) -> object:
        return getattr(self._loader, name)


# The same after `importlib.reload`: it is in the path of finders.
_finder: _Finder = globals().get("_finder") or _Finder()


def when_imported(module: str, call: Callable[[], None], journal: Journal | None) -> None:
    """Call once the module was imported; undoing the journal forgets the call."""
    is_new = _finder not in sys.meta_path
    if is_new:
        sys.meta_path.insert(0, _finder)
    calls = _finder.waiting.setdefault(module, [])
    calls.append(call)
    if journal is None:
        return
    if is_new:
        journal.undo_with(_remove)

    def forget() -> None:
        if call in calls:
            calls.remove(call)
        if not calls and _finder.waiting.get(module) is calls:
            del _finder.waiting[module]

    journal.undo_with(forget)


def _remove() -> None:
    if _finder in sys.meta_path:
        sys.meta_path.remove(_finder)
