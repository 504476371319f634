"""Mixed precision: `torch.autocast`, `torch.amp`, `torch.cuda.amp` and autocast's switches."""

from __future__ import annotations

import functools
from typing import Any

import torch
import torch.amp.autocast_mode
import torch.amp.grad_scaler

from .. import _devices, _report
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
        return cast(value, _devices.translate_name(device_type), dtype)

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
    translate = _devices.translate_name

    @functools.wraps(original)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if args:
            found = translate(args[0])
            if found is not args[0]:
                count()
                args = (found, *args[1:])
        else:
            value = kwargs.get(keyword, default)
            found = translate(value)
            if found is not value:
                count()
                kwargs[keyword] = found
        original(self, *args, **kwargs)

    journal.set(cls, "__init__", __init__)


@patch("autocast-switches")
def switches(journal: Journal) -> None:
    """Have `torch.is_autocast_enabled("cuda")`, `torch.get_autocast_dtype("cuda")`, their setters and the older
    `torch.get_autocast_gpu_dtype()` tell and set what holds for MUSA."""
    # What torch_musa wraps is taken from below its wrappers, which only say what no device means.
    is_enabled, set_enabled = torch._C.is_autocast_enabled, torch._C.set_autocast_enabled
    get_dtype, set_dtype = torch._C.get_autocast_dtype, torch._C.set_autocast_dtype

    @functools.wraps(is_enabled)
    def is_autocast_enabled(device_type: str = _MUSA) -> bool:
        return is_enabled(_devices.translate_name(device_type))

    @functools.wraps(set_enabled)
    def set_autocast_enabled(*args: Any, **kwargs: Any) -> None:
        if len(args) == 2 and not kwargs:
            # as every region does, twice
            set_enabled(_devices.translate_name(args[0]), args[1])
            return
        # Without a device, the one argument is the switch.
        names = ("enabled",) if len(args) + len(kwargs) == 1 else ("device_type", "enabled")
        arguments = {"device_type": _MUSA, **dict(zip(names, args)), **kwargs}
        device_type = arguments.pop("device_type")
        set_enabled(_devices.translate_name(device_type), arguments.pop("enabled"), **arguments)

    @functools.wraps(get_dtype)
    def get_autocast_dtype(device_type: str) -> torch.dtype:
        return get_dtype(_devices.translate_name(device_type))

    @functools.wraps(set_dtype)
    def set_autocast_dtype(device_type: str, dtype: torch.dtype) -> None:
        set_dtype(_devices.translate_name(device_type), dtype)

    @functools.wraps(torch.get_autocast_gpu_dtype)
    def get_autocast_gpu_dtype() -> torch.dtype:
        return get_dtype(_MUSA)

    @functools.wraps(torch.set_autocast_gpu_dtype)
    def set_autocast_gpu_dtype(dtype: torch.dtype) -> None:
        set_dtype(_MUSA, dtype)

    for function in (
        is_autocast_enabled,
        set_autocast_enabled,
        get_autocast_dtype,
        set_autocast_dtype,
        get_autocast_gpu_dtype,
        set_autocast_gpu_dtype,
    ):
        journal.set(torch, function.__name__, function)
