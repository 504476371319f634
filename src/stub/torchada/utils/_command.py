"""setuptools' command that builds extensions, with their sources ported."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from setuptools.command.build_ext import build_ext as setuptools_build_ext

from .. import _platform
from .._wanted import is_wanted
from . import _build


class build_ext(setuptools_build_ext):
    """setuptools' `build_ext`, which ports the sources of extensions where `torchada.build.is_wanted()` says so."""

    def build_extensions(self) -> None:
        """Port, then build as ever."""
        if not is_wanted():
            super().build_extensions()
            return
        with _build.ported_plainly(self, ()):
            super().build_extensions()


def porting(base: type[Any], options: Sequence[str]) -> type[Any]:
    """A subclass of a `build_ext` that ports first; the class itself where a patch has it port already."""
    if _is_patched(base):
        return base

    def build_extensions(self: Any) -> None:
        with _build.ported_plainly(self, options):
            base.build_extensions(self)

    body = {"__module__": base.__module__, "__doc__": base.__doc__, "build_extensions": build_extensions}
    return type(base.__name__, (base,), body)


def _is_patched(base: type[Any]) -> bool:
    """On MUSA, torch's `BuildExtension` and what derives from it ports, whoever asks for it."""
    if _platform.without_torch() is not _platform.Platform.MUSA or not _platform.has_torch_musa():
        return False
    torch = sys.modules.get("torch.utils.cpp_extension")
    return torch is not None and issubclass(base, torch.BuildExtension)
