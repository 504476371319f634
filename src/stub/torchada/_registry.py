"""The patches by name: which there are, which are off, and putting them on and taking them back."""

from __future__ import annotations

import importlib
import os
import sys
import threading
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

from . import _later
from ._journal import Journal
from .patches import AREAS

# What `importlib.reload` finds here stays: without its journal nothing could be put back.
_before: dict[str, Any] = dict(globals())


class Patch(NamedTuple):
    """One thing that is changed, which can be left out by its name."""

    #: What `TORCHADA_DISABLE` calls it.
    name: str
    #: The module of `torchada.patches` that holds it.
    area: str
    #: The module that it waits for; applied at once where it is imported already. `None`: torch itself.
    module: str | None
    #: Makes the change, through the journal only.
    apply: Callable[[Journal], None]

    @property
    def summary(self) -> str:
        """What it does, in a sentence or two."""
        return " ".join((self.apply.__doc__ or "").split())


class PatchError(RuntimeError):
    """A patch could not be applied. Everything was put back before this was raised."""


PatchError = _before.get("PatchError", PatchError)  # type: ignore[misc]

#: Every patch, in the order in which it is applied.
PATCHES: dict[str, Patch] = _before.get("PATCHES", {})

_lock: threading.RLock = _before.get("_lock") or threading.RLock()
_journal: Journal = _before.get("_journal") or Journal()
_on: set[str] = _before.get("_on", set())
_done: bool = _before.get("_done", False)


def patch(name: str, module: str | None = None) -> Callable[[Callable[[Journal], None]], Callable[[Journal], None]]:
    """Register a function as a patch; its docstring is what the documentation and `report()` say of it.

    With a module, the patch is applied when that module is first imported, so that nothing is imported
    for the sake of a patch.
    """

    def register(apply: Callable[[Journal], None]) -> Callable[[Journal], None]:
        if name in PATCHES and PATCHES[name].apply.__module__ != apply.__module__:
            raise ValueError(f"two patches are called {name!r}")
        PATCHES[name] = Patch(name, apply.__module__.rpartition(".")[2], module, apply)
        return apply

    return register


def load() -> None:
    """Import every area, so that all patches are registered."""
    for area in AREAS:
        importlib.import_module(f".patches.{area}", __package__)


def disabled() -> set[str]:
    """The names in `TORCHADA_DISABLE`, separated by commas."""
    names = os.environ.get("TORCHADA_DISABLE", "").split(",")
    return {name.strip() for name in names if name.strip()}


def apply_all(ready: Callable[[], bool]) -> None:
    """Apply every patch that is not disabled, once.

    The first area is applied before torch is imported; then `ready` tells whether to go on. Raises
    `PatchError` if a patch fails; nothing is changed then.
    """
    global _done
    with _lock:
        if _done:
            return
        off = disabled()
        try:
            for number, area in enumerate(AREAS):
                if number == 1 and not ready():
                    _journal.roll_back()
                    _on.clear()
                    break
                importlib.import_module(f".patches.{area}", __package__)
                for name, each in PATCHES.items():
                    if each.area == area and name not in off:
                        _apply_or_wait(each)
            else:
                _warn_of_unknown(off)
        except BaseException:
            _journal.roll_back()
            _on.clear()
            raise
        _done = True


def _warn_of_unknown(names: set[str]) -> None:
    unknown = sorted(names - PATCHES.keys())
    if unknown:
        warnings.warn(
            f"TORCHADA_DISABLE names no patch: {', '.join(unknown)}. `python -m torchada patches` lists them.",
            RuntimeWarning,
            stacklevel=4,
        )


def mark_done() -> None:
    """Nothing is to be patched on this machine."""
    global _done
    _done = True


def mark(owner: ModuleType, name: str) -> None:
    """Leave this module on another one until everything is put back, for other copies of it to find."""
    _journal.set(owner, name, sys.modules[__name__])


def undo_all() -> None:
    """Put everything back as it was before `apply_all`."""
    global _done
    with _lock:
        _journal.roll_back()
        _on.clear()
        _done = False


def is_done() -> bool:
    """Whether `apply_all` has run and was not undone."""
    return _done


def applied() -> set[str]:
    """The names of the patches that are on; one that waits for a module is not."""
    return set(_on)


def replaced() -> dict[int, tuple[str, object]]:
    """The objects that patches replaced in modules, by their identity: the dotted name and the object of each."""
    return dict(_journal.replaced)


def _apply_or_wait(each: Patch) -> None:
    if each.module is None or each.module in sys.modules:
        try:
            _apply(each)
        except Exception as error:
            raise PatchError(
                f"torchada's patch {each.name!r} failed: {type(error).__name__}: {error}. Nothing is patched. "
                f"To go on without it, set TORCHADA_DISABLE={each.name}"
            ) from error
    else:
        _later.when_imported(each.module, lambda: _apply_late(each), _journal)


def _apply_late(each: Patch) -> None:
    """Apply a patch in the middle of somebody's import, which must not fail for it."""
    with _lock:
        if not _done and each.name in _on:
            return
        try:
            _apply(each)
        except Exception as error:
            warnings.warn(
                f"torchada's patch {each.name!r} of {each.module} failed and was left out: "
                f"{type(error).__name__}: {error}",
                RuntimeWarning,
                stacklevel=2,
            )


def _apply(each: Patch) -> None:
    changes = Journal()
    try:
        each.apply(changes)
    except Exception:
        changes.roll_back()
        raise
    _journal.take(changes)
    _on.add(each.name)
