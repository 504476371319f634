"""Telling the parts of torch that are not the dispatcher that the device is there."""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import torch

from . import devices, memory

#: Keeps what torch only points to.
_kept: list[Any] = []


def register() -> None:
    """In Python where this torch lets it be, else by a few lines of C++, compiled once.

    From torch 2.11 on Python may do it, for one device.
    """
    acc = getattr(torch._C, "_acc", None)
    if devices.COUNT > 1 or acc is None or not hasattr(acc, "register_python_privateuseone_hook"):
        half = ctypes.CDLL(str(_compiled()))
        half.tryout_set_device_count(devices.COUNT)
        memory.use(half)
        # torch's C++ half asks for it where it has no tensor to look at
        devices.listeners.append(half.tryout_set_device)
        _kept.append(half)
        return

    class Hooks(acc.PrivateUse1Hooks):  # type: ignore[misc,name-defined]
        def is_available(self) -> bool:
            return True

        def is_built(self) -> bool:
            return True

        def has_primary_context(self, index: int) -> bool:
            return True

    class Guard(acc.DeviceGuard):  # type: ignore[misc,name-defined]
        def type_(self) -> Any:
            return torch._C._autograd.DeviceType.PrivateUse1

    _kept.extend((Hooks(), Guard()))
    acc.register_python_privateuseone_hook(_kept[0])
    acc.register_python_privateuseone_device_guard(_kept[1])


def _compiled() -> Path:
    """The C++ half for this torch."""
    source = Path(__file__).with_name("hooks.cpp")
    name = hashlib.sha256(source.read_bytes() + f"{torch.__version__} {torch.__path__[0]}".encode()).hexdigest()[:16]
    target = _state() / f"tryout-{name}.so"
    if not target.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as place:
            part = Path(place) / "half.so"
            _compile(source, part)
            part.replace(target)
    return target


def _state() -> Path:
    """The folder of the user's own in which it is kept."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base and os.path.isabs(base) else Path.home() / ".cache") / "torchada"


def _compile(source: Path, target: Path) -> None:
    torch_folder = Path(torch.__path__[0])
    command = [
        "g++",
        f"-std=c++{20 if memory.VERSION >= (2, 12) else 17}",
        "-O1",
        "-fPIC",
        "-shared",
        "-w",
        str(source),
        "-o",
        str(target),
    ]
    command += ["-isystem", str(torch_folder / "include"), "-L", str(torch_folder / "lib"), "-lc10", "-ltorch_cpu"]
    command.append(f"-DTRYOUT_TORCH={memory.VERSION[0] * 100 + memory.VERSION[1]}")
    command.append(f"-D_GLIBCXX_USE_CXX11_ABI={int(torch._C._GLIBCXX_USE_CXX11_ABI)}")
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    except OSError as error:
        raise RuntimeError(
            f"the try-out needs a few lines of C++ for {devices.COUNT} devices on torch {torch.__version__}, and g++ can't "
            f"be started ({error.strerror}): install g++. One device on torch 2.11 or later needs none."
        ) from error
    if done.returncode != 0:
        raise RuntimeError(
            f"the try-out's {source.name} does not compile against torch {torch.__version__}; one device on torch 2.11 or "
            f"later needs none of it\n{done.stdout[-2000:]}"
        )
