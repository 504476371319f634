"""Graphs: what runs on a captured stream is kept, and run again on replay into the tensors of the capture."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import torch

from . import devices, memory, streams

_numbers = itertools.count(1)
#: For each graph its steps: the name of the operator, what runs it, its arguments, and what it made in the capture.
_graphs: dict[int, list[tuple[str, Callable[..., Any], Any, Any, Any]]] = {}
#: Graph, device and stream of the capture under way.
_capture: tuple[int, int, int] | None = None


def capturing() -> bool:
    """Whether what is asked of the current stream goes into a graph."""
    if _capture is None:
        return False
    _, index, stream = _capture
    return devices.current() == index and streams.works_on(index, stream)


def new() -> int:
    """An empty graph."""
    number = next(_numbers)
    _graphs[number] = []
    return number


def free(number: int) -> None:
    """Forget a graph."""
    _graphs.pop(number, None)


def begin(number: int) -> None:
    """Capture the current stream from here."""
    global _capture
    if _capture is not None:
        raise RuntimeError("MUSA error: another capture is under way")
    index = devices.current()
    stream = streams.current(index)
    if stream == 0:
        raise RuntimeError(
            "MUSA graphs must be captured on a non-default stream. (However, after capture, it's ok to replay them on "
            "the default stream.)"
        )
    _graphs[number] = []
    _capture = number, index, stream


def end() -> None:
    """End the capture."""
    global _capture
    if _capture is None:
        raise RuntimeError("MUSA error: no capture is under way")
    _capture = None


def remember(name: str, run: Callable[..., Any], args: Any, kwargs: Any, made: Any) -> None:
    """Keep one step of the capture."""
    if _capture is not None:
        _graphs[_capture[0]].append((name, run, args, kwargs, made))


def replay(number: int) -> None:
    """Run a graph again."""
    if number not in _graphs:
        raise RuntimeError("Called MUSAGraph::replay without a preceding successful capture.")
    with torch.no_grad():
        for _, run, args, kwargs, made in _graphs[number]:
            _put(made, run(*args, **kwargs))


def copy(source: torch.Tensor, target: torch.Tensor) -> None:
    """Copy between devices, or between the CPU and a device."""
    torch.ops.aten.copy_.default(memory.host_of(target), memory.host_of(source))


def _put(kept: Any, made: Any) -> None:
    """Later steps and the caller hold the tensors of the capture: the new results go there."""
    if isinstance(kept, torch.Tensor):
        if kept is not made and isinstance(made, torch.Tensor):
            copy(made, kept)
    elif isinstance(kept, (list, tuple)):
        for one, other in zip(kept, made):
            _put(one, other)


def operators(number: int) -> list[str]:
    """The names of a graph's steps."""
    return [name for name, *_ in _graphs.get(number, [])]
