"""Graphs."""

from __future__ import annotations

import functools
import os
import time
from typing import Any

import torch
import torch_musa  # noqa: F401  torch.musa is there

from .. import _report
from .._journal import Journal
from .._registry import patch


@patch("graph")
def graph(journal: Journal) -> None:
    """Have `torch.cuda.graph(cuda_graph=…)` take CUDA's names for its arguments. What CUDA's newer versions
    can do beyond torch_musa's raises NotImplementedError when it is asked for."""
    original = torch.musa.graph.__init__
    count = _report.counter("graph", "torch.cuda.graph")

    @functools.wraps(original)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if "cuda_graph" in kwargs:
            kwargs["musa_graph"] = kwargs.pop("cuda_graph")
        _leave_out("torch.cuda.graph", _GRAPH_OPTIONS, kwargs)
        count()
        original(self, *args, **kwargs)

    journal.set(torch.musa.graph, "__init__", __init__)
    journal.set(torch.musa.graph, "cuda_graph", property(lambda self: self.musa_graph))


#: Options that torch_musa lacks, with the value at which each asks for nothing.
_GRAPH_OPTIONS = {"check_input_liveness": False, "enable_annotations": False, "annotation_config": None}


#: The folder that graphs are drawn in, one file for each.
_DUMP = "TORCHADA_CUDA_GRAPH_DEBUG_DUMP_PATH"


@patch("graph-dump")
def graph_dump(journal: Journal) -> None:
    """With `TORCHADA_CUDA_GRAPH_DEBUG_DUMP_PATH=DIR`, have each `torch.cuda.graph` draw what it captured, by
    `enable_debug_mode()` and `debug_dump()`, as a file of dot's in that folder."""
    setting = os.environ.get(_DUMP)
    if not setting:
        return
    folder = os.path.abspath(os.path.expanduser(setting))
    os.makedirs(folder, exist_ok=True)
    cls = torch.musa.graph
    enter, leave = cls.__enter__, cls.__exit__

    @functools.wraps(enter)
    def __enter__(self: Any) -> Any:
        self.musa_graph.enable_debug_mode()
        return enter(self)

    @functools.wraps(leave)
    def __exit__(self: Any, kind: Any, *exc_info: Any) -> Any:
        result = leave(self, kind, *exc_info)
        if kind is None:
            self.musa_graph.debug_dump(os.path.join(folder, f"graph_{time.time_ns()}.dot"))
        return result

    journal.set(cls, "__enter__", __enter__)
    journal.set(cls, "__exit__", __exit__)


@patch("graph-class")
def graph_class(journal: Journal) -> None:
    """Have `torch.cuda.CUDAGraph(keep_graph=False)` make a `MUSAGraph`; a graph that is kept beside its
    executable one is more than torch_musa has, and raises NotImplementedError."""
    cls = torch.musa.MUSAGraph
    make, begin = cls.__init__, cls.__new__
    capture = cls.capture_begin

    @functools.wraps(begin)
    def __new__(of: type, *args: Any, **kwargs: Any) -> Any:
        _leave_out("torch.cuda.CUDAGraph", {"keep_graph": False}, _named(args, "keep_graph", kwargs))
        return begin(of)

    @functools.wraps(make)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        make(self)

    @functools.wraps(capture)
    def capture_begin(self: Any, *args: Any, **kwargs: Any) -> None:
        _leave_out("torch.cuda.CUDAGraph.capture_begin", {"check_input_liveness": False}, kwargs)
        capture(self, *args, **kwargs)

    journal.set(cls, "__new__", staticmethod(__new__))
    journal.set(cls, "__init__", __init__)
    journal.set(cls, "capture_begin", capture_begin)


@patch("mem-pool")
def mem_pool(journal: Journal) -> None:
    """Have `torch.cuda.MemPool` take the options of CUDA's newer versions as long as they ask for nothing."""
    cls = torch.musa.MemPool
    original = cls.__init__

    @functools.wraps(original)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        named = dict(zip(("allocator", "use_on_oom", "no_split"), args), **kwargs)
        _leave_out("torch.cuda.MemPool", {"use_on_oom": False, "no_split": False, "symmetric": False}, named)
        original(self, **named)

    journal.set(cls, "__init__", __init__)


def _named(args: tuple[Any, ...], name: str, kwargs: dict[str, Any]) -> dict[str, Any]:
    return {name: args[0], **kwargs} if args else dict(kwargs)


def _leave_out(what: str, options: dict[str, Any], kwargs: dict[str, Any]) -> None:
    """Take options away that ask for nothing, and refuse those that do."""
    for name, nothing in options.items():
        if name in kwargs and kwargs.pop(name) != nothing:
            raise NotImplementedError(f"{what}({name}=…) has no counterpart on MUSA: leave it at {nothing!r}.")
