"""How long a call takes: warm, repeated, with the device waited for."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Timing:
    """Nanoseconds of one call."""

    #: Half of the blocks took less: what is to be expected.
    median: float
    #: The quickest block: what others on the machine disturb the least.
    best: float
    #: The slowest block.
    worst: float
    #: How many calls were measured.
    calls: int

    @property
    def spread(self) -> float:
        """The distance from the quickest to the slowest block, as a share of the median."""
        return (self.worst - self.best) / self.median if self.median else 0.0


def time_call(
    call: Callable[[], object],
    wait: Callable[[], object] = lambda: None,
    blocks: int = 7,
    block_seconds: float = 0.01,
    warm_calls: int = 3,
) -> Timing:
    """The time of one call, from blocks of calls that each take `block_seconds` or more.

    The first calls, which compile, choose algorithms and fill caches, are not counted. `wait` ends each block
    where work goes on after a call has come back.
    """
    for _ in range(warm_calls):
        call()
    wait()
    number = 1
    while (taken := _block(call, wait, number)) < block_seconds:
        number = max(number * 2, int(number * block_seconds / max(taken, 1e-9)))
    values = sorted(_block(call, wait, number) / number * 1e9 for _ in range(blocks))
    return Timing(statistics.median(values), values[0], values[-1], blocks * number)


def _block(call: Callable[[], object], wait: Callable[[], object], number: int) -> float:
    started = time.perf_counter()
    for _ in range(number):
        call()
    wait()
    return time.perf_counter() - started


def waiter(device: str) -> Callable[[], object]:
    """What waits until a device has done its work."""
    import torch

    module = getattr(torch, device.split(":")[0], None)
    wait = getattr(module, "synchronize", None)
    if wait is None or device == "cpu":
        return lambda: None
    return lambda: wait(torch.device(device))
