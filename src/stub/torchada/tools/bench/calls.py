"""Measures one variant in a process of its own: prints nanoseconds for each call as JSON.

    calls.py plain|stub|adapter

The three differ in what they import and in how they spell the device; `overhead.py` sets the path. So this is run
by its path, and imports nothing of the package that it measures but by its name.
"""

from __future__ import annotations

import json
import sys
import time
import timeit
from collections.abc import Callable

#: A value is the mean over at least so many seconds, and the best of so many values counts: what disturbs
#: a measurement only ever adds to it.
SECONDS = 0.02
VALUES = 5


def best(call: Callable[[], object]) -> float:
    """Nanoseconds for one call."""
    # Time of the processor and not of the clock: what other programs take is not counted.
    timer = timeit.Timer(call, timer=time.process_time)
    number = 1
    while timer.timeit(number) < SECONDS:
        number *= 2
    return min(timer.repeat(VALUES, number)) / number * 1e9


def main(variant: str) -> None:
    """Import, then measure each call."""
    # The folder of this file has names of its own, which nobody else is to find.
    del sys.path[0]
    import torch

    if not hasattr(torch, "musa"):
        import torch_musa  # noqa: F401

    started = time.perf_counter()
    if variant != "plain":
        import torchada  # noqa: F401
    result = {"import torchada": (time.perf_counter() - started) * 1e9}

    plain = variant == "plain"
    device = "musa" if plain else "cuda"
    api = torch.musa if plain else torch.cuda
    there, here = torch.zeros(3, device=device), torch.zeros(3)
    move = torch.Tensor.musa if plain else torch.Tensor.cuda
    on_gpu = (lambda x: x.is_musa) if plain else (lambda x: x.is_cuda)

    def autocast() -> None:
        with torch.amp.autocast(device):
            pass

    calls: dict[str, Callable[[], object]] = {
        "device_count()": lambda: api.device_count(),
        "current_device()": lambda: api.current_device(),
        "synchronize()": lambda: api.synchronize(),
        "Stream()": lambda: api.Stream(),
        "Event()": lambda: api.Event(),
        "torch.device(…)": lambda: torch.device(device),
        "tensor.cuda()": lambda: move(here),
        "tensor.cuda(), there already": lambda: move(there),
        "tensor.to(…)": lambda: there.to(device),
        "torch.empty(device=…)": lambda: torch.empty(3, device=device),
        "tensor.is_cuda": lambda: on_gpu(there),
        "autocast": autocast,
        "backends.cuda.is_built()": lambda: torch.backends.cuda.is_built(),
        "CPU: torch.empty()": lambda: torch.empty(3),
        "CPU: tensor.to(dtype)": lambda: here.to(torch.float64),
        "CPU: tensor + tensor": lambda: here + here,
        "CPU: tensor.is_cuda": lambda: here.is_cuda,
    }
    for name, call in calls.items():
        call()
        result[name] = best(call)
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1])
