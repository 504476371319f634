"""Which GPU this process has: Moore Threads', NVIDIA's or none."""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
from enum import Enum
from typing import Any


class Platform(Enum):
    """A kind of device that PyTorch runs on."""

    CUDA = "cuda"
    MUSA = "musa"
    CPU = "cpu"


@functools.lru_cache(maxsize=1)
def detect_platform() -> Platform:
    """The platform of this process, found once.

    `TORCHADA_PLATFORM` (`cuda`, `musa` or `cpu`) decides where it is set. Otherwise MUSA goes first: it is
    the platform wherever torch_musa is installed, with or without a device, so that extensions can be
    built on a machine that has none. CUDA is the platform where torch finds an NVIDIA device.
    """
    found = without_torch()
    if found is not None:
        return found
    import torch

    return Platform.CUDA if torch.cuda.is_available() else Platform.CPU


def without_torch() -> Platform | None:
    """The platform, if the environment names it or torch_musa is installed; `None` if only torch can answer."""
    forced = os.environ.get("TORCHADA_PLATFORM", "").strip().lower()
    for platform in Platform:
        if forced == platform.value:
            return platform
    if forced:
        raise ValueError(f"TORCHADA_PLATFORM={forced} is none of cuda, musa and cpu")
    wanted = os.environ.get("TORCHADA_DEVICE", "").strip().lower()
    if wanted:
        return _of_device(wanted)
    return Platform.MUSA if has_torch_musa() else None


@functools.lru_cache(maxsize=1)
def _of_device(wanted: str) -> Platform | None:
    """The platform by `TORCHADA_DEVICE`: `musa`, `cpu` (the try-out), or `auto`, what this machine has."""
    if wanted not in ("auto", "cpu", "musa"):
        raise ValueError(f"TORCHADA_DEVICE={wanted} is none of musa, cpu and auto")
    if wanted != "cpu" and has_torch_musa():
        return Platform.MUSA
    if wanted == "musa":
        raise RuntimeError(
            f"TORCHADA_DEVICE=musa, but {sys.executable} has no torch_musa. Install it, or try the program out "
            "without a GPU: TORCHADA_DEVICE=cpu."
        )
    if wanted == "auto" and any(os.path.exists(path) for path in _NVIDIA):
        return None
    why_not = _try_out()
    if why_not is None:
        return Platform.MUSA
    if wanted == "cpu":
        raise RuntimeError(f"TORCHADA_DEVICE=cpu, but {why_not}")
    _say_once(f"torchada: nothing is redirected, for there is no torch_musa here, and {why_not}")
    return None


#: What the driver of NVIDIA's GPUs has put there: on Linux, and on Linux below Windows.
_NVIDIA = ("/proc/driver/nvidia/version", "/usr/lib/wsl/lib/libcuda.so.1")


def _try_out() -> str | None:
    """Have the CPU stand in for a MUSA device, or say why it can't."""
    try:
        from .tools import tryout
    except ImportError:
        return "this copy of torchada has no try-out: `torchada run`, or the package that its wheel installs, has it"
    why_not = tryout.why_not()
    if why_not is None:
        tryout.install()
        _say_once(tryout.banner())
    return why_not


#: The process that prints a message sets this variable for its children, so that they don't print it again.
_SAID = "TORCHADA_DEVICE_SAID"


def _say_once(text: str) -> None:
    if _SAID not in os.environ:
        os.environ[_SAID] = "1"
        print(text, file=sys.stderr, flush=True)


def has_torch_musa() -> bool:
    """Whether torch_musa can be imported; neither it nor torch is imported to find out."""
    try:
        return importlib.util.find_spec("torch_musa") is not None
    except (ImportError, ValueError):
        # A module without a spec that somebody put into `sys.modules` counts: it can be imported.
        return sys.modules.get("torch_musa") is not None


def get_platform() -> Platform:
    """The platform of this process."""
    return detect_platform()


def is_musa_platform() -> bool:
    """Whether this process runs on Moore Threads' GPUs."""
    return detect_platform() is Platform.MUSA


def is_cuda_platform() -> bool:
    """Whether this process runs on NVIDIA's GPUs."""
    return detect_platform() is Platform.CUDA


def is_cpu_platform() -> bool:
    """Whether this process has no GPU that torch can use."""
    return detect_platform() is Platform.CPU


def get_device_name() -> str:
    """The name of the platform's device: `"cuda"`, `"musa"` or `"cpu"`."""
    return detect_platform().value


def get_torch_device_module() -> Any:
    """The platform's module of torch: `torch.musa` or `torch.cuda`.

    Raises RuntimeError where there is no GPU.
    """
    import torch

    platform = detect_platform()
    if platform is Platform.MUSA:
        return torch.musa
    if platform is Platform.CUDA:
        return torch.cuda
    raise RuntimeError("No GPU platform available. Running on CPU only.")


def get_backend() -> Any:
    """As `get_torch_device_module`."""
    return get_torch_device_module()


def is_gpu_device(device: Any) -> bool:
    """Whether a device is a GPU, of NVIDIA or Moore Threads.

    Takes a `torch.device`, its name, or anything with a `device`, such as a tensor. This is what to write
    for `device.type == "cuda"`, which no patch can make true for a device of type `"musa"`.
    """
    device = getattr(device, "device", device)
    if isinstance(device, str):
        return device.split(":", 1)[0] in ("cuda", "musa")
    import torch

    return isinstance(device, torch.device) and device.type in ("cuda", "musa")


def is_cuda_like_device(device: Any) -> bool:
    """As `is_gpu_device`."""
    return is_gpu_device(device)
