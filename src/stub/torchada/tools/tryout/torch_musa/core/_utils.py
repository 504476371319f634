"""Which device somebody means."""

from typing import Any, Union

import torch
from torch_musa import _MUSAC

#: What this is, as messages call it: the compiled half of the test bed has no name for itself.
STAND_IN: str = getattr(_MUSAC, "_stand_in", "the musa double")

DeviceUnion = Union[torch.device, int, str, None]


def _get_musa_device_index(device: Any, optional: bool = False, allow_cpu: bool = False) -> int:
    """The index that `1`, "musa:1", `torch.device("musa")` or None means; None is the current device.

    Raises ValueError for a device of another kind. A CPU, where it is allowed, is -1.
    """
    if isinstance(device, int):
        return device
    if device is None:
        return _MUSAC._musa_getDevice()
    if isinstance(device, str):
        device = torch.device(device)
    if isinstance(device, torch.device):
        if allow_cpu and device.type == "cpu":
            return -1
        if device.type != "musa":
            kinds = "musa or cpu" if allow_cpu else "musa"
            raise ValueError(f"Expected a {kinds} device, but got: {device}")
        if device.index is not None:
            return device.index
        if not optional:
            raise ValueError(f"Expected a torch.device with a specified index or an integer, but got: {device}")
        return _MUSAC._musa_getDevice()
    index = getattr(device, "idx", None)
    if index is None:
        raise ValueError(f"Expected a torch.device or an integer, but got: {device!r}")
    return index
