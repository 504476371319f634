"""The platform's `torch.cuda.random`: seeds and states of the generators."""

from __future__ import annotations

from typing import Any

from . import _find


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # torch.musa has these names itself.
    return _find("", name)
