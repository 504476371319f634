"""Environment variables of CUDA's and NCCL's, as MUSA and MCCL read them."""

from __future__ import annotations

import os

from ._journal import Journal
from ._tables import ENVIRONMENT, ENVIRONMENT_BY_RULE

#: Two names for one thing, of which MUSA's decides where both are set.
_VISIBLE = ("CUDA_VISIBLE_DEVICES", "MUSA_VISIBLE_DEVICES")


def apply(journal: Journal) -> None:
    """Set what is not set yet. Nothing is taken away, since programs read CUDA's names, too."""
    cuda, musa = _VISIBLE
    if musa in os.environ and os.environ.get(cuda) != os.environ[musa]:
        journal.item(os.environ, cuda, os.environ[musa])
    for table in (ENVIRONMENT, ENVIRONMENT_BY_RULE):
        for ours, theirs in table.items():
            value = os.environ.get(ours)
            if value is not None and theirs not in os.environ:
                journal.item(os.environ, theirs, value)
