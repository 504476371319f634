"""Operators that some releases of torch_musa get wrong.

The faults were found on hardware by the authors of the adapter of the same name on the package index; its version
0.1.103 names the releases. Each remedy is made of operators that these releases get right, so that it can be tested
anywhere, and stands where the dispatcher looks: for every caller, in Python and C++.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import torch
import torch_musa  # noqa: F401  torch.musa is there

from .. import _cpp_ops, _report
from .._journal import Journal
from .._registry import patch
from .._versions import torch_musa_before


def _replace(journal: Journal, kernels: dict[str, Callable[..., Any]], name: str) -> None:
    """Put Python kernels in the place of torch_musa's, as far as this torch has the operators."""
    library = torch.library.Library("aten", "IMPL")
    journal.undo_with(library._destroy)
    with warnings.catch_warnings():
        # Each warns that it replaces torch_musa's.
        warnings.simplefilter("ignore")
        for operator, kernel in kernels.items():
            packet, _, overload = operator.partition(".")
            if hasattr(getattr(torch.ops.aten, packet), overload or "default") and not _cpp_ops.is_left_out(operator):
                library.impl(operator, _counted(name, f"aten::{operator}", kernel), "PrivateUse1")


def _counted(name: str, operator: str, kernel: Callable[..., Any]) -> Callable[..., Any]:
    count = _report.counter(name, operator)

    def counted(*args: Any, **kwargs: Any) -> Any:
        count()
        return kernel(*args, **kwargs)

    return counted


@patch("mm-out-dtype")
def mm_out_dtype(journal: Journal) -> None:
    """Have `torch.mm` and `torch.bmm` with `out_dtype=torch.float32` multiply in float32: before torch_musa 2.13.0
    they give zeros, or anything at all, without a word."""
    if not torch_musa_before("2.13.0"):
        return

    def product(plain: Callable[..., Any]) -> Callable[..., Any]:
        def multiply(self: torch.Tensor, mat2: torch.Tensor, out_dtype: torch.dtype, **out: Any) -> torch.Tensor:
            _check_dtypes(self, mat2, out_dtype, out.get("out"))
            return plain(self.to(out_dtype), mat2.to(out_dtype), **out)

        return multiply

    mm, bmm = product(torch.ops.aten.mm), product(torch.ops.aten.bmm)
    _replace(journal, {"mm.dtype": mm, "mm.dtype_out": mm, "bmm.dtype": bmm, "bmm.dtype_out": bmm}, "mm-out-dtype")


def _check_dtypes(self: torch.Tensor, mat2: torch.Tensor, wanted: torch.dtype, out: torch.Tensor | None) -> None:
    """What torch checks on CUDA."""
    if self.dtype != mat2.dtype:
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {self.dtype} != {mat2.dtype}")
    if wanted != self.dtype and (wanted != torch.float32 or self.dtype not in (torch.float16, torch.bfloat16)):
        raise RuntimeError("out_dtype must be the same as input dtype or fp32 for fp16/bf16 inputs")
    if out is not None and out.dtype != wanted:
        raise RuntimeError("out_dtype must be the same as the dtype of the provided out tensor")


#: Those of which `abs` and `<` say what is finite: parts of a complex number may have no magnitude.
_REAL = frozenset({torch.float16, torch.bfloat16, torch.float32, torch.float64})


@patch("isfinite")
def isfinite(journal: Journal) -> None:
    """Have `torch.isfinite` leave the host free: torch multiplies two tensors of bools, for which torch_musa waits
    until the device has done all its work."""

    def finite(self: torch.Tensor) -> torch.Tensor:
        if self.dtype in _REAL:
            return self.abs() < float("inf")
        if self.is_complex():
            return torch.isfinite(torch.view_as_real(self)).all(-1)
        if self.is_floating_point():
            return torch.isfinite(self.to(torch.float32))
        return torch.ones_like(self, dtype=torch.bool)

    _replace(journal, {"isfinite": finite}, "isfinite")


@patch("log-in-place")
def log_in_place(journal: Journal) -> None:
    """Have `Tensor.log_` be `log` and a copy: before torch_musa 2.11.0.post2 it can't do float64 in place."""
    if not torch_musa_before("2.11.0.post2"):
        return

    def log_(self: torch.Tensor) -> torch.Tensor:
        if not self.is_floating_point() and not self.is_complex():
            raise RuntimeError(f"result type Float can't be cast to the desired output type {self.dtype}")
        return self.copy_(self.log())

    _replace(journal, {"log_": log_}, "log-in-place")


@patch("multinomial-capture")
def multinomial_capture(journal: Journal) -> None:
    """Have `torch.multinomial` of one sample be captured into graphs: before torch_musa 2.11.0.post2 it asks the host
    first whether the probabilities are any, which a capture can't. In a graph nothing checks them."""
    if not torch_musa_before("2.11.0.post2"):
        return
    draw = torch.ops.aten.multinomial.out

    def multinomial(self: torch.Tensor, num_samples: int, replacement: bool = False, **kwargs: Any) -> torch.Tensor:
        out = torch.empty(0, dtype=torch.int64, device=self.device)
        # One sample is the same with and without; with, torch_musa asks nothing.
        replacement = replacement or (num_samples == 1 and torch.musa.is_current_stream_capturing())
        return draw(self, num_samples, replacement, out=out, **kwargs)

    _replace(journal, {"multinomial": multinomial}, "multinomial-capture")
