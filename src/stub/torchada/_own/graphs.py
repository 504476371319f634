"""`torch.cuda.graphs`."""

from __future__ import annotations

import torch

from ._names import make_graphed_callables

graph = torch.musa.graph

__all__ = ["graph", "make_graphed_callables"]
