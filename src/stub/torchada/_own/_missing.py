"""What to raise for an attribute that MUSA's side of a thing does not have."""

from __future__ import annotations


class MissingOnMusaError(NotImplementedError, AttributeError):
    """An attribute that CUDA's object has and MUSA's has not.

    It is an AttributeError, too, so that `hasattr` and `getattr` with a default find out.
    """
