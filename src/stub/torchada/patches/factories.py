"""Functions that make tensors on a device."""

from __future__ import annotations

import functools
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

import torch
import torch.nested
from torch.jit._builtins import _find_builtin, _get_builtin_table
from torch.overrides import handle_torch_function, has_torch_function, has_torch_function_unary
from torch.utils._device import _device_constructors

from .. import _devices, _report
from .._journal import Journal
from .._registry import patch

#: Methods of tensors that make another one.
_METHODS = ("new", "new_empty", "new_empty_strided", "new_full", "new_ones", "new_tensor", "new_zeros")

#: Functions that take a device although a default device is not for them, beside the kin of `zeros_like`.
_OTHERS = ("torch.from_dlpack", "torch.from_file", "torch.normal", "torch.nested.as_nested_tensor")

#: The modules that have such functions.
_MODULES = ("torch", "torch.fft", "torch.nested")

#: Which argument is the device where it may be given without its name, counted from 0.
_PLACES = {"torch.nested.as_nested_tensor": 2}


@patch("factories")
def factories(journal: Journal) -> None:
    """Have `torch.empty(…, device="cuda")` and its kin make tensors on the MUSA device: every function
    that `torch.set_default_device` is for, the kin of `torch.zeros_like`, and `Tensor.new_*`."""
    # By this set torch finds the functions that a default device is for. It has to be made before they
    # are replaced, because it has to hold the originals.
    constructors = _device_constructors()
    builtins = _get_builtin_table()
    for module in _MODULES:
        for name, original in sorted(vars(sys.modules[module]).items()):
            dotted = f"{module}.{name}"
            if not (
                _hashable(original) and original in constructors or dotted in _OTHERS or _is_like(dotted, original)
            ):
                continue
            wrapper = _wrapper(original, dotted, _PLACES.get(dotted))
            builtin = _find_builtin(original)
            if builtin is not None:
                # TorchScript knows functions by their identity.
                journal.item(builtins, id(wrapper), builtin)
            journal.set(sys.modules[module], name, wrapper)
    for name in _METHODS:
        method = getattr(torch.Tensor, name, None)
        if method is not None:
            journal.set(torch.Tensor, name, _wrapper(method, f"torch.Tensor.{name}"))


def _hashable(value: Any) -> bool:
    return isinstance(value, (types.BuiltinFunctionType, types.FunctionType))


def _is_like(dotted: str, value: Any) -> bool:
    return (
        dotted.endswith("_like") and not dotted.startswith("torch._") and isinstance(value, types.BuiltinFunctionType)
    )


#: Whether a mode for torch's functions was ever used in this process: until then none has to be looked for.
_modes_used: list[bool] = []


@patch("function-modes")
def function_modes(journal: Journal) -> None:
    """Have a `TorchFunctionMode` get `torch.empty` and its kin as the program knows them, so that
    `func is torch.empty` holds in it."""
    original = torch.overrides._push_mode

    @functools.wraps(original)
    def _push_mode(mode: Any) -> None:
        if not _modes_used:
            _modes_used.append(True)
        original(mode)

    journal.set(torch.overrides, "_push_mode", _push_mode)
    journal.undo_with(_modes_used.clear)


def _wrapper(original: Callable[..., Any], dotted: str, place: int | None = None) -> Callable[..., Any]:
    find = _devices.MUSA.get
    count = _report.counter("factories", dotted)
    modes, overridden = _modes_used, has_torch_function

    @functools.wraps(original)
    def factory(*args: Any, **kwargs: Any) -> Any:
        if modes and overridden(args[:1]):
            return handle_torch_function(outer, args[:1], *args, **kwargs)
        if "device" in kwargs:
            found = find(kwargs["device"])
            if found is not None:
                if count.quiet:
                    count.times += 1
                else:
                    count()
                kwargs["device"] = found
        return original(*args, **kwargs)

    outer: Any = factory
    if place is not None:
        outer = _with_place(factory, place)
    elif dotted.endswith("_like") or dotted.startswith("torch.Tensor."):
        outer = _of_tensor(factory)
    outer.__wrapped__ = original
    if not dotted.startswith("torch.Tensor."):
        # Pickle finds a function by these, and torch's compiler knows by them that it is torch's own.
        outer.__module__, _, outer.__name__ = dotted.rpartition(".")
        outer.__qualname__ = outer.__name__
    return outer


def _with_place(factory: Callable[..., Any], place: int) -> Callable[..., Any]:
    """The function, with a device as an argument that may be given without its name."""

    @functools.wraps(factory)
    def with_place(*args: Any, **kwargs: Any) -> Any:
        if len(args) > place:
            args = (*args[:place], _devices.translate(args[place]), *args[place + 1 :])
        return factory(*args, **kwargs)

    return with_place


def _of_tensor(factory: Callable[..., Any]) -> Callable[..., Any]:
    """The function, for a first argument whose class may handle torch's functions itself: it gets this function
    to compare with, which is the one that the program knows."""
    overridden = has_torch_function_unary

    @functools.wraps(factory)
    def of_tensor(*args: Any, **kwargs: Any) -> Any:
        if args and overridden(args[0]):
            return handle_torch_function(of_tensor, args[:1], *args, **kwargs)
        return factory(*args, **kwargs)

    return of_tensor


#: The operators in which functions end that make a tensor on a device.
_ENDS = ("empty.memory_format", "empty_strided", "_efficientzerotensor")


@patch("cuda-kernels")
def cuda_kernels(journal: Journal) -> None:
    """Have tensors that any other code asks of the CUDA device, in C++ or Python, be made on the MUSA
    device: the operators in which such code ends have a kernel for CUDA that does so."""
    library = torch.library.Library("aten", "IMPL")
    journal.undo_with(library._destroy)
    count = _report.counter("cuda-kernels", "the dispatch key CUDA")
    with warnings.catch_warnings():
        # A torch that was built for CUDA has such kernels, and warns that they are replaced.
        warnings.simplefilter("ignore")
        for name in _ENDS:
            library.impl(name, _kernel(name, count), "CUDA")


def _kernel(name: str, count: _report.Count) -> Callable[..., Any]:
    operator, _, overload = name.partition(".")
    call = getattr(getattr(torch.ops.aten, operator), overload or "default")

    def kernel(*args: Any, **kwargs: Any) -> Any:
        count()
        device = _devices.translate(kwargs.get("device"))
        if device is not None and device.type == "cuda":
            # Asking again would come here again.
            raise RuntimeError(f"There is no device {device} on MUSA: torch has no index above 127.")
        kwargs["device"] = device
        return call(*args, **kwargs)

    return kernel
