"""Which releases of torch_musa a remedy is for."""

from __future__ import annotations

from typing import Any


def torch_musa_before(bound: str) -> bool:
    """Whether the torch_musa of this process is older than a release, such as `2.11.0.post2`.

    What follows a `+` tells the SDK that it was built with, and does not count. A version that can't be read may
    have any fault of any release, and is older.
    """
    import torch_musa

    found = _parsed(getattr(torch_musa, "__version__", None))
    return found is None or found < _parsed(bound)


def _parsed(text: Any) -> Any:
    from torch._vendor.packaging.version import InvalidVersion, Version

    try:
        return Version(str(text).partition("+")[0])
    except InvalidVersion:
        return None
