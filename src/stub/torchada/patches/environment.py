"""Environment variables that are read while libraries start."""

from __future__ import annotations

from .. import _environment
from .._journal import Journal
from .._registry import patch


@patch("environment")
def environment(journal: Journal) -> None:
    """Give MUSA's environment variables the values of CUDA's: `MUSA_VISIBLE_DEVICES` from
    `CUDA_VISIBLE_DEVICES`, `MCCL_*` from `NCCL_*`. A variable of MUSA's that is set stays, and
    `CUDA_VISIBLE_DEVICES` follows it."""
    _environment.apply(journal)
