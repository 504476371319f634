"""`torch.compile` with Inductor, which has no code for this device: the graph runs as it was traced."""

from __future__ import annotations

import functools
import sys
import warnings
from typing import Any

import torch

from torchada._journal import Journal
from torchada._registry import patch


@functools.lru_cache(maxsize=1)
def _say() -> None:
    warnings.warn(
        "torch.compile: torchada's try-out generates no code for its device; what is compiled runs operator by operator "
        "(backend aot_eager).",
        stacklevel=3,
    )


@patch("tryout-inductor", module="torch._inductor.compile_fx")
def inductor(journal: Journal) -> None:
    """Have Inductor's graphs on the device run operator by operator, in the try-out, with a warning."""
    module: Any = sys.modules["torch._inductor.compile_fx"]
    original = module.compile_fx

    @functools.wraps(original)
    def compile_fx(graph: Any, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        if not any(isinstance(each, torch.Tensor) and each.device.type == "musa" for each in inputs):
            return original(graph, inputs, *args, **kwargs)
        from torch._dynamo.backends.debugging import aot_eager

        _say()
        return aot_eager(graph, inputs)

    journal.set(module, "compile_fx", compile_fx)
