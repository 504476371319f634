"""The attributes of modules that speak of the device."""

from __future__ import annotations

from typing import Any

import torch


def _musa(self: torch.nn.Module, device: Any = None) -> torch.nn.Module:
    return self._apply(lambda tensor: tensor.musa(device))


def set_module_attributes() -> None:
    """`Module.musa`."""
    torch.nn.Module.musa = _musa
