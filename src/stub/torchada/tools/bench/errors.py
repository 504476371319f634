"""What keeps a measurement from being made."""

from __future__ import annotations


class BenchError(Exception):
    """Nothing can be measured; the text says why and what to do."""
