"""The runtime functions that torch_musa binds."""

from __future__ import annotations

import enum

from torch_musa import _MUSAC


class musaError(enum.IntEnum):
    """The one code that torch_musa names."""

    success = 0

    @classmethod
    def _missing_(cls, value: object) -> musaError:
        # A binding of pybind11's makes a value of any number.
        code = int.__new__(cls, value)  # type: ignore[call-overload]
        code._name_, code._value_ = f"musaError({value})", value
        return code


def musaGetErrorString(code: int) -> str:
    """What a code means."""
    return "no error" if int(code) == 0 else "unknown error"


def musaHostRegister(ptr: int, size: int, flags: int) -> musaError:
    """Pin memory of the host: nothing to do."""
    return musaError.success


def musaHostUnregister(ptr: int) -> musaError:
    """Nothing to do."""
    return musaError.success


def musaStreamCreate(ptr: int) -> musaError:
    """Nothing to do: the stand-in's streams are numbers."""
    return musaError.success


def musaStreamDestroy(ptr: int) -> musaError:
    """Nothing to do."""
    return musaError.success


def musaMemGetInfo(device: int) -> tuple[int, int]:
    """Free and total bytes of a device."""
    total = _MUSAC._double_total_memory()
    return total - _MUSAC._musa_memoryStats(device)["current"], total
