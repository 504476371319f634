"""The adapter's comparison of versions: for the tests that ask which torch_musa runs."""

from __future__ import annotations

from typing import Any

from torch._vendor.packaging.version import InvalidVersion, Version


def version_of(source: Any) -> Version:
    """The public version of a module, or of a text."""
    text = source if isinstance(source, str) else getattr(source, "__version__", None)
    try:
        return _Comparable(str(text or "0").partition("+")[0])
    except InvalidVersion:
        return _Comparable("0")


class _Comparable(Version):
    """A version that is compared with text."""

    def __lt__(self, other: Any) -> bool:
        return super().__lt__(Version(str(other)))

    def __ge__(self, other: Any) -> bool:
        return super().__ge__(Version(str(other)))
