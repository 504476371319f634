"""Functions that make tensors on a device."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch.jit._builtins import _find_builtin, _register_builtin
from torch.utils._device import _device_constructors

from .. import _devices, _report
from .._journal import Journal
from .._registry import patch

#: Methods of tensors that make another one.
_METHODS = ("new_empty", "new_empty_strided", "new_full", "new_ones", "new_tensor", "new_zeros")


@patch("factories")
def factories(journal: Journal) -> None:
    """Have `torch.empty(…, device="cuda")` and its kin make tensors on the MUSA device: what
    `torch.set_default_device` knows of in the namespace `torch`, and `Tensor.new_*`. What makes tensors
    by other ways is caught by the patch `cuda-kernels`."""
    # torch keeps the originals in this set, by which a default device finds the functions that it is for:
    # it has to be made before they are replaced.
    for original in sorted(_device_constructors(), key=lambda function: function.__name__):
        name = original.__name__
        if getattr(torch, name, None) is original:
            wrapper = _wrapper(original, _report.counter("factories", f"torch.{name}"))
            builtin = _find_builtin(original)
            if builtin is not None:
                _register_builtin(wrapper, builtin)
            journal.set(torch, name, wrapper)
    for name in _METHODS:
        method = getattr(torch.Tensor, name, None)
        if method is not None:
            journal.set(torch.Tensor, name, _wrapper(method, _report.counter("factories", f"torch.Tensor.{name}")))
    journal.set(torch, "as_tensor", _as_tensor(torch.as_tensor))


def _wrapper(original: Callable[..., Any], count: Callable[[], None]) -> Callable[..., Any]:
    find = _devices.MUSA.get

    @functools.wraps(original)
    def factory(*args: Any, **kwargs: Any) -> Any:
        if "device" in kwargs:
            found = find(kwargs["device"])
            if found is not None:
                count()
                kwargs["device"] = found
        return original(*args, **kwargs)

    return factory


def _as_tensor(original: Callable[..., Any]) -> Callable[..., Any]:
    """`torch.as_tensor` takes its device as the third argument, too."""

    @functools.wraps(original)
    def as_tensor(*args: Any, **kwargs: Any) -> Any:
        if len(args) > 2:
            args = (*args[:2], _devices.translate(args[2]), *args[3:])
        return original(*args, **kwargs)

    return as_tensor


#: The operators in which every function that makes a tensor on a device ends.
_ENDS = ("empty.memory_format", "empty_strided")


@patch("cuda-kernels")
def cuda_kernels(journal: Journal) -> None:
    """Have tensors that any other code asks of the CUDA device, in C++ or Python, be made on the MUSA
    device: the two operators that make every tensor have a kernel for CUDA that does so."""
    library = torch.library.Library("aten", "IMPL")
    journal.undo_with(library._destroy)
    count = _report.counter("cuda-kernels", "the dispatch key CUDA")
    for name in _ENDS:
        library.impl(name, _kernel(name, count), "CUDA")


def _kernel(name: str, count: Callable[[], None]) -> Callable[..., Any]:
    operator, _, overload = name.partition(".")
    call = getattr(getattr(torch.ops.aten, operator), overload or "default")

    def kernel(*args: Any, **kwargs: Any) -> Any:
        count()
        kwargs["device"] = _devices.translate(kwargs.get("device"))
        return call(*args, **kwargs)

    return kernel
