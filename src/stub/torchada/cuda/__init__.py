"""The platform's `torch.cuda`: on MUSA what `torch.musa` has, elsewhere PyTorch's own.

For programs that would rather say which package decides than have PyTorch patched: `torchada.cuda.Stream()`
works on either. A name is looked up when it is asked for, so that importing this imports nothing else.
"""

from __future__ import annotations

import importlib
from typing import Any

_MODULES = ("amp", "nvtx", "random")


def _find(module: str, name: str) -> Any:
    """An attribute of `torch.cuda`, or of a module in it, on this platform."""
    import torch

    from .. import _registry
    from .._platform import is_musa_platform

    if not is_musa_platform():
        return getattr(importlib.import_module("torch.cuda" + module), name)
    # Patched, torch.cuda has all names and CUDA's signatures; but it keeps saying whether there is CUDA.
    patched = "torch-cuda" in _registry.applied()
    first, second = ("torch.cuda", "torch.musa") if patched and name != "is_available" else ("torch.musa", "torch.cuda")
    for place in (first, second):
        holder: Any = torch
        for part in (place + module).split(".")[1:]:
            holder = getattr(holder, part, None)
        value = getattr(holder, name, None)
        if value is not None:
            return value
    return getattr(importlib.import_module("torch.cuda" + module), name)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module("." + name, __name__)
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _find("", name)


def __dir__() -> list[str]:
    import torch

    return sorted({*globals(), *_MODULES, *(name for name in dir(torch.cuda) if not name.startswith("_"))})
