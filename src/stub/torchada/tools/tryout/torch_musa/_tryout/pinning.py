"""`pin_memory=True` in functions that make tensors: a patch of the package's, after those of factories."""

from __future__ import annotations

import functools
from typing import Any

import torch
from torch.jit._builtins import _find_builtin, _get_builtin_table
from torch.utils._device import _device_constructors

from torchada._journal import Journal
from torchada._registry import patch

from .storages import pin

_NAMES = (
    "arange empty empty_like empty_strided eye full full_like linspace logspace ones ones_like rand rand_like randint "
    "randint_like randn randn_like randperm tensor zeros zeros_like"
).split()
_METHODS = "new_empty new_empty_strided new_full new_ones new_tensor new_zeros".split()


@patch("tryout-pinning")
def factories(journal: Journal) -> None:
    """Have `torch.empty(…, pin_memory=True)` and its kin give ordinary memory with a mark, in the try-out."""
    builtins = _get_builtin_table()
    constructors = _device_constructors()
    for owner, names in ((torch, _NAMES), (torch.Tensor, _METHODS)):
        for name in names:
            inner = getattr(owner, name)
            wrapper = _pinning(inner)
            if _find_builtin(inner) is not None:
                # TorchScript knows functions by their identity, and so does a default device
                journal.item(builtins, id(wrapper), _find_builtin(inner))
            if inner in constructors or wrapper.__wrapped__ in constructors:
                constructors.update((inner, wrapper))
            journal.set(owner, name, wrapper)


def _pinning(inner: Any) -> Any:
    @functools.wraps(inner)
    def factory(*args: Any, pin_memory: Any = False, **kwargs: Any) -> Any:
        if not pin_memory:
            return inner(*args, **kwargs)
        made = inner(*args, **kwargs)
        if made.device.type != "cpu" or made.layout is not torch.strided:
            raise RuntimeError("Only dense CPU tensors can be pinned")
        return pin(made)

    # torch's compiler knows by it that this stands for torch's own
    factory.__wrapped__ = getattr(inner, "__wrapped__", inner)  # type: ignore[attr-defined]
    return factory
