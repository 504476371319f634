"""Deciding whether there is anything to patch, and finding what was done in the wrong order."""

from __future__ import annotations

import os
import sys
import warnings

from . import _distribution, _platform, _registry, _report


def apply_patches() -> None:
    """Apply every patch, once; where there is no MUSA, change nothing.

    Importing torchada calls this. Raises `PatchError`, with everything put back, if a patch fails.
    """
    if _registry.is_done():
        return
    _warn_of_namesake()
    if _report.FOLDER:
        _write_down()
    if _platform.without_torch() is not _platform.Platform.MUSA:
        _registry.mark_done()
        return
    _warn_of_order()
    _registry.apply_all(ready=_import_torch_musa)
    _warn_of_stale()


def _write_down() -> None:
    """Have this process leave what it counts where the run asks for it; a port's own package can do so in a run only."""
    try:
        from .tools.run import record
    except ImportError:
        return
    record.begin(_report.FOLDER)


def _import_torch_musa() -> bool:
    """Whether torch_musa is there; without it nothing can be redirected."""
    try:
        import torch_musa  # noqa: F401
    except (ImportError, OSError) as error:
        _warn(
            f"torchada patches nothing, because torch_musa can't be imported: {type(error).__name__}: {error}",
        )
        return False
    _undo_other_copy()
    return True


#: The attribute of torch by which a copy of this package finds one that was there before it.
_MARK = "_torchada"


def _undo_other_copy() -> None:
    """Take back what another copy has patched, whose modules were thrown out of `sys.modules`: its patches
    would be taken for torch's own functions."""
    import torch

    other = getattr(torch, _MARK, None)
    if other is not None and other is not _registry:
        other.undo_all()
    _registry.mark(torch, _MARK)


def _warn(message: str) -> None:
    """Warn at the place outside this package that imported it."""
    level, frame = 1, sys._getframe(0)
    while frame is not None and (
        "importlib" in frame.f_code.co_filename or frame.f_globals.get("__package__") == __package__
    ):
        # The interpreter leaves the frames of an import out when it counts.
        level += "importlib" not in frame.f_code.co_filename
        frame = frame.f_back  # type: ignore[assignment]
    warnings.warn(message, RuntimeWarning, stacklevel=level)


def _warn_of_namesake() -> None:
    """Say that there are two packages of this name."""
    fault = _distribution.mixed() or _distribution.beside()
    if fault is not None:
        _warn(f"torchada: {fault}")


def _warn_of_order() -> None:
    """Say what comes too late to be redirected, and what to do."""
    cuda, musa = (os.environ.get(name) for name in ("CUDA_VISIBLE_DEVICES", "MUSA_VISIBLE_DEVICES"))
    torch = sys.modules.get("torch")
    device = getattr(torch, "musa", None)
    if cuda is not None and musa is None and device is not None and device.is_initialized():
        _warn(
            f"CUDA_VISIBLE_DEVICES={cuda} has no effect: the MUSA devices were used before torchada was imported. "
            "Import torchada before torch, or set MUSA_VISIBLE_DEVICES.",
        )


def _warn_of_stale() -> None:
    """Name what other modules took from torch before it was patched."""
    from ._summary import stale

    found = stale()
    if found:
        shown = ", ".join(f"{place} ({name})" for place, name in found[:5])
        more = f" and {len(found) - 5} more" if len(found) > 5 else ""
        _warn(
            f"These names were imported from torch before torchada was, and are not redirected: {shown}{more}. "
            "Import torchada before the modules that hold them.",
        )
