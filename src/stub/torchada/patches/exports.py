"""Functions of torch's C module by CUDA's names, which a build without CUDA does not have."""

from __future__ import annotations

import torch
import torch_musa

from .._journal import Journal
from .._registry import patch

#: Names that take more than the other prefix.
_OTHERS = {
    "_MUSAGraph": "_CUDAGraph",
    "_MUSAPluggableAllocator": "_CUDAPluggableAllocator",
    "_MusaDeviceProperties": "_CudaDeviceProperties",
    "_construct_MUSA_Tensor_From_Storage_And_Metadata": "_construct_CUDA_Tensor_From_Storage_And_Metadata",
    "_mccl_version": "_nccl_version",
    "_mccl_version_suffix": "_nccl_version_suffix",
    "_musa_MUSAAllocator": "_cuda_CUDAAllocator",
    "_musa_MUSAAllocator_AllocatorState": "_cuda_CUDAAllocator_AllocatorState",
    "_musa_clearMublasWorkspaces": "_cuda_clearCublasWorkspaces",
    "_musa_musaCachingAllocator_raw_delete": "_cuda_cudaCachingAllocator_raw_delete",
    "_musa_musaCachingAllocator_set_allocator_settings": "_cuda_cudaCachingAllocator_set_allocator_settings",
}

#: The same on both, but only in the module that was built for the device.
_SAME = (
    "_MemPool",
    "_MemPoolContext",
    "_free_And_Remove_DeleterFn",
    "_has_Standard_Deleter",
    "_set_cached_tensors_enabled",
    "_set_storage_access_error_msg",
    "_storage_Use_Count",
    "_tensors_data_ptrs_at_indices_equal",
)

#: What `torch.cuda.is_available` looks for to find out whether torch was built with CUDA.
_PROBED = "_cuda_getDeviceCount"


@patch("c-exports")
def exports(journal: Journal) -> None:
    """Have `torch._C._cuda_getCurrentRawStream` and the other functions of torch's C module that compilers
    and libraries import by name be those of torch_musa, where this torch has none."""
    native = vars(torch_musa._MUSAC)
    for name, value in list(native.items()):
        if name in _OTHERS:
            ours = _OTHERS[name]
        elif name.startswith("_musa_"):
            ours = "_cuda_" + name[len("_musa_") :]
        elif name in _SAME:
            ours = name
        else:
            continue
        if callable(value) and ours != _PROBED and not hasattr(torch._C, ours):
            journal.set(torch._C, ours, value)
