"""`torch.backends.cuda` and `torch.backends.cudnn`."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.backends.cuda
import torch.backends.cudnn
from torch.backends import ContextProp

from .. import _report
from .._journal import Journal
from .._registry import patch


@patch("backends-cuda")
def backends_cuda(journal: Journal) -> None:
    """Have `torch.backends.cuda.is_built()` be true, since what is called CUDA works. The switches for
    scaled dot products and libraries are PyTorch's own and stay."""

    @functools.wraps(torch.backends.cuda.is_built)
    def is_built() -> bool:
        return True

    journal.set(torch.backends.cuda, "is_built", is_built)


@patch("backends-cufft")
def cufft(journal: Journal) -> None:
    """Have `torch.backends.cuda.cufft_plan_cache` raise NotImplementedError, since torch_musa keeps its plans in
    a cache that can't be asked."""

    def __getitem__(self: Any, device: Any) -> Any:
        raise NotImplementedError(
            "torch.backends.cuda.cufft_plan_cache has no counterpart on MUSA: torch_musa's "
            "cache of plans can't be asked or limited. Leave it out."
        )

    journal.set(type(torch.backends.cuda.cufft_plan_cache), "__getitem__", __getitem__)


#: What sets whether TF32 may be used, in `torch._C`: which value of the last argument allows it, and what it concerns where
#: no argument says so.
_TF32: dict[str, tuple[Callable[[Any], bool], str]] = {
    "_set_cudnn_allow_tf32": (bool, "conv"),
    "_set_float32_matmul_precision": (lambda precision: precision != "highest", "matmul"),
    "_set_fp32_precision_setter": (lambda precision: precision == "tf32", ""),
}


def _allow(allows: bool, operation: str) -> None:
    """Set torch_musa's switch for an operation. Up to 2.7.1 muDNN's is the only one; 2.9.0 has one more, for products, says
    github.com/MooreThreads/torch_musa/releases/tag/v2.9.0."""
    products = getattr(getattr(torch.backends, "musa", None), "matmul", None)
    if products is None or operation != "matmul":
        torch.backends.mudnn.set_flags(allows)
    # The switch may be set by what leads here.
    if products is not None and operation in ("matmul", "all") and products.allow_tf32 != allows:
        products.allow_tf32 = allows


@patch("backends-tf32")
def tf32(journal: Journal) -> None:
    """Have `torch.backends.cuda.matmul.allow_tf32`, `torch.backends.cudnn.allow_tf32`, `fp32_precision` and
    `torch.set_float32_matmul_precision` set muDNN's switch, and that for products where torch_musa has one. Where it has
    none, MUSA has one for all: what was set last holds, and each of CUDA's tells what it was set to itself."""
    for name, (allows, operation) in _TF32.items():
        original = getattr(torch._C, name, None)
        if original is not None:
            count = _report.counter("backends-tf32", f"torch._C.{name}")
            journal.set(torch._C, name, _setter(original, allows, operation, count))
    _matmul(journal)
    cudnn = type(torch.backends.cudnn)
    before = vars(cudnn).get("allow_tf32")
    if isinstance(before, ContextProp):
        # It holds the function that was there when the class was made.
        journal.set(
            cudnn, "allow_tf32", ContextProp(before.getter, lambda value: torch._C._set_cudnn_allow_tf32(value))
        )
    _flags(journal)


def _setter(
    original: Callable[..., Any], allows: Callable[[Any], bool], operation: str, count: Callable[[], None]
) -> Any:
    @functools.wraps(original)
    def set_(*args: Any) -> Any:
        result = original(*args)
        # "none" leaves the decision to another setting, and the CPU's is no matter of muDNN.
        if args[-1] != "none" and args[0] not in ("mkldnn", "cpu"):
            count()
            _allow(allows(args[-1]), operation or args[1])
        return result

    return set_


def _matmul(journal: Journal) -> None:
    """The attribute itself and not the function that it calls, by which torch's compiler puts back what it
    has saved."""
    cls = torch.backends.cuda.cuBLASModule
    original = cls.__setattr__
    count = _report.counter("backends-tf32", "torch.backends.cuda.matmul.allow_tf32")

    @functools.wraps(original)
    def __setattr__(self: Any, name: str, value: Any) -> None:
        original(self, name, value)
        if name == "allow_tf32":
            count()
            _allow(bool(value), "matmul")

    journal.set(cls, "__setattr__", __setattr__)


def _flags(journal: Journal) -> None:
    """`torch.backends.cudnn.flags` sets the switch for its block only if its caller named a value for it."""
    module = torch.backends.cudnn.m
    original = module.flags

    @functools.wraps(original)
    @contextlib.contextmanager
    def flags(*args: Any, **kwargs: Any) -> Iterator[None]:
        before = torch.backends.mudnn.allow_tf32
        with original(*args, **kwargs):
            if "allow_tf32" not in kwargs:
                torch.backends.mudnn.set_flags(before)
            try:
                yield
            finally:
                inside = torch.backends.mudnn.allow_tf32
        # What the block itself set stays, as it would have.
        torch.backends.mudnn.set_flags(before if "allow_tf32" in kwargs else inside)

    journal.set(module, "flags", flags)


@patch("backends-cudnn")
def cudnn(journal: Journal) -> None:
    """Have `torch.backends.cudnn.version()` and `is_available()` tell of muDNN. Its other switches,
    `benchmark`, `deterministic` and `enabled`, keep what they are set to, and muDNN doesn't read them."""
    module = torch.backends.cudnn.m

    @functools.wraps(module.version)
    def version() -> int | None:
        return torch.backends.mudnn.version()

    @functools.wraps(module.is_available)
    def is_available() -> bool:
        return torch.musa.is_available()

    journal.set(module, "version", version)
    journal.set(module, "is_available", is_available)
    if not hasattr(torch._C, "_cuda_get_cudnn_benchmark_limit"):
        limit = [10]
        journal.set(torch._C, "_cuda_get_cudnn_benchmark_limit", lambda: limit[0])
        journal.set(torch._C, "_cuda_set_cudnn_benchmark_limit", lambda value: limit.__setitem__(0, value))
