"""Runs PyTorch code that was written for CUDA on Moore Threads' MUSA GPUs.

`import torchada`, before or after torch, once: then `"cuda"` means the MUSA device wherever torch takes a
device, and `torch.cuda` does what `torch.musa` does. Where there is no MUSA, the import changes nothing.

What the translator could decide, it has written into the sources. This package is for what only run time
can know: libraries that say `torch.cuda`, devices named by configuration, checkpoints, ctypes libraries.
`TORCHADA_DISABLE=name,…` leaves patches out, `unpatch()` takes them all back, `report()` tells what was
redirected, and `python -m torchada` checks the installation.
"""

from __future__ import annotations

from typing import Any

from . import _registry
from ._names import cublas_to_mublas_name, cuda_to_musa_name, curand_to_murand_name, nccl_to_mccl_name
from ._platform import (
    Platform,
    detect_platform,
    get_backend,
    get_device_name,
    get_platform,
    get_torch_device_module,
    is_cpu_platform,
    is_cuda_like_device,
    is_cuda_platform,
    is_gpu_device,
    is_musa_platform,
)
from ._registry import PatchError
from ._start import apply_patches
from ._summary import Report, report
from ._tables import VERSION as __version__

__all__ = [
    "CUDA_HOME",
    "PatchError",
    "Platform",
    "Report",
    "__version__",
    "apply_patches",
    "apply_rope_inplace",
    "build",
    "cublas_to_mublas_name",
    "cuda",
    "cuda_to_musa_name",
    "curand_to_murand_name",
    "detect_platform",
    "get_backend",
    "get_device_name",
    "get_original_init_process_group",
    "get_platform",
    "get_torch_device_module",
    "get_version",
    "is_cpu_platform",
    "is_cuda_like_device",
    "is_cuda_platform",
    "is_gpu_device",
    "is_musa_platform",
    "is_patched",
    "nccl_to_mccl_name",
    "report",
    "unpatch",
    "utils",
]


def get_version() -> str:
    """The version of this package."""
    return __version__


def is_patched() -> bool:
    """Whether `apply_patches` has run and was not undone; where there is no MUSA, it had nothing to do."""
    return _registry.is_done()


def unpatch() -> None:
    """Put everything back exactly as it was before `apply_patches`.

    What somebody else has put in a patched name's place since then goes as well.
    """
    _registry.undo_all()


def get_original_init_process_group() -> Any:
    """`torch.distributed.init_process_group` as it is without torchada."""
    import torch.distributed

    function = getattr(torch.distributed, "init_process_group", None)
    return getattr(function, "__wrapped__", function)


#: Names that are imported when they are asked for, and the modules that have them.
_ELSEWHERE = {"apply_rope_inplace": "_rope", "load_cpp_ops": "_cpp_ops"}

#: Names of the adapter on the package index that are not here, and what to do.
_NOT_HERE = {
    "set_default_moe_config_dir": "set SGLANG_MOE_CONFIG_DIR or VLLM_TUNED_CONFIG_FOLDER to a folder of your own; "
    "without it the engines use their defaults",
    "triton": "its kernels and tables of measured configurations are for one engine and one GPU; the engines have "
    "kernels of their own",
}


def __getattr__(name: str) -> Any:
    # What takes long to import is imported when it is asked for.
    import importlib

    if name in ("build", "cuda", "utils"):
        return importlib.import_module("." + name, __name__)
    if name == "CUDA_HOME":
        from .utils.cpp_extension import CUDA_HOME

        return CUDA_HOME
    if name in _ELSEWHERE:
        return getattr(importlib.import_module("." + _ELSEWHERE[name], __name__), name)
    if name in _NOT_HERE:
        raise AttributeError(f"module {__name__!r} has no {name!r}: {_NOT_HERE[name]}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


apply_patches()
