"""What autocast may use, and which device its switches mean."""

from __future__ import annotations

from typing import Any

import torch
from torch_musa.core.device import is_available

__all__ = ["amp_definitely_not_available", "get_amp_supported_dtype"]

_torch_is_autocast_enabled = torch.is_autocast_enabled
_torch_set_autocast_enabled = torch.set_autocast_enabled


def amp_definitely_not_available() -> bool:
    """Whether there is no device."""
    return not is_available()


def get_amp_supported_dtype() -> list[torch.dtype]:
    """The types that autocast may choose."""
    return [torch.float16, torch.bfloat16]


def _is_autocast_enabled(*args: Any, **kwargs: Any) -> bool:
    return _torch_is_autocast_enabled(*(args or ("musa",)), **kwargs)


def _set_autocast_enabled(*args: Any, **kwargs: Any) -> None:
    if len(args) + len(kwargs) == 1:
        return _torch_set_autocast_enabled("musa", *args, **kwargs)
    return _torch_set_autocast_enabled(*args, **kwargs)


def _hook_autocast_common() -> None:
    """Torch's functions mean this device where none is named, as torch_musa has it."""
    torch.is_autocast_enabled = _is_autocast_enabled
    torch.set_autocast_enabled = _set_autocast_enabled
