"""What `torch.cuda` holds beside its functions, and what its Python functions end in."""

from __future__ import annotations

import sys
from collections.abc import Sequence
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


# torch_musa sets both when the device is first used, and then torch.cuda should have them. A function
# `__getattr__` of the module would do, and make every other look-up in torch.cuda slower.
class Generators(Sequence[torch.Generator]):
    """The generator of each device, as torch.musa has them when one is asked for."""

    def __len__(self) -> int:
        return len(torch.musa.default_generators)

    def __getitem__(self, index: Any) -> Any:
        return torch.musa.default_generators[index]

    def __repr__(self) -> str:
        return repr(torch.musa.default_generators)


class Initialized:
    """True once a device was used."""

    def __bool__(self) -> bool:
        return torch.musa.is_initialized()

    def __eq__(self, other: object) -> bool:
        return bool(self) == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(bool(self))


@patch("torch-cuda-state")
def torch_cuda_state(journal: Journal) -> None:
    """Have `torch.cuda.default_generators` and `torch.cuda._initialized` tell what holds for MUSA at the moment at
    which they are used, and `torch.cuda.cudart()` give MUSA's runtime functions by CUDA's names."""
    journal.set(torch.cuda, "default_generators", Generators())
    journal.set(torch.cuda, "_initialized", Initialized())
    journal.set(torch.cuda, "_cudart", CUDART)
    utils = sys.modules.get("torch.cuda._utils")
    if utils is not None and hasattr(utils, "_get_device_index"):
        journal.set(utils, "_get_device_index", _get_device_index)


@patch("data-parallel")
def data_parallel(journal: Journal) -> None:
    """Have `torch.cuda.comm`, `torch.cuda.nccl` and `nn.DataParallel` copy between MUSA devices: PyTorch's own
    Python functions stay, and what they end in is torch_musa's or made of copies."""
    for name, function in _copies.FUNCTIONS.items():
        native = getattr(torch_musa._MUSAC, name, None)
        journal.set(torch._C, name, native or _report.traced("data-parallel", f"torch._C.{name}", function))
