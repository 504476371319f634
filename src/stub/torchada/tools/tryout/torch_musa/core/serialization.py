"""torch.save and torch.load: what lies on the device is tagged "musa:N", and "cuda" tags are refused."""

from __future__ import annotations

from typing import Any

import torch
from torch_musa import _MUSAC

from ._utils import _get_musa_device_index

#: Where torch asks this device, among the others: last.
_PRIORITY = 999


def _tag(storage: Any) -> str | None:
    return f"musa:{storage.device.index}" if storage.device.type == "musa" else None


def _restore(storage: Any, location: str) -> Any:
    if not location.startswith("musa"):
        return None
    index = _get_musa_device_index(location, optional=True)
    count = _MUSAC._musa_getDeviceCount()
    if index >= count:
        raise RuntimeError(
            f"Attempting to deserialize object on MUSA device {index} but torch.musa.device.device_count() is {count}. "
            "Please use torch.load with map_location to map your storages to an existing device."
        )
    if getattr(storage, "_torch_load_uninitialized", False):
        return torch.UntypedStorage(storage.nbytes(), device=torch.device("musa", index))
    return storage.musa(index)


def _refuse_cuda(_: Any, location: str) -> None:
    if location.startswith("cuda"):
        raise RuntimeError(
            "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are "
            "running on a MUSA enabled machine, please use torch.load with map_location=torch.device('musa') or "
            "map_location=torch.device('cpu') to map your storages to the MUSA or CPU."
        )


def register_deserialization() -> None:
    """Make the tags known to torch, and put the refusal in the place of CUDA's own entry."""
    registry = torch.serialization._package_registry
    for index, (priority, tag, _) in enumerate(registry):
        if getattr(tag, "__name__", "") == "_cuda_tag" or getattr(tag, "args", ()) == ("cuda",):
            registry[index] = (priority, tag, _refuse_cuda)
            break
    else:
        priority, tag, _ = registry[1]
        registry[1] = (priority, tag, _refuse_cuda)
    torch.serialization.register_package(_PRIORITY, _tag, _restore)
