"""`torch.cuda.memory`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def caching_allocator_disabled() -> Iterator[None]:
    """Nothing for the length of a block: torch_musa's allocator keeps what was freed: results stay, figures of memory don't."""
    yield
