"""What to raise for an attribute that MUSA's side of a thing does not have."""

from __future__ import annotations

from .. import _report


class MissingOnMusaError(NotImplementedError, AttributeError):
    """An attribute that CUDA's object has and MUSA's has not.

    It is an AttributeError, too, so that `hasattr` and `getattr` with a default find out.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        _report.counter("torch-cuda", message.partition(", and")[0].partition(": ")[0], _report.MISSING)()
