"""Whether two ways of drawing random results draw from the same distribution."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

#: So many numbers are drawn from each, if that does not take more draws than the second figure says.
NUMBERS, DRAWS = 4000, 100

#: The chance that equal distributions are called different.
CHANCE = 1e-9

Draw = Callable[[int], "list[Any]"]


def difference(ours: Draw, theirs: Draw) -> str:
    """What differs between the distributions, by the test of Kolmogorov and Smirnov; empty where nothing does."""
    here, there = _numbers(ours), _numbers(theirs)
    if not here.numel() or not there.numel():
        return ""
    if bool(here.isnan().any()) != bool(there.isnan().any()):
        return "NaN among the results of one only"
    here, there = here[~here.isnan()], there[~there.isnan()]
    if not here.numel() or not there.numel():
        return ""
    distance = _distance(here, there)
    count = here.numel() * there.numel() / (here.numel() + there.numel())
    limit = math.sqrt(-math.log(CHANCE / 2) / 2 / count)
    if distance <= limit:
        return ""
    return (
        f"the mean is {here.mean().item():.4g}, the CPU's {there.mean().item():.4g} "
        f"(the shares below one value differ by {distance:.2f}, {limit:.2f} may be chance)"
    )


def _numbers(draw: Draw) -> torch.Tensor:
    """All that is drawn, real and imaginary parts one beside the other."""
    parts: list[torch.Tensor] = []
    total = 0
    for seed in range(DRAWS):
        for each in draw(seed):
            if isinstance(each, torch.Tensor) and each.numel():
                flat = (
                    torch.view_as_real(each.to(torch.complex128)) if each.is_complex() else each.to(torch.float64)
                ).flatten()
                parts.append(flat)
                total += flat.numel()
        if total >= NUMBERS or (not total and seed > 2):
            break
    return torch.cat(parts) if parts else torch.empty(0, dtype=torch.float64)


def _distance(here: torch.Tensor, there: torch.Tensor) -> float:
    """The greatest difference between the shares of numbers up to a value."""
    both = torch.cat([here, there]).unique()
    shares = [torch.searchsorted(each.sort().values, both, right=True) / each.numel() for each in (here, there)]
    return float((shares[0] - shares[1]).abs().max())
