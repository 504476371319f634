"""autocast for this device, and the decorators of autograd functions."""

from __future__ import annotations

import functools
from typing import Any

import torch


class autocast(torch.amp.autocast_mode.autocast):
    """`torch.autocast("musa", …)`."""

    def __init__(
        self, enabled: bool = True, dtype: torch.dtype | None = None, cache_enabled: bool | None = None
    ) -> None:
        super().__init__("musa", dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)


custom_fwd = functools.partial(torch.amp.custom_fwd, device_type="musa")


def custom_bwd(bwd: Any) -> Any:
    """`torch.amp.custom_bwd` for this device."""
    return torch.amp.custom_bwd(bwd, device_type="musa")
