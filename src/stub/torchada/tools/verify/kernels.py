"""Which kernels of ATen the samples of each operator run, for those who ask by a kernel's name."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from . import catalog, samples


class _Listen(TorchDispatchMode):
    """Keeps the names of what is dispatched."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.names.add(function.name().split(".")[0])
        return function(*args, **(kwargs or {}))


def used(operators: dict[str, Any]) -> dict[str, list[str]]:
    """The kernels that the first samples of each operator run on the CPU, forward and backward, by its name."""
    found = {}
    for name, operator in operators.items():
        listen = _Listen()
        for dtype in catalog.dtypes(operator)[:1]:
            gradient = operator.supports_autograd and dtype.is_floating_point
            try:
                for sample in samples.make(operator, dtype, gradient, 3, 0):
                    with listen:
                        made = samples.leaves(operator.op(sample.input, *sample.args, **sample.kwargs))
                        made = [each for each in made if isinstance(each, torch.Tensor) and each.requires_grad]
                        wanted = samples.inputs(sample)
                        if made and wanted:
                            flow = [torch.ones_like(each) for each in made]
                            torch.autograd.grad(made, wanted, flow, allow_unused=True)
            except Exception:
                # An operator that the CPU can't run tells nothing of its kernels.
                continue
        found[name] = sorted(listen.names)
    return found
