"""What the tests of the double share: a known state to begin with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
import torch_musa  # noqa: F401  where autoload is off, this is what makes the device known


@pytest.fixture(autouse=True)
def known_state() -> Iterator[None]:
    """Seeds, the current device and the default device are the same for each test."""
    torch.manual_seed(0)
    torch.musa.set_device(0)
    yield
    torch.set_default_device(None)
    torch.musa.set_device(0)


@pytest.fixture
def musa() -> torch.device:
    """The first device."""
    return torch.device("musa", 0)
