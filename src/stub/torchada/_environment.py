"""Environment variables of CUDA's and NCCL's, as MUSA and MCCL read them."""

from __future__ import annotations

import json
import os

from ._journal import Journal
from ._tables import ENVIRONMENT, ENVIRONMENT_BY_RULE

#: Two names for one thing, of which each follows the other.
_VISIBLE = ("CUDA_VISIBLE_DEVICES", "MUSA_VISIBLE_DEVICES")

#: Tells child processes which variables somebody set, and which were only derived from another: JSON, from a
#: derived variable to its value. A launcher that gives each child a CUDA_VISIBLE_DEVICES of its own must not be
#: overruled by the MUSA_VISIBLE_DEVICES that was derived from the launcher's own.
_DERIVED = "TORCHADA_DERIVED_ENVIRONMENT"


def apply(journal: Journal) -> None:
    """Set what nobody has set. Nothing is taken away, since programs read CUDA's names, too."""
    before = _read()
    chosen = {name for name, value in os.environ.items() if before.get(name) != value}
    derived: dict[str, str] = {}

    def derive(name: str, value: str) -> None:
        derived[name] = value
        if os.environ.get(name) != value:
            journal.item(os.environ, name, value)

    for table in (ENVIRONMENT, ENVIRONMENT_BY_RULE):
        for ours, theirs in table.items():
            if ours in os.environ and theirs not in chosen:
                derive(theirs, os.environ[ours])
    cuda, musa = _VISIBLE
    if musa in chosen:
        if cuda in before and cuda in chosen:
            # It followed MUSA's in the parent, and was set for this process.
            derive(musa, os.environ[cuda])
        else:
            derive(cuda, os.environ[musa])
    if derived or before:
        journal.item(os.environ, _DERIVED, json.dumps(derived, sort_keys=True))


def is_on(name: str) -> bool:
    """Whether a switch of this package's is set to something that means yes."""
    return os.environ.get(name, "").strip().lower() in ("1", "true", "yes", "on")


def _read() -> dict[str, str]:
    """What the parent process derived, if it had the stub."""
    try:
        read = json.loads(os.environ.get(_DERIVED, "{}"))
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}
