"""Whether CUDA's and MUSA's variables for devices follow each other here."""

from __future__ import annotations

from torchada import _platform


def _should_sync_visible_devices_env() -> bool:
    return _platform.without_torch() is _platform.Platform.MUSA
