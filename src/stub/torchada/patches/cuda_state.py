"""What `torch.cuda` holds beside its functions, and what its Python functions end in."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import torch
import torch.cuda
import torch_musa

from .. import _report
from .._journal import Journal
from .._own import _copies
from .._own._names import _get_device_index
from .._own._runtime import CUDART
from .._registry import patch


@patch("torch-cuda-state")
def torch_cuda_state(journal: Journal) -> None:
    """Have `torch.cuda.default_generators` and `torch.cuda._initialized` be those of MUSA at the moment at
    which they are asked for, and `torch.cuda.cudart()` give MUSA's runtime functions by CUDA's names."""
    live: dict[str, Callable[[], Any]] = {
        "default_generators": lambda: getattr(torch.musa, "default_generators", ()),
        "_initialized": torch.musa.is_initialized,
    }
    otherwise = vars(torch.cuda).get("__getattr__")

    def get(name: str) -> Any:
        if name in live:
            return live[name]()
        if otherwise is not None:
            return otherwise(name)
        raise AttributeError(f"module 'torch.cuda' has no attribute {name!r}")

    journal.set(torch.cuda, "__getattr__", get)
    for name in live:
        _remove(torch.cuda, name, journal)
    journal.set(torch.cuda, "_cudart", CUDART)
    utils = sys.modules.get("torch.cuda._utils")
    if utils is not None and hasattr(utils, "_get_device_index"):
        journal.set(utils, "_get_device_index", _get_device_index)


def _remove(module: Any, name: str, journal: Journal) -> None:
    """Take a module's attribute away, so that its `__getattr__` is asked."""
    if name in vars(module):
        before = vars(module)[name]
        delattr(module, name)
        journal.undo_with(lambda: setattr(module, name, before))


@patch("data-parallel")
def data_parallel(journal: Journal) -> None:
    """Have `torch.cuda.comm`, `torch.cuda.nccl` and `nn.DataParallel` copy between MUSA devices: PyTorch's own
    Python functions stay, and what they end in is torch_musa's or made of copies."""
    for name, function in _copies.FUNCTIONS.items():
        native = getattr(torch_musa._MUSAC, name, None)
        journal.set(torch._C, name, native or _report.traced("data-parallel", f"torch._C.{name}", function))
