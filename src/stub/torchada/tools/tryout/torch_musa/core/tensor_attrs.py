"""The attributes of tensors that speak of the device."""

from __future__ import annotations

from typing import Any

import torch

from .._half import _MUSAC


def _to(self: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
    # torch takes a number for a device of the accelerator it was built for
    if args and isinstance(args[0], int):
        args = (torch.device("musa", args[0]), *args[1:])
    if isinstance(kwargs.get("device"), int):
        kwargs["device"] = torch.device("musa", kwargs["device"])
    return self.orig_to(*args, **kwargs)


def _pin_memory(self: torch.Tensor, device: Any = "musa") -> torch.Tensor:
    return self.orig_pin_memory(device)


def _is_pinned(self: torch.Tensor, device: Any = "musa") -> bool:
    return self.orig_is_pinned(device)


def _is_musa(self: torch.Tensor) -> bool:
    return _MUSAC._is_musa(self)


def set_torch_attributes() -> None:
    """`Tensor.musa`, `Tensor.is_musa`, and this device as what numbers and pinning mean."""
    torch.utils.generate_methods_for_privateuse1_backend(
        for_tensor=True, for_module=False, for_packed_sequence=True, for_storage=False
    )
    torch.Tensor.is_musa = property(_is_musa)
    for name, method in (("to", _to), ("pin_memory", _pin_memory), ("is_pinned", _is_pinned)):
        setattr(torch.Tensor, "orig_" + name, getattr(torch.Tensor, name))
        setattr(torch.Tensor, name, method)
