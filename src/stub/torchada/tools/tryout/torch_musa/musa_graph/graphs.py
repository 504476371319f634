"""Graphs: the compiled half remembers the operators of a capture and runs them again on replay."""

from __future__ import annotations

import gc
import itertools
from typing import Any

from torch_musa import _MUSAC
from torch_musa.core.stream import Stream, StreamContext

_pools = itertools.count(1)


def is_current_stream_capturing() -> bool:
    """Whether what is asked of the current stream goes into a graph."""
    return _MUSAC._musa_isCurrentStreamCapturing()


def graph_pool_handle() -> tuple[int, int]:
    """A name for a pool that graphs may share; all memory is in one."""
    return (0, next(_pools))


def update_musa_graph_with_profile() -> None:
    """Nothing: the stand-in's graphs are not optimized."""


class MUSAGraph:
    """A graph. It takes nothing but operators, and the tensors of its capture are those of each replay."""

    def __init__(self) -> None:
        self._graph = _MUSAC._double_graph_new()
        self._pool: tuple[int, int] | None = None

    def capture_begin(self, pool: tuple[int, int] | None = None, capture_error_mode: str = "global") -> None:
        """Capture the current stream from here."""
        if capture_error_mode not in ("global", "thread_local", "relaxed"):
            raise RuntimeError(f"Unknown capture error mode: {capture_error_mode}")
        _MUSAC._double_graph_begin(self._graph)
        self._pool = pool or graph_pool_handle()

    def capture_end(self) -> None:
        """End the capture."""
        _MUSAC._double_graph_end()

    def reinstantiate_graph(self) -> None:
        """Nothing to do."""

    def replay(self) -> None:
        """Run what was captured."""
        if self._pool is None:
            raise RuntimeError("Called MUSAGraph::replay without a preceding successful capture.")
        _MUSAC._double_graph_replay(self._graph)

    def reset(self) -> None:
        """Forget what was captured."""
        _MUSAC._double_graph_free(self._graph)
        self._pool = None

    def pool(self) -> tuple[int, int]:
        """The pool's name."""
        if self._pool is None:
            raise RuntimeError("Called MUSAGraph::pool() without a preceding successful capture.")
        return self._pool

    def enable_debug_mode(self) -> None:
        """Nothing to do: the operators are there in any case."""

    def debug_dump(self, debug_path: str) -> None:
        """Write the names of the operators into a file."""
        with open(debug_path, "w") as file:
            file.write("\n".join(_MUSAC._double_graph_operators(self._graph)) + "\n")

    def __del__(self) -> None:
        _MUSAC._double_graph_free(self._graph)


class graph:
    """Capture what a block does."""

    default_capture_stream: Stream | None = None

    def __init__(
        self,
        musa_graph: MUSAGraph,
        pool: tuple[int, int] | None = None,
        stream: Stream | None = None,
        capture_error_mode: str = "global",
    ) -> None:
        if type(self).default_capture_stream is None:
            type(self).default_capture_stream = Stream()
        self.musa_graph = musa_graph
        self.pool: Any = () if pool is None else (pool,)
        self.capture_stream = stream if stream is not None else type(self).default_capture_stream
        self.stream_ctx = StreamContext(self.capture_stream)
        self.capture_error_mode = capture_error_mode

    def __enter__(self) -> None:
        gc.collect()
        self.stream_ctx.__enter__()
        self.musa_graph.capture_begin(*self.pool, capture_error_mode=self.capture_error_mode)  # type: ignore[misc]

    def __exit__(self, *exc: object) -> None:
        self.musa_graph.capture_end()
        self.stream_ctx.__exit__(*exc)


def make_graphed_callables(
    callables: Any, sample_args: Any, num_warmup_iters: int = 3, allow_unused_input: bool = False
) -> Any:
    """The callables as they are: what they compute is the same with a graph and without."""
    return callables
