"""What the adapter's tests ask its `_patch` for, where there is an answer of this package's."""

from __future__ import annotations

import sys
from typing import Any

import torch
from torchada import _environment, _registry
from torchada._journal import Journal

_FORCE_CUDA_AVAILABLE_ENV = "TORCHADA_FORCE_CUDA_AVAILABLE"
_SGLANG_ROPE_MODULE = "sglang.kernels.ops.attention.rope"
_original_torch_device = torch.device


def _force_cuda_available_enabled() -> bool:
    return _environment.is_on(_FORCE_CUDA_AVAILABLE_ENV)


def _translate_device(device: Any) -> Any:
    """A device, or its name, as torch understands it here."""
    if device is None or isinstance(device, int):
        return device
    found = torch.device(device)
    return found if isinstance(device, torch.device) else str(found)


def _patch_visible_devices_env() -> None:
    _environment.apply(Journal())


def _apply(*names: str) -> None:
    """Apply patches to what lies in `sys.modules` now."""
    for name in names:
        each = _registry.PATCHES[name]
        if each.module is None or each.module in sys.modules:
            each.apply(Journal())


def _patch_flash_attn() -> None:
    _apply("sgl-kernel-flash-attn", "flash-attn-interface")


def _patch_sglang_rope() -> None:
    _apply("sglang-rope")


_patch_registry = [_patch_visible_devices_env, _patch_flash_attn, _patch_sglang_rope]
