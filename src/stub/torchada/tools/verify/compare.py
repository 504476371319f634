"""Whether a device's results are the CPU's, and how far they are apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from . import samples

#: A device may be so many times as far from the exact result as the CPU's own result in the same dtype.
AS_FAR_AS_THE_CPU = 3.0

#: Where the CPU's own result is off by more than so many times what is allowed, it is nothing to compare with.
NO_REFERENCE = 100.0


@dataclass
class Difference:
    """How two results differ."""

    #: In units of what is allowed; infinite where it can't be counted.
    units: float = 0.0
    #: What differs, for people: empty where nothing does.
    text: str = ""


@dataclass(frozen=True)
class Tolerance:
    """What an operator may be off, by dtype: torch.testing's, or more where PyTorch's own tests allow more."""

    more: dict[torch.dtype, tuple[float, float]]

    def of(self, dtype: torch.dtype) -> tuple[float, float]:
        """rtol and atol."""
        from torch.testing._comparison import default_tolerances

        rtol, atol = default_tolerances(dtype)
        other_rtol, other_atol = self.more.get(dtype, (0.0, 0.0))
        return max(rtol, other_rtol), max(atol, other_atol)


def tolerance(operator: Any, device: str) -> Tolerance:
    """What PyTorch's own tests allow this operator."""
    more: dict[torch.dtype, tuple[float, float]] = {}
    for each in operator.decorators:
        if getattr(each, "device_type", None) not in (None, "cpu", "cuda", device):
            continue
        for decorator in getattr(each, "decorators", [each]):
            limits = getattr(decorator, "d", None)
            if not isinstance(limits, dict):
                continue
            for dtype, limit in limits.items():
                rtol, atol = getattr(limit, "rtol", 0.0), getattr(limit, "atol", limit)
                if isinstance(dtype, torch.dtype) and isinstance(atol, (int, float)):
                    known = more.get(dtype, (0.0, 0.0))
                    more[dtype] = (max(known[0], rtol), max(known[1], atol))
    return Tolerance(more)


def structure(
    found: list[Any], expected: list[Any], device: str, same_dtype: bool = True, wider: tuple[int, ...] = ()
) -> str:
    """What differs before any value is looked at; empty where nothing does.

    The results have to be on `device`, where one is given. Those with the numbers `wider` may be in float32 where the CPU's are in half precision.
    """
    if len(found) != len(expected):
        return f"{len(found)} results, the CPU has {len(expected)}"
    for number, (ours, theirs) in enumerate(zip(found, expected)):
        which = f"result {number}: " if len(found) > 1 else ""
        if isinstance(ours, torch.Tensor) != isinstance(theirs, torch.Tensor):
            return f"{which}{type(ours).__name__}, the CPU has {type(theirs).__name__}"
        if not isinstance(ours, torch.Tensor):
            continue
        if ours.shape != theirs.shape:
            return f"{which}shape {list(ours.shape)}, the CPU has {list(theirs.shape)}"
        may_be_wider = (
            number in wider and ours.dtype is torch.float32 and theirs.dtype in (torch.float16, torch.bfloat16)
        )
        if same_dtype and ours.dtype != theirs.dtype and not may_be_wider:
            return f"{which}dtype {_name(ours.dtype)}, the CPU has {_name(theirs.dtype)}"
        if ours.layout != theirs.layout:
            return f"{which}layout {_name(ours.layout)}, the CPU has {_name(theirs.layout)}"
        if device and theirs.dim() and ours.device.type not in (device.split(":")[0], "meta"):
            return f"{which}device {ours.device}, the CPU has the arguments' own"
    return ""


def views(results_: list[Any], sample: Any) -> list[bool]:
    """For each result, whether it is a view of an argument: what is written to it is written to the argument."""
    return [mine and each._is_view() for mine, each in zip(shared(results_, sample), results_)]


def shared(results_: list[Any], sample: Any) -> list[bool]:
    """For each result, whether it lies in the memory of an argument."""
    memory = {_memory(each) for each in samples.leaves((sample.input, sample.args, sample.kwargs))} - {0}
    return [_memory(each) in memory for each in results_]


def _memory(value: Any) -> int:
    if not isinstance(value, torch.Tensor) or value.layout is not torch.strided or not value.numel():
        return 0
    try:
        return value.untyped_storage().data_ptr()
    except RuntimeError:
        return 0  # a tensor of zeros that autograd has made without any memory


def _name(value: object) -> str:
    return str(value).split(".")[-1]


def values(found: list[Any], expected: list[Any], allowed: Tolerance, exact: list[Any] | None = None) -> Difference:
    """The greatest difference of values that are on the CPU.

    With the exact results, the device may also be as far from them as the CPU is.
    """
    worst = Difference()
    for number, (ours, theirs) in enumerate(zip(found, expected)):
        which = f"result {number}: " if len(found) > 1 else ""
        if isinstance(ours, torch.Tensor):
            reference = exact[number] if exact is not None else None
            units, text = _tensor(ours, theirs, allowed, reference)
        elif isinstance(ours, (bool, int, float, complex)) and isinstance(theirs, (bool, int, float, complex)):
            units, text = _tensor(torch.tensor(ours), torch.tensor(theirs), allowed, None)
        elif type(ours) is type(theirs) and isinstance(ours, (str, torch.dtype, torch.Size, type(None))):
            units, text = (0.0, "") if ours == theirs else (float("inf"), f"{ours!r}, the CPU has {theirs!r}")
        else:
            continue
        if units > worst.units:
            worst.units, worst.text = units, which + text
    return worst


def _tensor(ours: torch.Tensor, theirs: torch.Tensor, allowed: Tolerance, exact: Any) -> tuple[float, str]:
    """How far two tensors are apart in units of what is allowed, and in words."""
    if ours.numel() == 0:
        return 0.0, ""
    rtol, atol = (max(pair) for pair in zip(allowed.of(ours.dtype), allowed.of(theirs.dtype)))
    ours, theirs = _plain(ours), _plain(theirs)
    if torch.equal(ours, theirs):
        return 0.0, ""
    if not (ours.is_floating_point() or ours.is_complex()):
        wrong = ours != theirs
        if exact is not None and torch.equal(ours, _plain(exact)):
            return 0.0, ""
        first = int(wrong.flatten().nonzero()[0])
        return float("inf"), (
            f"{int(wrong.sum())} of {wrong.numel()} values differ, the first: {ours.flatten()[first].item()}, "
            f"the CPU has {theirs.flatten()[first].item()}"
        )
    target = theirs if exact is None else _plain(exact).to(ours.dtype)
    distance, limit = _distance(ours, target), atol + rtol * target.abs()
    limit = torch.where(limit.isfinite(), limit, torch.full_like(limit, atol))
    if exact is not None:
        # Where the CPU's own result is not finite, it says nothing of what the device may be off.
        own = _distance(theirs, target)
        reach = own[own.isfinite()].max() if own.isfinite().any() else torch.zeros(())
        limit = torch.where(
            own.isfinite(), torch.maximum(limit, AS_FAR_AS_THE_CPU * reach), torch.full_like(own, float("inf"))
        )
    units = torch.where(distance == 0, torch.zeros_like(distance), distance / limit).nan_to_num(
        nan=0.0, posinf=float("inf")
    )
    at = int(units.argmax())
    here, there = ours.flatten()[at].item(), target.flatten()[at].item()
    named = "the CPU has" if exact is None else "exactly"
    return float(
        units.flatten()[at]
    ), f"{_short(here)}, {named} {_short(there)}, off by {distance.flatten()[at].item():.3g}"


def _distance(ours: torch.Tensor, theirs: torch.Tensor) -> torch.Tensor:
    """The distance of each pair: none between two NaN or two equal infinities, infinite where only one is such."""
    distance = (ours - theirs).abs()
    same = (ours == theirs) | (ours.isnan() & theirs.isnan())
    distance = torch.where(same, torch.zeros_like(distance), distance)
    return distance.nan_to_num(nan=float("inf"), posinf=float("inf"))


def _plain(value: torch.Tensor) -> torch.Tensor:
    """The values as a dense tensor in a dtype that everything can be computed in."""
    value = value.detach()
    if value.layout is not torch.strided:
        value = value.to_dense()
    if value.is_complex():
        return value.to(torch.complex128)
    if value.is_floating_point():
        return value.to(torch.float64)
    return value.to(torch.int64) if value.dtype is not torch.bool else value


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, (float, complex)) else str(value)


def on_cpu(values_: list[Any]) -> list[Any]:
    """Copies of results in the CPU's memory; what a device does late fails here at the latest."""
    return [each.detach().cpu() if isinstance(each, torch.Tensor) else each for each in values_]


def results(value: Any) -> list[Any]:
    """The results of a call, in order."""
    return samples.leaves(value)
