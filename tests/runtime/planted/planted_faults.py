"""Faults in the kernels of the device, for what looks for such: `import torch` plants them where this is on the path.

Each name of `FAULTS` is an operator that has to be reported, with its findings; those of `HARMLESS` are off in a way
that must not be reported.
"""

from __future__ import annotations

import os
import signal
import time
from typing import Any, Callable

import torch

Kernel = Callable[..., Any]

_library = torch.library.Library("aten", "IMPL")

_WRONG, _BACK = ("wrong", "forward"), ("wrong", "backward")

#: The findings that each operator has to get: verdicts with the phases that show them. The gradient of some is computed with
#: the faulty kernel of another.
FAULTS: dict[str, set[tuple[str, str]]] = {
    "sin": {_WRONG, _BACK},
    "cos": {_WRONG, _BACK},
    "rsqrt": {_WRONG, _BACK},
    "gcd": {_WRONG},
    "trunc": {_WRONG},
    "erf": {_WRONG},
    "ceil": {("wrong", "in place")},
    "tanh": {_BACK},
    "sigmoid": {("raises", "backward")},
    "exp2": {("refused", "forward")},
    "digamma": {("missing", "forward")},
    "erfinv": {("hang", "forward")},
    "lgamma": {("crash", "forward"), ("missing", "backward")},
    "i0": {("crash", "forward")},
    "cosh": {("raises", "forward")},
    "bernoulli": {_WRONG},
    "t": {_WRONG},
}

#: What is right, and slow.
SLOW = ("atan",)

HARMLESS = ("uniform", "nn.functional.dropout", "atanh", "nn.functional.relu", "add", "sum")


def _on_cpu(name: str) -> Kernel:
    """The CPU's result, on the device."""
    operator = getattr(torch.ops.aten, name)

    def compute(*arguments: Any, **named: Any) -> Any:
        here = [each.cpu() if isinstance(each, torch.Tensor) else each for each in arguments]
        return operator(*here, **named).to(arguments[0].device)

    return compute


def _raise(error: Exception) -> Any:
    raise error


def _only(dtype: torch.dtype, name: str, change: Callable[[torch.Tensor], Any]) -> Kernel:
    """The CPU's result, changed for arguments of one dtype."""
    compute = _on_cpu(name)

    def kernel(*arguments: Any, **named: Any) -> Any:
        result = compute(*arguments, **named)
        return change(result) if arguments[0].dtype is dtype else result

    return kernel


def _ceil_in_place(target: torch.Tensor) -> torch.Tensor:
    return target


def _last_is_nan(result: torch.Tensor) -> torch.Tensor:
    here = result.cpu().clone()
    here.flatten()[-1:] = float("nan")
    return here.to(result.device)


def _uniform(target: torch.Tensor, low: float = 0.0, high: float = 1.0, *, generator: Any = None) -> torch.Tensor:
    """Other numbers than the CPU's, equally distributed."""
    numbers = torch.rand(target.shape, dtype=torch.float64) * (high - low) + low
    return target.copy_((high + low - numbers).to(target.dtype))


def _digamma(*_: Any) -> Any:
    message = "Could not run 'aten::digamma' with arguments from the 'PrivateUse1' backend. This could be because …"
    return _raise(NotImplementedError(message))


def _twice(grad: torch.Tensor, output: torch.Tensor) -> torch.Tensor:
    return (grad.cpu() * (1 - output.cpu() ** 2) * 2).to(grad.device)


def _slowly(target: torch.Tensor) -> torch.Tensor:
    time.sleep(0.02)
    return target.cpu().atan().to(target.device)


def plant() -> None:
    """Put the faults in the kernels' place."""
    import torch_musa  # noqa: F401  its kernels come first

    half, single = torch.float16, torch.float32
    kernels: dict[str, Kernel] = {
        "sin": _only(single, "sin", lambda result: result * 1.01),
        "cos": _only(half, "cos", lambda result: result + 0.25),
        "rsqrt": _only(single, "rsqrt", _last_is_nan),
        "gcd": lambda one, other: (torch.gcd(one.cpu(), other.cpu()) + 1).to(one.device),
        "trunc": _only(half, "trunc", lambda result: result.float()),
        "erf": _only(single, "erf", lambda result: result.unsqueeze(0)),
        "ceil_": _ceil_in_place,
        "tanh_backward": _twice,
        "sigmoid_backward": lambda *_: _raise(RuntimeError("MUDNN failed in: sigmoid_backward 77")),
        "cosh": _only(single, "cosh", lambda _: _raise(RuntimeError("MUSA error: out of resources"))),
        "exp2": _only(half, "exp2", lambda _: _raise(RuntimeError("\"exp2_musa\" not implemented for 'Half'"))),
        "digamma": _digamma,
        "erfinv": _only(single, "erfinv", lambda _: time.sleep(3600)),
        "lgamma": _only(single, "lgamma", lambda _: os.kill(os.getpid(), signal.SIGSEGV)),
        "i0": _only(
            single, "i0", lambda _: _raise(RuntimeError("MUSA error: an illegal memory access was encountered"))
        ),
        # what should be a view
        "t": _on_cpu("t"),
        "bernoulli": lambda target, *, generator=None: torch.ones_like(target),
        "atan": _slowly,
        "uniform_": _uniform,
        # the next number that the dtype has
        "atanh": _only(half, "atanh", lambda result: result * (1 + 2**-11)),
    }
    for name, kernel in kernels.items():
        _library.impl(name, kernel, "PrivateUse1")
