"""Devices: what a name that says CUDA means on MUSA."""

from __future__ import annotations

from typing import Any

import torch

#: torch keeps a device's index in eight bits.
_INDICES = 128

#: What CUDA's devices are on MUSA, by name and as `torch.device`: each of them, so that one look decides.
MUSA: dict[Any, torch.device] = {}


def fill(device: Any) -> None:
    """Make the devices, with the constructor that makes them unchanged."""
    MUSA.clear()
    for kind in ("cuda", device("cuda")):
        MUSA[kind] = device("musa")
    for index in range(_INDICES):
        MUSA[f"cuda:{index}"] = MUSA[device("cuda", index)] = device("musa", index)


def translate(device: Any) -> Any:
    """The MUSA device for a name or `torch.device` of CUDA's; anything else as it is."""
    if isinstance(device, (str, torch.device)):
        return MUSA.get(device, device)
    return device


def translate_name(device: Any) -> Any:
    """As `translate`, but for what takes no `torch.device`: `"cuda:1"` becomes `"musa:1"`."""
    if isinstance(device, str) and device in MUSA:
        return "musa" + device[4:]
    return device
