"""Devices: what a name that says CUDA means on MUSA."""

from __future__ import annotations

from typing import Any

import torch

#: torch keeps a device's index in eight bits.
_INDICES = 128


def _all() -> dict[Any, torch.device]:
    devices: dict[Any, torch.device] = {}
    for kind in ("cuda", torch.device("cuda")):
        devices[kind] = torch.device("musa")
    for index in range(_INDICES):
        devices[f"cuda:{index}"] = devices[torch.device("cuda", index)] = torch.device("musa", index)
    return devices


#: What CUDA's devices are on MUSA, by name and as `torch.device`: each of them, so that one look decides.
#: Made while `torch.device` still makes CUDA's, and kept when the module is reloaded.
MUSA: dict[Any, torch.device] = globals().get("MUSA") or _all()


def translate(device: Any) -> Any:
    """The MUSA device for a name or `torch.device` of CUDA's; anything else as it is."""
    if device.__class__ is str or isinstance(device, torch.device):
        return MUSA.get(device, device)
    if isinstance(device, str):
        # A class of somebody's own, such as a string enumeration, may have a hash of its own.
        return MUSA.get(str.__str__(device), device)
    return device


def translate_name(device: Any) -> Any:
    """As `translate`, but for what takes no `torch.device`: `"cuda:1"` becomes `"musa:1"`."""
    if isinstance(device, str) and str.__str__(device) in MUSA:
        return "musa" + str.__str__(device)[4:]
    return device
