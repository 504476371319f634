"""The types that tensors and storages had before devices and dtypes."""

from __future__ import annotations

import functools
from typing import Any

import torch
import torch.storage

from .. import _devices, _report
from .._journal import Journal
from .._own._types import BY_NAME, TensorType
from .._registry import patch


@patch("tensor-type")
def tensor_type(journal: Journal) -> None:
    """Have `Tensor.type("torch.cuda.FloatTensor")` and `Tensor.type(torch.cuda.FloatTensor)` convert to MUSA."""
    original = torch.Tensor.type
    count = _report.counter("tensor-type", "torch.Tensor.type")

    @functools.wraps(original)
    def type(self: torch.Tensor, dtype: Any = None, non_blocking: bool = False, **kwargs: Any) -> Any:
        if dtype is None:
            return original(self, **kwargs)
        kind = BY_NAME.get(dtype) if dtype.__class__ is str else dtype
        if kind.__class__ is not TensorType:
            return original(self, dtype, non_blocking, **kwargs)
        count()
        device = self.device if self.device.type == "musa" else torch.device("musa")
        moved = self.to(device, kind.dtype, non_blocking=non_blocking)
        return moved.to_sparse() if kind.is_sparse and not moved.is_sparse else moved

    journal.set(torch.Tensor, "type", type)


@patch("default-tensor-type")
def default_tensor_type(journal: Journal) -> None:
    """Have `torch.set_default_tensor_type(torch.cuda.FloatTensor)` make MUSA the default device and its dtype
    the default one; a type of the CPU's, set later, makes the CPU the default device again."""
    original = torch.set_default_tensor_type
    chosen: list[TensorType] = []

    @functools.wraps(original)
    def set_default_tensor_type(t: Any) -> None:
        kind = BY_NAME.get(t) if isinstance(t, str) else t
        if isinstance(kind, TensorType):
            torch.set_default_dtype(kind.dtype)
            torch.set_default_device("musa")
            chosen[:] = [kind]
            return
        original(t)
        if chosen:
            chosen.clear()
            torch.set_default_device(None)

    journal.set(torch, "set_default_tensor_type", set_default_tensor_type)


@patch("storages")
def storages(journal: Journal) -> None:
    """Have storages tell whether they are on MUSA by `is_cuda`, and `torch.cuda.FloatStorage` and its kin make
    and recognize storages there."""
    journal.set(
        torch.TypedStorage,
        "is_cuda",
        property(lambda self: self._untyped_storage.device.type == "musa", doc="Whether the storage is on a GPU."),
    )
    make = torch.UntypedStorage.__new__

    @functools.wraps(make)
    def __new__(cls: Any, *args: Any, **kwargs: Any) -> Any:
        if "device" in kwargs:
            kwargs["device"] = _devices.translate(kwargs["device"])
        return make(cls, *args, **kwargs)

    journal.set(torch.UntypedStorage, "__new__", staticmethod(__new__))
    original = torch.storage._get_device_from_module

    @functools.wraps(original)
    def _get_device_from_module(module: str) -> str:
        found = original(module)
        return "musa" if found == "cuda" else found

    journal.set(torch.storage, "_get_device_from_module", _get_device_from_module)
