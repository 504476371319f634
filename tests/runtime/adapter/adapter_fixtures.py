"""A plugin of pytest's: what the adapter's `conftest.py` has, which its source distribution lacks."""

from __future__ import annotations

import pytest


@pytest.fixture
def has_gpu() -> bool:
    """Whether a test that computes on the device can."""
    import torch

    return torch.musa.is_available()


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marks."""
    for mark in ("musa", "gpu", "cuda", "slow"):
        config.addinivalue_line("markers", mark)
