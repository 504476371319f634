"""Whether the sources of extensions are ported on this machine while they are built."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence

from . import _libraries, _platform

#: The variables that ask for a port on any machine.
FORCE = ("TORCHADA_FORCE", "FORCE_MUSA")

#: Values that are no.
_NO = ("", "0", "false", "no", "off")


def is_wanted(force: bool = False) -> bool:
    """Whether sources are ported here.

    They are if `force` or one of the variables `TORCHADA_FORCE` and `FORCE_MUSA` says so. Otherwise
    `TORCHADA_PLATFORM` decides where it is set; then torch_musa, if it is installed; and without it, as in the
    environment of an isolated build, the SDK: its compiler is there, and NVIDIA's is not.
    """
    if force or any(os.environ.get(name, "").strip().lower() not in _NO for name in FORCE):
        return True
    platform = _platform.without_torch()
    if platform is not None:
        return platform is _platform.Platform.MUSA
    named = [home for name in ("CUDA_HOME", "CUDA_PATH") if (home := os.environ.get(name))]
    return _has("mcc", [_libraries.musa_home()]) and not _has("nvcc", named or ["/usr/local/cuda"])


def _has(compiler: str, homes: Sequence[str]) -> bool:
    there = [os.path.join(home, "bin", compiler) for home in homes]
    return shutil.which(compiler) is not None or any(os.access(path, os.X_OK) for path in there)
