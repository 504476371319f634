"""`torch.cuda.nvtx`."""

from __future__ import annotations

from .._ranges import range_pop, range_push, range_start

__all__ = ["range_pop", "range_push", "range_start"]
