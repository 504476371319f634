"""Registering operators: what `torch.library` calls a dispatch key or a type of device."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
import torch.library
from torch._library import custom_ops

from .. import _devices, _report, _tables
from .._journal import Journal
from .._registry import patch


def _key(key: Any) -> Any:
    """The dispatch key of MUSA's tensors for a key of CUDA's, as a name or as torch's enumerator."""
    if isinstance(key, str):
        return _tables.DISPATCH_KEYS.get(key, key)
    if isinstance(key, torch._C.DispatchKey):
        name = _tables.DISPATCH_KEYS.get(key.name)
        return key if name is None else getattr(torch._C.DispatchKey, name, key)
    return key


def _with_key(original: Callable[..., Any], place: int, parameter: str, what: str) -> Callable[..., Any]:
    """The function, with a dispatch key as an argument that is at `place` or has the name."""
    count = _report.counter("library", what)

    @functools.wraps(original)
    def with_key(*args: Any, **kwargs: Any) -> Any:
        if len(args) > place:
            key = _key(args[place])
            if key is not args[place]:
                if not _report.is_torchs_import():
                    count()
                args = (*args[:place], key, *args[place + 1 :])
        elif parameter in kwargs:
            key = _key(kwargs[parameter])
            if key is not kwargs[parameter]:
                if not _report.is_torchs_import():
                    count()
                kwargs[parameter] = key
        return original(*args, **kwargs)

    return with_key


#: Methods of `Library` with a dispatch key, and where it is, counting `self`.
_METHODS = {"__init__": 3, "impl": 3, "fallback": 2, "_impl_with_aoti_compile": 2}


@patch("library")
def library(journal: Journal) -> None:
    """Have kernels that are registered for CUDA, or for its autograd, autocast, sparse, quantized and
    nested tensors, serve MUSA's tensors: by `Library`, `Library.impl`, `Library.fallback` and everything in
    `torch.library` that ends there, such as `custom_op(device_types="cuda")` and `register_kernel`."""
    for name, place in _METHODS.items():
        method = vars(torch.library.Library).get(name)
        if method is not None:
            what = "torch.library.Library" + ("" if name == "__init__" else f".{name}")
            journal.set(torch.library.Library, name, _with_key(method, place, "dispatch_key", what))
    if hasattr(torch.library, "get_kernel"):
        wrapper = _with_key(torch.library.get_kernel, 1, "dispatch_key", "torch.library.get_kernel")
        journal.set(torch.library, "get_kernel", wrapper)


@patch("library-python-keys")
def python_keys(journal: Journal) -> None:
    """Have `operator.py_impl(DispatchKey.CUDA)` register the Python kernel for MUSA's tensors, also of
    higher-order operators."""
    for owner in (torch._ops.OperatorBase, torch._ops.HigherOrderOperator):
        method = vars(owner).get("py_impl")
        if method is not None:
            journal.set(owner, "py_impl", _with_key(method, 1, "k", f"torch._ops.{owner.__name__}.py_impl"))


@patch("library-autocast")
def autocast(journal: Journal) -> None:
    """Have `torch.library.register_autocast(op, "cuda", dtype)`, and the method of custom operators, cast
    what MUSA's autocast regions pass to the operator."""
    # Older torch knows the two types of device by name, so that a rule for MUSA has to be made here.
    by_name = "_autocast_cuda_dtype" in custom_ops.CustomOpDef.__init__.__code__.co_names
    method = custom_ops.CustomOpDef.register_autocast
    count = _report.counter("library-autocast", "torch.library.register_autocast")

    @functools.wraps(method)
    def of_definition(self: Any, device_type: str, cast_inputs: torch.dtype) -> Any:
        kind = _devices.translate_name(device_type)
        if kind is not device_type:
            count()
            if by_name:
                return _register_once(self, cast_inputs)
        return method(self, kind, cast_inputs)

    journal.set(custom_ops.CustomOpDef, "register_autocast", of_definition)
    function = torch.library.register_autocast

    @functools.wraps(function)
    def register_autocast(op: Any, device_type: str, cast_inputs: torch.dtype, /, **kwargs: Any) -> Any:
        kind = _devices.translate_name(device_type)
        if kind is device_type:
            return function(op, device_type, cast_inputs, **kwargs)
        if not by_name:
            count()
            return function(op, kind, cast_inputs, **kwargs)
        definition = custom_ops._maybe_get_opdef(op)
        if definition is not None:
            return definition.register_autocast(device_type, cast_inputs)
        count()
        return _register(op if isinstance(op, str) else op._name, cast_inputs, kwargs.get("lib"))

    journal.set(torch.library, "register_autocast", register_autocast)


_AUTOCAST = "AutocastPrivateUse1"


def _kernel(call: Callable[..., Any], dtype: torch.dtype) -> Callable[..., Any]:
    """Casts the arguments and calls the operator with autocast off."""
    off = torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, _AUTOCAST))

    def kernel(keys: Any, *args: Any, **kwargs: Any) -> Any:
        if kwargs:
            raise AssertionError(f"Operators with a rule for autocast take no keyword arguments: {sorted(kwargs)}")
        with torch._C._ExcludeDispatchKeyGuard(off):
            return call(*custom_ops._cast(args, "musa", dtype))

    return kernel


def _register_once(definition: Any, dtype: torch.dtype) -> Callable[..., Any]:
    kernel = _kernel(definition._opoverload, dtype)
    if getattr(definition, "_autocast_musa_dtype", None) is None:
        definition._lib.impl(definition._name, kernel, _AUTOCAST, with_keyset=True)
    definition._autocast_musa_dtype = dtype
    return kernel


def _register(name: str, dtype: torch.dtype, library: Any) -> Any:
    namespace, _, operator = name.partition("::")
    if library is None:
        library = torch.library.Library(namespace, "FRAGMENT")
        # What registers a kernel without a library means it to stay.
        torch.library._keep_alive.append(library)
    call = torch._library.utils.lookup_op(name)
    return library.impl(operator, _kernel(call, dtype), _AUTOCAST, with_keyset=True)
