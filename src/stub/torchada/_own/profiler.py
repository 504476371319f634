"""`torch.cuda.profiler`: PyTorch's own functions, which ask `torch.cuda._cudart`."""

from __future__ import annotations

from torch.cuda import check_error, cudart

__all__ = ["check_error", "cudart"]
