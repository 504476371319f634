"""Storages of the device that a program makes by itself, and pinned memory."""

from __future__ import annotations

import functools
import weakref
from typing import Any

import torch

from . import generators, kernels, streams
from .refusals import refuse

#: Pinned storages of the CPU's: nothing but a mark.
_pinned: weakref.WeakSet[Any] = weakref.WeakSet()


def _wanted(device: Any) -> torch.device | None:
    """The device that is meant, if it is this one."""
    if device is None:
        return None
    found = torch.device(device)
    return found if found.type == "musa" else None


def _storage() -> None:
    """`torch.UntypedStorage(…, device="musa")`, which torch gives to an allocator that Python can't write."""
    cls = torch.UntypedStorage
    inherited = cls.__new__

    def __new__(kind: Any, *args: Any, **kwargs: Any) -> Any:
        device = _wanted(kwargs.get("device"))
        if device is None:
            return inherited(kind, *args, **kwargs)
        first = args[0] if args else 0
        if isinstance(first, int):
            return kernels.empty([first], dtype=torch.uint8, device=device).untyped_storage()
        values = torch.tensor(list(first), dtype=torch.uint8, device="cpu")
        return values.to(device).untyped_storage()

    def resize_(self: Any, size: int) -> Any:
        if self.device.type == "musa":
            raise refuse("A storage that is resized in place", "Tensors can be resized, and storages of the CPU, too.")
        return original_resize(self, size)

    original_resize = cls.resize_
    cls.__new__ = staticmethod(__new__)  # type: ignore[assignment,method-assign]
    cls.resize_ = resize_  # type: ignore[assignment,method-assign]


def pin(tensor: torch.Tensor) -> torch.Tensor:
    """Mark the storage of a tensor as pinned."""
    _pinned.add(tensor.untyped_storage())
    return tensor


def _pinning() -> None:
    """`pin_memory()`, `is_pinned()` and `pin_memory=True`: a copy with a mark."""
    tensor = torch.Tensor

    def pin_memory(self: torch.Tensor, device: Any = None) -> torch.Tensor:
        if self.device.type != "cpu":
            raise RuntimeError(f"cannot pin '{self.type()}' only dense CPU tensors can be pinned")
        if is_pinned(self):
            return self
        return pin(torch.ops.aten.clone.default(self))

    def is_pinned(self: torch.Tensor, device: Any = None) -> bool:
        return self.device.type == "cpu" and self.layout is torch.strided and self.untyped_storage() in _pinned

    tensor.pin_memory = functools.wraps(tensor.pin_memory)(pin_memory)  # type: ignore[method-assign]
    tensor.is_pinned = functools.wraps(tensor.is_pinned)(is_pinned)  # type: ignore[method-assign]


def _constructors() -> None:
    """Generators, streams and events that torch makes by a device."""
    # there once torchada is being imported, which is what imports this
    from torchada._journal import Journal
    from torchada._slots import replace_constructor_of_base

    replace_constructor_of_base(torch._C.Generator, generators.construct, Journal())
    for base, ours in ((torch.Stream, streams.StreamBase), (torch.Event, streams.EventBase)):
        replace_constructor_of_base(base, streams.constructor(base, ours), Journal())


def register() -> None:
    """Put these in torch's classes."""
    _storage()
    _pinning()
    _constructors()
