"""Deciding whether there is anything to patch, and finding what was done in the wrong order."""

from __future__ import annotations

import os
import sys
import warnings

from . import _platform, _registry


def apply_patches() -> None:
    """Apply every patch, once; where there is no MUSA, change nothing.

    Importing torchada calls this. Raises `PatchError`, with everything put back, if a patch fails.
    """
    if _registry.is_done():
        return
    if not _is_musa():
        _registry.mark_done()
        return
    _warn_of_order()
    _registry.apply_all(ready=_import_torch_musa)


def _is_musa() -> bool:
    """As `detect_platform`, but without asking torch, which would be imported for it."""
    forced = os.environ.get("TORCHADA_PLATFORM", "").strip().lower()
    return forced == "musa" or (forced not in ("cuda", "cpu") and _platform.has_torch_musa())


def _import_torch_musa() -> bool:
    """Whether torch_musa is there; without it nothing can be redirected."""
    try:
        import torch_musa  # noqa: F401
    except (ImportError, OSError) as error:
        warnings.warn(
            f"torchada patches nothing, because torch_musa can't be imported: {type(error).__name__}: {error}",
            RuntimeWarning,
            stacklevel=4,
        )
        return False
    return True


def _warn_of_order() -> None:
    """Say what comes too late to be redirected, and what to do."""
    cuda, musa = (os.environ.get(name) for name in ("CUDA_VISIBLE_DEVICES", "MUSA_VISIBLE_DEVICES"))
    torch = sys.modules.get("torch")
    device = getattr(torch, "musa", None)
    if cuda is not None and musa is None and device is not None and device.is_initialized():
        warnings.warn(
            f"CUDA_VISIBLE_DEVICES={cuda} has no effect: the MUSA devices were used before torchada was imported. "
            "Import torchada before torch, or set MUSA_VISIBLE_DEVICES.",
            RuntimeWarning,
            stacklevel=4,
        )
