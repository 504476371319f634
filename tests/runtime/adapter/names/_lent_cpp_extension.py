"""What the adapter's tests ask `torchada.utils.cpp_extension` for."""

from __future__ import annotations

from typing import Any

from torchada.utils import _flags


def _translate_link_args(kwargs: dict[str, Any]) -> dict[str, Any]:
    return {**kwargs, "libraries": _flags.libraries(kwargs.get("libraries"))}
