"""How operators are checked, and what ends a check early."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """What the command line says."""

    device: str
    #: How many samples of each operator and dtype; 0: all.
    samples: int = 20
    seed: int = 0
    backward: bool = True
    inplace: bool = True
    timing: bool = True
    #: Milliseconds that an operator may take longer than on the CPU.
    slower_ms: float = 0.5


class NoReference(Exception):
    """The CPU can't do it either."""


class DeviceLost(Exception):
    """No later result of this process counts."""
