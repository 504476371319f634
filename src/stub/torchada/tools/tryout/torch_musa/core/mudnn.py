"""`torch.backends.mudnn`: one switch and a version."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager

import torch
import torch_musa
from torch.backends import ContextProp, PropModule

__all__ = ["ContextProp", "MudnnModule", "PropModule", "contextmanager", "flags", "set_flags", "torch_musa", "version"]

_allow_tf32 = False


def version() -> int:
    """The version of muDNN."""
    return 3000


def set_flags(_allow_tf32: bool) -> tuple[bool]:
    """Set the switch; gives what it was."""
    before = _get_allow_tf32()
    _set_allow_tf32(_allow_tf32)
    return (before,)


@contextmanager
def flags(allow_tf32: bool = True) -> Iterator[None]:
    """The switch, for the length of a block."""
    before = set_flags(allow_tf32)
    try:
        yield
    finally:
        set_flags(*before)


def _get_allow_tf32() -> bool:
    return _allow_tf32


def _set_allow_tf32(value: bool) -> None:
    global _allow_tf32
    _allow_tf32 = value


class MudnnModule(PropModule):
    """The module as which `torch.backends.mudnn` is known: the switch is an attribute of it."""

    allow_tf32 = ContextProp(_get_allow_tf32, _set_allow_tf32)


torch.backends.mudnn = MudnnModule(types.ModuleType("torch.backends.mudnn"), "torch.backends.mudnn")
torch.backends.mudnn.m.__dict__.update(version=version, flags=flags, set_flags=set_flags)
sys.modules["torch.backends.mudnn"] = torch.backends.mudnn
