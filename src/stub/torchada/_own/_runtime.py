"""`torch.cuda.cudart()`: the functions of MUSA's runtime that torch_musa binds, by CUDA's names."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import torch

from .._names import cuda_to_musa_name
from ._missing import MissingOnMusaError

#: Switches of a tool that records what the device does. MUSA's has none, so it records what it records.
_SWITCHES = ("cudaProfilerStart", "cudaProfilerStop")


class _Cudart(ModuleType):
    """Looks a name up in `torch.musa.musart()` when it is first asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not name.startswith("cuda"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        runtime = torch.musa.musart()
        value = getattr(runtime, cuda_to_musa_name(name), None)
        if value is None and name in _SWITCHES:
            value = _switch
        if value is None:
            raise MissingOnMusaError(
                f"torch.cuda.cudart().{name}: torch.musa.musart() has no {cuda_to_musa_name(name)}. "
                f'Call it with ctypes: ctypes.CDLL("libmusart.so").{cuda_to_musa_name(name)}.'
            )
        self.__dict__[name] = value
        return value

    def __dir__(self) -> list[str]:
        names = [name for name in dir(torch.musa.musart()) if name.startswith("musa")]
        return sorted({*("cuda" + name[4:] for name in names), *_SWITCHES})


def _switch() -> Any:
    """Nothing, with success."""
    return torch.musa.musart().musaError.success


#: What `torch.cuda.cudart()` gives.
CUDART = _Cudart("torch._C._cudart", "MUSA's runtime functions, by CUDA's names.")
