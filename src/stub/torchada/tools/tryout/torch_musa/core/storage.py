"""The attributes of storages that speak of the device."""

from __future__ import annotations

from typing import Any

import torch

from ._utils import STAND_IN, _get_musa_device_index


def _is_musa(self: Any) -> bool:
    return self.device.type == "musa"


def _musa(self: Any, device: Any = None, non_blocking: bool = False) -> Any:
    index = _get_musa_device_index(device, optional=True)
    if self.device.type == "musa" and self.device.index == index:
        return self
    copy = torch.UntypedStorage(self.size(), device=torch.device("musa", index))
    return copy.copy_(self, non_blocking)


def _typed_musa(self: Any, device: Any = None, non_blocking: bool = False) -> Any:
    return self._new_wrapped_storage(self._untyped_storage.musa(device, non_blocking))


def _share(self: Any, *_: Any, **__: Any) -> None:
    raise RuntimeError(f"{STAND_IN} shares no device memory between processes")


def _new_shared(cls: Any, *_: Any, **__: Any) -> Any | None:
    raise RuntimeError(f"{STAND_IN} shares no device memory between processes")


def set_storage_attributes() -> None:
    """`UntypedStorage.musa` and its kin. As torch_musa does, a device's storage says that it is CUDA's, too."""
    storage = torch.UntypedStorage
    storage.musa = _musa
    storage.is_musa = storage.is_cuda = property(_is_musa)
    storage._share_musa_ = storage._share_cuda_ = _share
    storage._new_shared_musa = storage._new_shared_cuda = classmethod(_new_shared)
    torch.TypedStorage.musa = _typed_musa
    torch.TypedStorage.is_musa = property(_is_musa)
