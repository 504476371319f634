"""What the tests of the runtime stub share: it is imported as a user does, and the state is known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
import torchada  # noqa: F401


@pytest.fixture(autouse=True)
def known_state() -> Iterator[None]:
    """Seeds, the current device and the default device are the same for each test."""
    torch.manual_seed(0)
    torch.cuda.set_device(0)
    yield
    torch.set_default_device(None)
    torch.cuda.set_device(0)
