"""The platform's `torch.cuda.amp`: `autocast`, `GradScaler`, `custom_fwd` and `custom_bwd`."""

from __future__ import annotations

from typing import Any

from . import _find


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _find(".amp", name)
