"""The module `torch.cuda` and its submodules."""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Callable
from typing import Any

import torch
import torch.cuda

from .. import _environment, _later, _report, _tables
from .._journal import Journal
from .._registry import patch

_NAME = "torch.cuda"


@patch("torch-cuda")
def torch_cuda(journal: Journal) -> None:
    """Have the functions and classes of `torch.cuda` and its submodules be those of `torch.musa`, by table.
    The modules stay the same objects, so every form of import finds them. What has no counterpart raises
    NotImplementedError with what to do instead; what can be ignored does nothing."""
    rows = _rows()
    availability(journal)
    for module, names in rows.items():
        if module in sys.modules:
            _fill(sys.modules[module], names, journal)
        else:
            _later.when_imported(module, _filler(module, names, journal), journal)


def availability(journal: Journal) -> None:
    """Keep `torch.cuda.is_available` as it is, whatever it calls in its module, or have it ask MUSA."""
    original = torch.cuda.is_available
    if _environment.is_on("TORCHADA_FORCE_CUDA_AVAILABLE"):
        answer = _report.traced("torch-cuda", "torch.cuda.is_available", torch.musa.is_available)
        journal.set(torch.cuda, "is_available", answer)
    elif isinstance(original, types.FunctionType):
        frozen = types.FunctionType(
            original.__code__,
            dict(original.__globals__),
            original.__name__,
            original.__defaults__,
            original.__closure__,
        )
        frozen.__doc__, frozen.__module__ = original.__doc__, original.__module__
        frozen.__annotations__ = original.__annotations__
        journal.set(torch.cuda, "is_available", frozen)


def _rows() -> dict[str, list[tuple[str, Callable[[str, Any], Any]]]]:
    """What becomes of each name, by the module that it is in."""
    rows: dict[str, list[tuple[str, Callable[[str, Any], Any]]]] = {}
    for table, make in (
        (_tables.FORWARDED, _forward),
        (_tables.SILENT, _silent),
        (_tables.MISSING, _missing),
        (_tables.OWN, _own),
    ):
        for dotted in table:
            module, _, name = dotted.rpartition(".")
            if module == _NAME or module.startswith(_NAME + "."):
                rows.setdefault(module, []).append((name, make))
    return rows


def _fill(module: Any, names: list[tuple[str, Callable[[str, Any], Any]]], journal: Journal) -> None:
    if not isinstance(module, types.ModuleType):
        return
    members = vars(module)
    for name, make in names:
        # A name that this torch does not have is none to be redirected: programs probe for it.
        if name in members:
            dotted = f"{module.__name__}.{name}"
            value = make(dotted, members[name])
            if value is not members[name]:
                kind = _report.SILENT if make is _silent else _report.REDIRECTED
                journal.set(
                    module, name, _report.traced("torch-cuda", dotted, value, kind) if callable(value) else value
                )


def _filler(module: str, names: list[tuple[str, Callable[[str, Any], Any]]], journal: Journal) -> Callable[[], None]:
    return lambda: _fill(sys.modules[module], names, journal)


def _forward(dotted: str, original: Any) -> Any:
    """The counterpart; where this torch_musa lacks it, an error that says so."""
    target = _tables.FORWARDED[dotted]
    value: Any = sys.modules["torch"]
    for part in target.split(".")[1:]:
        value = getattr(value, part, None)
        if value is None:
            return missing(dotted, f"This torch_musa has no {target}; see whether a newer one has it.", original)
    return value


def _silent(dotted: str, original: Any) -> Any:
    def silent(*args: Any, **kwargs: Any) -> None:
        return None

    silent.__name__ = silent.__qualname__ = dotted.rpartition(".")[2]
    silent.__module__ = dotted.rpartition(".")[0]
    silent.__doc__ = f"Nothing on MUSA: {_tables.SILENT[dotted]}"
    return silent


def _missing(dotted: str, original: Any) -> Any:
    return missing(dotted, _tables.MISSING[dotted], original)


def _count(count: _report.Count | None) -> None:
    if count is not None:
        count()


def missing(dotted: str, advice: str, original: Any) -> Any:
    """What raises NotImplementedError when it is called; for a class, when one is made."""
    message = f"{dotted} has no counterpart on MUSA. {advice}"
    name = dotted.rpartition(".")[2]
    count = _report.counter("torch-cuda", dotted, _report.MISSING) if callable(original) else None
    if isinstance(original, type):

        def new(cls: type, *args: Any, **kwargs: Any) -> Any:
            _count(count)
            raise NotImplementedError(message)

        return type(name, (), {"__new__": new, "__doc__": message, "__module__": dotted.rpartition(".")[0]})
    if not callable(original):
        return original

    def absent(*args: Any, **kwargs: Any) -> Any:
        _count(count)
        raise NotImplementedError(message)

    absent.__name__ = absent.__qualname__ = name
    absent.__module__ = dotted.rpartition(".")[0]
    absent.__doc__ = message
    return absent


def _own(dotted: str, original: Any) -> Any:
    """This package's own: `torch.cuda.comm.broadcast` is `torchada._own.comm.broadcast`."""
    module, _, name = dotted.rpartition(".")
    own = importlib.import_module("torchada._own" + module[len(_NAME) :])
    return getattr(own, name)
