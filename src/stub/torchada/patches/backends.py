"""`torch.backends.cuda` and `torch.backends.cudnn`."""

from __future__ import annotations

import functools
from typing import Any

import torch
import torch.backends.cuda
import torch.backends.cudnn
from torch.backends import ContextProp

from .. import _report
from .._journal import Journal
from .._registry import patch


@patch("backends-cuda")
def backends_cuda(journal: Journal) -> None:
    """Have `torch.backends.cuda.is_built()` be true, since what is called CUDA works. The switches for
    scaled dot products and libraries are PyTorch's own and stay."""

    @functools.wraps(torch.backends.cuda.is_built)
    def is_built() -> bool:
        return True

    journal.set(torch.backends.cuda, "is_built", is_built)


@patch("backends-tf32")
def tf32(journal: Journal) -> None:
    """Have `torch.backends.cuda.matmul.allow_tf32` and `torch.backends.cudnn.allow_tf32` set muDNN's switch.
    MUSA has one for both: the last that was set holds, and each tells what it was set to itself."""
    matmul = type(torch.backends.cuda.matmul)
    set_matmul = matmul.__setattr__
    count = _report.counter("backends-tf32", "allow_tf32")

    @functools.wraps(set_matmul)
    def __setattr__(self: Any, name: str, value: Any) -> None:
        set_matmul(self, name, value)
        if name == "allow_tf32":
            count()
            _set(bool(value))
        elif name == "fp32_precision":
            count()
            _set(value == "tf32")

    journal.set(matmul, "__setattr__", __setattr__)
    cudnn = type(torch.backends.cudnn)
    before = vars(cudnn).get("allow_tf32")
    if isinstance(before, ContextProp):

        def set_cudnn(value: bool) -> None:
            before.setter(value)
            count()
            _set(bool(value))

        journal.set(cudnn, "allow_tf32", ContextProp(before.getter, set_cudnn))


def _set(value: bool) -> None:
    torch.backends.mudnn.allow_tf32 = value


@patch("backends-cudnn")
def cudnn(journal: Journal) -> None:
    """Have `torch.backends.cudnn.version()` and `is_available()` tell of muDNN. Its other switches,
    `benchmark`, `deterministic` and `enabled`, keep what they are set to, and muDNN doesn't read them."""
    module = torch.backends.cudnn.m

    @functools.wraps(module.version)
    def version() -> int | None:
        return torch.backends.mudnn.version()

    @functools.wraps(module.is_available)
    def is_available() -> bool:
        return torch.musa.is_available()

    journal.set(module, "version", version)
    journal.set(module, "is_available", is_available)
