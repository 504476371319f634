"""`torch.cuda.nccl`: PyTorch's own functions, which end in those of `_copies`."""

from __future__ import annotations

from torch.cuda.nccl import all_gather, all_reduce, broadcast, is_available, reduce, reduce_scatter

__all__ = ["all_gather", "all_reduce", "broadcast", "is_available", "reduce", "reduce_scatter"]
