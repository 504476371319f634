"""`torch.cuda.comm`: PyTorch's own functions, which end in those of `_copies`."""

from __future__ import annotations

from torch.nn.parallel.comm import broadcast, broadcast_coalesced, gather, reduce_add, reduce_add_coalesced, scatter

__all__ = ["broadcast", "broadcast_coalesced", "gather", "reduce_add", "reduce_add_coalesced", "scatter"]
