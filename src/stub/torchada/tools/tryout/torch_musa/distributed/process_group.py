"""The "mccl" process group of the stand-in: gloo, on CPU tensors that share the device tensors' bytes."""

from __future__ import annotations

import atexit
from collections import deque
from datetime import timedelta
from typing import Any, Callable

import torch
import torch.distributed as dist
from torch.utils._pytree import tree_map
from torch_musa._half import alias_cpu

#: The collectives of a process group. Those in the second half got these names by torch 2.15.
COLLECTIVES = (
    "_allgather_base _reduce_scatter_base allgather allgather_coalesced allgather_into_tensor_coalesced allreduce "
    "allreduce_coalesced alltoall alltoall_base barrier broadcast gather recv recv_anysource reduce reduce_scatter "
    "reduce_scatter_tensor_coalesced scatter send "
    "all_gather_single all_gather_single_coalesced all_to_all_single gather_into_tensor gather_single "
    "reduce_scatter_single reduce_scatter_single_coalesced"
).split()


#: Collectives over lists of tensors that some torch gives to gloo in C++ only: each is the other one, repeated.
REPEATED = {
    "all_gather_single_coalesced": "all_gather_single",
    "allgather_into_tensor_coalesced": "_allgather_base",
    "reduce_scatter_single_coalesced": "reduce_scatter_single",
    "reduce_scatter_tensor_coalesced": "_reduce_scatter_base",
}


def _alias(value: Any) -> Any:
    if isinstance(value, torch.Tensor) and value.device.type == "musa":
        return alias_cpu(value)
    return value


class _Work(dist.Work):
    """A collective under way, which hands out the device's tensors and not the aliases."""

    def __init__(self, inner: Any, result: list[torch.Tensor]) -> None:
        super().__init__()
        self._inner, self._result = inner, result

    def wait(self, timeout: timedelta = timedelta(0)) -> bool:
        self._inner.wait()
        return True

    def is_completed(self) -> bool:
        return self._inner.is_completed()

    def is_success(self) -> bool:
        return True

    def exception(self) -> None:
        return None

    def result(self) -> list[torch.Tensor]:
        return self._result

    def get_future(self) -> torch.futures.Future:
        self.wait()
        future: torch.futures.Future = torch.futures.Future()
        future.set_result(self._result)
        return future


class _Options:
    """What can be asked of a group. It has the fields that torch_musa's has, and no `config`."""

    def __init__(self, is_high_priority_stream: bool = False) -> None:
        self.is_high_priority_stream = is_high_priority_stream
        self.split_from: Any = None
        self.split_color = 0
        self.global_ranks_in_group: list[int] = []
        self.group_name = ""
        self._timeout = timedelta(minutes=30)


#: gloo of groups that are gone; it ends when the next group is made, or with the process.
_ENDED: list[Any] = []
atexit.register(_ENDED.clear)


class ProcessGroupMCCL(dist.ProcessGroup):
    """A process group over gloo."""

    Options = _Options

    def __init__(self, store: Any, rank: int, size: int, timeout: Any) -> None:
        super().__init__(rank, size)
        if isinstance(timeout, _Options):
            timeout = timeout._timeout
        self._gloo = dist.ProcessGroupGloo(store, rank, size, timeout)
        # C++ may wait on a Work whose Python half nobody holds any more
        self._alive: deque[_Work] = deque(maxlen=1024)
        custom = dist.ProcessGroup.BackendType.CUSTOM
        for kind in ("musa", "cpu"):  # a group needs a backend before it can have a name
            self._register_backend(torch.device(kind), custom, self._gloo)
        if hasattr(self, "_set_default_backend"):  # torch 2.15 looks for it when the group is made
            self._set_default_backend(custom)

    def __del__(self) -> None:
        # Torch 2.7 has Python's lock while it destroys a group that is written in Python; gloo's end waits for gloo's
        # threads, and they need that lock to let go of tensors that Python knows. So gloo outlives the group: the
        # last to let go of it is Python's own object for it, which gives the lock away first.
        if "_gloo" in vars(self):
            _ENDED.append(self._gloo)

    def getBackendName(self) -> str:
        return "mccl"

    def name(self) -> str:
        return "mccl"


def _on_gloo(gloo: Any, name: str, args: Any, kwargs: dict[str, Any]) -> Any:
    method = getattr(gloo, name, None)
    if method is not None or name not in REPEATED:
        return getattr(gloo, name)(*args, **kwargs)
    outputs, inputs, *options = args
    for output, source in zip(outputs, inputs):
        work = getattr(gloo, REPEATED[name])(output, source, *options, **kwargs)
        work.wait()
    return work


def _collective(name: str) -> Callable[..., _Work]:
    def call(self: ProcessGroupMCCL, *args: Any, **kwargs: Any) -> _Work:
        with torch.no_grad():
            theirs = tree_map(_alias, (args, kwargs))
            inner = _on_gloo(self._gloo, name, *theirs)
        outputs = args[0] if args and isinstance(args[0], (list, tuple)) else list(args[:1])
        results = [tensor for tensor in outputs if isinstance(tensor, torch.Tensor)]
        work = _Work(inner, results)
        self._alive.append(work)
        return work

    call.__name__ = name
    return call


for _name in COLLECTIVES:
    setattr(ProcessGroupMCCL, _name, _collective(_name))


def _create(store: Any, rank: int, size: int, timeout: timedelta) -> ProcessGroupMCCL:
    _ENDED.clear()
    return ProcessGroupMCCL(store, rank, size, timeout)


def is_mccl_available() -> bool:
    """Whether the process group is there."""
    return True


dist.Backend.register_backend("mccl", _create, devices=["musa"])
dist.ProcessGroupMCCL = ProcessGroupMCCL
dist.is_mccl_available = dist.distributed_c10d.is_mccl_available = is_mccl_available
