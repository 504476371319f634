"""Tensors of one process to and from several devices, by copies: what PyTorch's C++ half does for CUDA.

`torch.nn.parallel.comm` and `torch.cuda.nccl` end in these functions. They get checked arguments, devices as
numbers, and give what the C++ functions give.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Sequence
from typing import Any, Callable

import torch


def _device(index: int) -> torch.device:
    return torch.device("musa", index)


def _broadcast(tensor: torch.Tensor, devices: Sequence[int]) -> list[torch.Tensor]:
    return [tensor if tensor.device == _device(index) else _copy(tensor, index) for index in devices]


def _copy(tensor: torch.Tensor, index: int) -> torch.Tensor:
    with torch.no_grad():
        return tensor.to(_device(index), non_blocking=True)


def _broadcast_out(tensor: torch.Tensor, out: Sequence[torch.Tensor]) -> Sequence[torch.Tensor]:
    for number, each in enumerate(out):
        if each.device.type != "musa":
            raise RuntimeError(f"Expected all output tensors to be CUDA tensors, but output tensor at index {number}")
        if each.shape != tensor.shape:
            raise RuntimeError(
                f"Expected all output tensors to have same shape as the source {list(tensor.shape)}, but output "
                f"tensor at index {number} has shape {list(each.shape)}"
            )
        with torch.no_grad():
            each.copy_(tensor, non_blocking=True)
    return out


def _broadcast_coalesced(
    tensors: Sequence[torch.Tensor], devices: Sequence[int], buffer_size: int
) -> list[list[torch.Tensor]]:
    # Copies of one tensor each: a buffer would save launches, and give the same tensors.
    if not all(tensor.device == _device(devices[0]) for tensor in tensors):
        raise RuntimeError(f"All tensors must be on devices[0]: {devices[0]}")
    return [
        [tensor if number == 0 else _copy(tensor, index) for tensor in tensors] for number, index in enumerate(devices)
    ]


def _on(streams: Sequence[Any] | None, number: int) -> Any:
    stream = streams[number] if streams else None
    return contextlib.nullcontext() if stream is None else torch.musa.stream(stream)


def _split(tensor: torch.Tensor, parts: int, sizes: Sequence[int] | None, dim: int) -> tuple[torch.Tensor, ...]:
    if sizes is None:
        return tensor.chunk(parts, dim)
    if len(sizes) != parts:
        raise RuntimeError(f"Expected devices and chunk_sizes to be of same length, but got {parts} and {len(sizes)}")
    return tensor.split(list(sizes), dim)


def _scatter(
    tensor: torch.Tensor,
    devices: Sequence[int],
    chunk_sizes: Sequence[int] | None,
    dim: int,
    streams: Sequence[Any] | None,
) -> list[torch.Tensor]:
    parts = []
    for number, chunk in enumerate(_split(tensor, len(devices), chunk_sizes, dim)):
        with _on(streams, number):
            parts.append(chunk.to(_device(devices[number]), non_blocking=True))
    return parts


def _scatter_out(
    tensor: torch.Tensor, out: Sequence[torch.Tensor], dim: int, streams: Sequence[Any] | None
) -> Sequence[torch.Tensor]:
    sizes = [each.shape[dim] for each in out]
    for number, chunk in enumerate(tensor.split(sizes, dim)):
        with _on(streams, number), torch.no_grad():
            out[number].copy_(chunk, non_blocking=True)
    return out


def _gather(tensors: Sequence[torch.Tensor], dim: int, destination_index: int | None) -> torch.Tensor:
    if destination_index == -1:
        device = torch.device("cpu")
    else:
        device = _device(torch.musa.current_device() if destination_index is None else destination_index)
    return torch.cat([tensor.to(device, non_blocking=device.type != "cpu") for tensor in tensors], dim)


def _gather_out(tensors: Sequence[torch.Tensor], out: torch.Tensor, dim: int) -> torch.Tensor:
    place = 0
    for tensor in tensors:
        with torch.no_grad():
            out.narrow(dim, place, tensor.shape[dim]).copy_(tensor)
        place += tensor.shape[dim]
    return out


#: What ncclRedOp_t's numbers mean.
_OPERATIONS: dict[int, Callable[[torch.Tensor, torch.Tensor], torch.Tensor]] = {
    0: torch.add,
    1: torch.mul,
    2: torch.maximum,
    3: torch.minimum,
    4: torch.add,
}
_AVERAGE = 4


def _reduced(inputs: Sequence[torch.Tensor], op: int, streams: Any, comms: Any) -> torch.Tensor:
    _refuse(streams, comms)
    if op not in _OPERATIONS:
        raise NotImplementedError(f"torch.cuda.nccl: no reduction has the number {op}; 0 to 4 are sum to average")
    with torch.no_grad():
        device = inputs[0].device
        total = functools.reduce(lambda sum, each: _OPERATIONS[op](sum, each.to(device)), inputs[1:], inputs[0])
        return total / len(inputs) if op == _AVERAGE else total


def _refuse(streams: Any, comms: Any) -> None:
    if comms is not None or (streams is not None and any(stream is not None for stream in streams)):
        raise NotImplementedError(
            "torch.cuda.nccl takes no `streams` and no `comms` on MUSA: tensors are copied between devices on their "
            "current streams. Set those, or use torch.distributed."
        )


def _fill(outputs: Sequence[torch.Tensor], value: torch.Tensor) -> None:
    with torch.no_grad():
        for each in outputs:
            each.view(-1).copy_(value.reshape(-1))


def _nccl_all_reduce(
    inputs: Sequence[torch.Tensor], outputs: Sequence[torch.Tensor], op: int, streams: Any, comms: Any
) -> None:
    _fill(outputs, _reduced(inputs, op, streams, comms))


def _nccl_reduce(
    inputs: Sequence[torch.Tensor], output: torch.Tensor, root: int, op: int, streams: Any, comms: Any
) -> None:
    _fill([output], _reduced(inputs, op, streams, comms))


def _nccl_broadcast(inputs: Sequence[torch.Tensor], root: int, streams: Any, comms: Any) -> None:
    _refuse(streams, comms)
    _fill([each for number, each in enumerate(inputs) if number != root], inputs[root])


def _nccl_all_gather(inputs: Sequence[torch.Tensor], outputs: Sequence[torch.Tensor], streams: Any, comms: Any) -> None:
    _refuse(streams, comms)
    for output in outputs:
        _fill([output], torch.cat([each.reshape(-1).to(output.device) for each in inputs]))


def _nccl_reduce_scatter(
    inputs: Sequence[torch.Tensor], outputs: Sequence[torch.Tensor], op: int, streams: Any, comms: Any
) -> None:
    parts = _reduced(inputs, op, streams, comms).reshape(-1).chunk(len(outputs))
    for output, part in zip(outputs, parts):
        _fill([output], part)


#: The functions by the names that `torch._C` has for them.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        _broadcast,
        _broadcast_coalesced,
        _broadcast_out,
        _gather,
        _gather_out,
        _nccl_all_gather,
        _nccl_all_reduce,
        _nccl_broadcast,
        _nccl_reduce,
        _nccl_reduce_scatter,
        _scatter,
        _scatter_out,
    )
}
