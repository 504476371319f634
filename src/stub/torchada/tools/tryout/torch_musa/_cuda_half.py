"""Torch for MUSA is a build without CUDA; the wheel under the stand-in is one with it."""

from typing import Any

import torch

#: What the C half of torch_musa has for its device, and torch's for CUDA: here both are torch's.
LENT = (
    "_free_And_Remove_DeleterFn",
    "_has_Standard_Deleter",
    "_set_storage_access_error_msg",
    "_storage_Use_Count",
    "_tensors_data_ptrs_at_indices_equal",
)


def hide() -> dict[str, Any]:
    """Take away what only a build with CUDA has. Gives what torch_musa's C half has of it."""
    lent = {name: vars(torch._C).pop(name) for name in LENT if name in vars(torch._C)}
    state = vars(torch._C).get("_cuda_CUDAAllocator_AllocatorState")
    if state is not None:
        lent["_musa_MUSAAllocator_AllocatorState"] = state
    for name in [name for name in vars(torch._C) if name.startswith("_cuda_")]:
        delattr(torch._C, name)
    torch._C._has_cuda = False
    torch.version.cuda = None
    _hide_nccl()
    return lent


def _hide_nccl() -> None:
    if torch.distributed.is_available():
        c10d = torch.distributed.distributed_c10d
        for module in (c10d, torch.distributed, torch._C._distributed_c10d):
            for name in ("ProcessGroupNCCL", "ProcessGroupNCCL2", "ProcessGroupNCCLLazy"):
                vars(module).pop(name, None)
        c10d._NCCL_AVAILABLE = False
