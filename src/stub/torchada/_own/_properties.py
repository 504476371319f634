"""Device properties with CUDA's fields: torch_musa binds seven of them, MUSA's runtime answers others."""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import torch
import torch_musa

from .. import _tables
from ._missing import MissingOnMusaError
from ._names import _get_device_index

#: `field -> field of torch_musa's properties`, for those whose names differ, too.
_FIELDS: dict[str, str] = dict(getattr(_tables, "DEVICE_FIELDS", {}))

#: `field -> the number of the device attribute`.
_ATTRIBUTES: dict[str, int] = {
    # The table has the enumerator's name beside it.
    field: attribute[1]
    for field, attribute in getattr(_tables, "DEVICE_ATTRIBUTES", {}).items()
}

#: What a text about a device says, as far as the device tells.
_SHOWN = ("name", "major", "minor", "total_memory", "multi_processor_count")


class DeviceProperties:
    """What a device is, with the fields of CUDA's properties.

    A field that neither torch_musa nor MUSA's runtime knows raises an error that names it, which is an
    AttributeError as well.
    """

    def __init__(self, native: Any, index: int) -> None:
        self._native = native
        self._index = index

    def __getattr__(self, name: str) -> Any:
        # Python calls this when a field is first asked for: what a device is doesn't change.
        if name.startswith("_"):
            raise AttributeError(name)
        value = getattr(self._native, _FIELDS.get(name, name), None)
        if value is None:
            if name not in _ATTRIBUTES:
                raise MissingOnMusaError(
                    f"torch_musa's device properties have no {name!r}, and no attribute of MUSA's runtime is known "
                    f"for it. They have: {', '.join(sorted({*_FIELDS, *_ATTRIBUTES}))}"
                )
            value = _attribute(name, self._index)
        self.__dict__[name] = value
        return value

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *_FIELDS, *_ATTRIBUTES})

    def __repr__(self) -> str:
        shown = {name: getattr(self._native, name) for name in _SHOWN}
        shown["name"] = f"'{shown['name']}'"
        shown["total_memory"] = f"{shown['total_memory'] >> 20}MB"
        return f"_CudaDeviceProperties({', '.join(f'{name}={value}' for name, value in shown.items())})"


DeviceProperties.__name__ = DeviceProperties.__qualname__ = "_CudaDeviceProperties"


@functools.cache
def _of(index: int) -> DeviceProperties:
    return DeviceProperties(torch.musa.get_device_properties(index), index)


def get_device_properties(device: Any = None) -> DeviceProperties:
    """What a device is; the current one, if none is named. Raises AssertionError if there is no such device."""
    return _of(device if device.__class__ is int else _get_device_index(device, optional=True))


def _attribute(field: str, index: int) -> int:
    """Ask MUSA's runtime. Raises the error that names the field where it can't be asked."""
    function = _function()
    if function is None:
        raise MissingOnMusaError(
            f"torch_musa's device properties have no {field!r}, and musaDeviceGetAttribute, which would tell, is "
            "not found: libmusart.so is not on the path of the loader. Add its folder to LD_LIBRARY_PATH."
        )
    value = ctypes.c_int()
    code = function(ctypes.byref(value), ctypes.c_int(_ATTRIBUTES[field]), ctypes.c_int(index))
    if code != 0:
        raise MissingOnMusaError(
            f"torch_musa's device properties have no {field!r}, and musaDeviceGetAttribute, asked for it, gave "
            f"error {code}."
        )
    return value.value


@functools.cache
def _function() -> Any:
    """`musaDeviceGetAttribute`: of the runtime that torch_musa is linked to, or else of the one on the path."""
    for library in (getattr(torch_musa._MUSAC, "__file__", None), "libmusart.so"):
        try:
            return ctypes.CDLL(library).musaDeviceGetAttribute
        except (OSError, AttributeError, TypeError):
            continue
    return None
