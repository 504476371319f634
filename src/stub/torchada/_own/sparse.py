"""`torch.cuda.sparse`."""

from __future__ import annotations

from ._types import sparse as __getattr__  # noqa: F401  the module's types are looked up by name
