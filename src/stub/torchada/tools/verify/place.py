"""The device that is checked: which it is, whether it works, what it is called."""

from __future__ import annotations

import platform
from typing import Any


class NoDevice(Exception):
    """There is nothing to check; the text says what to do."""


def device(wanted: str) -> str:
    """The device's name for torch, with its number."""
    import torchada
    from torchada import _platform

    try:
        import torch
    except ImportError as error:
        raise NoDevice(f"torch can't be imported: {error}") from error
    kind, _, number = wanted.partition(":")
    found = torchada.get_device_name()
    if found == "cpu":
        raise NoDevice(
            "there is no device here to check: neither torch_musa nor a CUDA device was found. "
            "--device cpu checks the try-out, which answers on the CPU"
        )
    if kind in ("musa", "cuda") and kind != found:
        raise NoDevice(f"--device {wanted}: the device of this Python is {found}")
    module = _platform.get_torch_device_module()
    try:
        count = module.device_count()
    except Exception as error:
        raise NoDevice(f"the device can't be used: {type(error).__name__}: {error}") from error
    if not count:
        raise NoDevice(f"torch.{found} finds no device")
    name = f"{found}:{number or 0}"
    try:
        module.set_device(name)
        torch.ones(1, device=name).cpu()
    except Exception as error:
        raise NoDevice(f"{name} can't be used: {type(error).__name__}: {error}") from error
    _exact()
    return name


def _exact() -> None:
    """Have matrices multiplied as exactly as their dtype allows: what is rounded on purpose is no fault."""
    import torch

    torch.set_float32_matmul_precision("highest")
    for backend in ("cudnn", "mudnn"):
        module: Any = getattr(torch.backends, backend, None)
        if hasattr(module, "allow_tf32"):
            try:
                module.allow_tf32 = False
            except (AttributeError, RuntimeError):
                continue


def works(name: str) -> bool:
    """Whether the device still computes: after some errors no call of the process succeeds any more."""
    import torch

    try:
        return (torch.ones(8, device=name) + 1).cpu().sum().item() == 16
    except Exception:
        return False


def versions(name: str) -> dict[str, Any]:
    """What the results depend on."""
    import sys

    import torch

    import torchada
    from torchada.tools import tryout

    musa = sys.modules.get("torch_musa")
    try:
        called = str(torchada.get_torch_device_module().get_device_name(name))
    except Exception:
        called = name
    return {
        "torchada": torchada.__version__,
        "python": platform.python_version(),
        "torch": str(torch.__version__),
        "torch_musa": str(getattr(musa, "__version__", "")),
        "device": name,
        "name": called,
        "try_out": tryout.is_loaded(),
    }
