"""What an exception says about the device, and what PyTorch's own tests say about an operator."""

from __future__ import annotations

import re
from typing import Any

import torch

from . import known


def first_line(error: BaseException) -> str:
    """The kind of error and its first line."""
    text = str(error).strip().split("\n")[0]
    return f"{type(error).__name__}: {text[:160]}" if text else type(error).__name__


def several_lines(error: BaseException) -> str:
    """The kind of error and as much of its text as helps."""
    return f"{type(error).__name__}: {str(error).strip()[:600]}"


def classify(error: BaseException) -> tuple[str, str]:
    """The verdict, and what errors of the same origin have in common."""
    text = str(error)
    if known.LOST.search(text):
        return "crash", first_line(error)
    for pattern in known.NO_KERNEL:
        found = pattern.search(text)
        if found:
            return "missing", f"{found.group(1)} has no kernel for the device"
    for pattern in known.NO_DTYPE:
        found = pattern.search(text)
        if found:
            return "refused", found.group(0)
    return "raises", re.sub(r"\d+", "N", first_line(error))


def left_out(operator: Any, dtype: torch.dtype) -> str:
    """Why PyTorch's own comparison of CUDA with the CPU leaves this out; empty where it does not."""

    def test() -> None:
        pass

    try:
        for decorator in operator.get_decorators(*known.THEIR_TEST, "cuda", dtype, {}):
            if getattr(decorator, "d", None) is None:
                decorator(test)
    except Exception:
        return ""
    if getattr(test, "__unittest_skip__", False):
        why = getattr(test, "__unittest_skip_why__", "").strip().rstrip("!.")
        plain = why.lower() in ("", "skipped")
        return "PyTorch does not compare it either" + ("" if plain else f": {why}")
    if getattr(test, "__unittest_expecting_failure__", False):
        return "PyTorch expects CUDA to differ from the CPU"
    return ""
