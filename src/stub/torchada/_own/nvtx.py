"""`torch.cuda.nvtx`."""

from __future__ import annotations

from .._ranges import mark, range_end, range_pop, range_push, range_start

__all__ = ["mark", "range_end", "range_pop", "range_push", "range_start"]
