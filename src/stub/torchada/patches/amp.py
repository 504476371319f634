"""Mixed precision: `torch.autocast`, `torch.amp`, `torch.cuda.amp` and autocast's switches."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
import torch.amp.autocast_mode
import torch.amp.grad_scaler

from .. import _report
from .._journal import Journal
from .._registry import patch

_CUDA, _MUSA = "cuda", "musa"


@patch("autocast")
def autocast(journal: Journal) -> None:
    """Have `torch.autocast("cuda", …)` and `torch.cuda.amp.autocast(…)` work on MUSA tensors. The class is
    changed in place, so that subclasses and earlier imports follow, and so do `custom_fwd` and `custom_bwd`."""
    _first_is_musa(torch.autocast, "autocast", "torch.autocast", "device_type", None, journal)
    cast = torch.amp.autocast_mode._cast

    @functools.wraps(cast)
    def _cast(value: Any, device_type: str, dtype: Any) -> Any:
        return cast(value, _MUSA if device_type == _CUDA else device_type, dtype)

    journal.set(torch.amp.autocast_mode, "_cast", _cast)


@patch("grad-scaler")
def grad_scaler(journal: Journal) -> None:
    """Have `torch.amp.GradScaler("cuda")` and `torch.cuda.amp.GradScaler()` scale losses on MUSA. The class is
    changed in place; a scaler whose device is not named is for MUSA, as it is for CUDA in PyTorch."""
    _first_is_musa(torch.amp.grad_scaler.GradScaler, "grad-scaler", "torch.amp.GradScaler", "device", _CUDA, journal)


def _first_is_musa(cls: type, patch_name: str, name: str, keyword: str, default: str | None, journal: Journal) -> None:
    """Have a class's constructor take "cuda" as its first argument, by place or by keyword, for "musa"."""
    original = cls.__init__  # type: ignore[misc]
    count = _report.counter(patch_name, name)

    @functools.wraps(original)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if args:
            if args[0] == _CUDA:
                count()
                args = (_MUSA, *args[1:])
        elif kwargs.get(keyword, default) == _CUDA:
            count()
            kwargs[keyword] = _MUSA
        original(self, *args, **kwargs)

    journal.set(cls, "__init__", __init__)


#: Functions that take a kind of device first; the switches that torch_musa wraps are taken from below it.
_SWITCHES = ("is_autocast_enabled", "set_autocast_enabled", "get_autocast_dtype", "set_autocast_dtype")


@patch("autocast-switches")
def switches(journal: Journal) -> None:
    """Have `torch.is_autocast_enabled("cuda")`, `torch.get_autocast_dtype("cuda")`, their setters and the older
    `torch.get_autocast_gpu_dtype()` tell and set what holds for MUSA."""
    for name in _SWITCHES:
        native = getattr(torch._C, name)
        journal.set(torch, name, _switch(native, _older(native, name), getattr(torch, name)))
    get, set_ = torch._C.get_autocast_dtype, torch._C.set_autocast_dtype
    journal.set(torch, "get_autocast_gpu_dtype", functools.wraps(torch.get_autocast_gpu_dtype)(lambda: get(_MUSA)))
    journal.set(
        torch, "set_autocast_gpu_dtype", functools.wraps(torch.set_autocast_gpu_dtype)(lambda dtype: set_(_MUSA, dtype))
    )


def _older(native: Callable[..., Any], name: str) -> Callable[..., Any] | None:
    """How a function is called that means the GPU, since no kind of device is named."""
    if name == "is_autocast_enabled":
        return lambda: native(_MUSA)
    if name == "set_autocast_enabled":
        return lambda enabled: native(_MUSA, enabled)
    return None


def _switch(
    native: Callable[..., Any], older: Callable[..., Any] | None, current: Callable[..., Any]
) -> Callable[..., Any]:
    shorter = {"is_autocast_enabled": 0, "set_autocast_enabled": 1}.get(native.__name__, -1)

    @functools.wraps(native)
    def switch(*args: Any, **kwargs: Any) -> Any:
        if older is not None and len(args) + len(kwargs) == shorter:
            return older(*args, **kwargs)
        if args:
            if args[0] == _CUDA:
                return native(_MUSA, *args[1:], **kwargs)
        elif kwargs.get("device_type") == _CUDA:
            kwargs["device_type"] = _MUSA
        return native(*args, **kwargs)

    return switch
