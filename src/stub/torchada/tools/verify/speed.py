"""Whether an operator is slower on the device than on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import measure

#: A device that takes less than so many times what the CPU takes is not called slower: a GPU needs some
#: microseconds for anything at all, and the samples are small.
TIMES = 3.0

#: Blocks of so many, of so many seconds each.
BLOCKS, SECONDS = 3, 0.0005


def both(call: Callable[..., Any], copy: Callable[[str], Any], device: str) -> tuple[float, float]:
    """Nanoseconds of one call on the device and on the CPU: the best of a few, as what disturbs only adds.

    `copy` gives the sample for a device.
    """

    def one(place: str) -> float:
        made = copy(place)
        run = lambda: call(made.input, *made.args, **made.kwargs)  # noqa: E731
        return measure.time_call(run, measure.waiter(place), BLOCKS, SECONDS, warm_calls=2).best

    return one(device), one("cpu")


def is_slower(device: float, cpu: float, more: float) -> bool:
    """Whether the difference is more than what any call costs, and more than a matter of degree."""
    return device > TIMES * cpu and device - cpu > more
