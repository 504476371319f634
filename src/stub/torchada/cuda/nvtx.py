"""`torch.cuda.nvtx` where there is CUDA; elsewhere the same functions, which mark nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any


def __getattr__(name: str) -> Any:
    from .._platform import is_cuda_platform

    if is_cuda_platform():
        import torch.cuda.nvtx

        return getattr(torch.cuda.nvtx, name)
    if name == "range":
        return _range
    if name in ("mark", "range_push", "range_pop", "range_start", "range_end"):
        from .. import _ranges

        return getattr(_ranges, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@contextlib.contextmanager
def _range(msg: str, *args: Any, **kwargs: Any) -> Iterator[None]:
    """A range for the length of a block or function."""
    yield
