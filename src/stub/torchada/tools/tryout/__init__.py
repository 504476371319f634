"""The try-out: a device "musa" whose work the CPU does, under the same package as on a GPU.

`install()` puts a stand-in of torch_musa on the path. What it is like is torch_musa's matter, what redirects
CUDA to it is this package's own, unchanged.
"""

from __future__ import annotations

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def why_not() -> str | None:
    """Why there can be no try-out here, or None. Imports no torch."""
    if sys.implementation.name != "cpython":
        return f"the try-out needs CPython, and this is {sys.implementation.name}"
    if sys.platform != "linux":
        return f"the try-out is for Linux, and this is {sys.platform}"
    return None


def install() -> None:
    """Have `import torch_musa` find the stand-in, whatever else is installed."""
    if _HERE not in sys.path:
        # Behind the program's own folder, which programs expect to be the first.
        sys.path.insert(1, _HERE)


def is_loaded() -> bool:
    """Whether the torch_musa that this process has imported is the stand-in."""
    first = getattr(sys.modules.get("torch_musa"), "__file__", None)
    return first == os.path.join(_HERE, "torch_musa", "__init__.py")


def banner() -> str:
    """What a person has to know who sees the results."""
    return (
        "torchada: try-out: the CPU stands in for the GPU. Results are those of PyTorch's CPU kernels, at their "
        "speed; no MUSA library, kernel or driver is in use, and code that needs one raises an error."
    )
