"""What helps to build: `torchada.utils.cpp_extension`."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    # torch's builder takes long to import; who asks for it waits.
    if name == "cpp_extension":
        import importlib

        return importlib.import_module(".cpp_extension", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
