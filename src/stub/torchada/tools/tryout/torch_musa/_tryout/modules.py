"""Modules that move: on a GPU that torch was built for, a parameter stays the same object, and what was tied stays tied."""

from __future__ import annotations

import functools
from typing import Any

import torch


def register() -> None:
    """Have `Module.to` and its kin swap what a parameter is, as they can't set it across devices here."""
    original = torch.nn.Module._apply
    future = torch.__future__

    @functools.wraps(original)
    def _apply(self: Any, fn: Any, *args: Any, **kwargs: Any) -> Any:
        before = future.get_swap_module_params_on_conversion()
        if before:
            return original(self, fn, *args, **kwargs)
        future.set_swap_module_params_on_conversion(True)
        try:
            return original(self, fn, *args, **kwargs)
        except RuntimeError as error:
            if "swap" not in str(error):
                raise
        finally:
            future.set_swap_module_params_on_conversion(before)
        # a graph or a weak reference holds a parameter: it is replaced, as by any other added device
        return original(self, fn, *args, **kwargs)

    torch.nn.Module._apply = _apply  # type: ignore[method-assign]
