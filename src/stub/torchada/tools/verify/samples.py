"""One sample of an operator's arguments: making them, copying them to a device or to a wider dtype, saying them."""

from __future__ import annotations

import random
import zlib
from typing import Any

import torch

#: No more samples than so many are made before some of them are chosen.
MADE = 2000

#: What an exact reference is computed in.
WIDER = {
    torch.float16: torch.float64,
    torch.bfloat16: torch.float64,
    torch.float32: torch.float64,
    torch.complex32: torch.complex128,
    torch.complex64: torch.complex128,
}


def seed_for(seed: int, *parts: object) -> int:
    """A seed that depends on nothing but its arguments."""
    return (zlib.crc32("/".join(map(str, parts)).encode()) + seed) & 0x7FFFFFFF


def seed_all(seed: int) -> None:
    """Start every generator that samples and operators take numbers from."""
    import numpy

    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)


def make(operator: Any, dtype: torch.dtype, gradient: bool, wanted: int, seed: int) -> list[Any]:
    """Samples on the CPU: all of them or, where there are more, `wanted` from the first to the last."""
    seed_all(seed)
    made = []
    for sample in operator.sample_inputs_func(operator, "cpu", dtype, gradient):
        made.append(sample)
        if len(made) == MADE:
            break
    if not wanted or len(made) <= wanted:
        return made
    return [made[index * (len(made) - 1) // max(wanted - 1, 1)] for index in range(wanted)]


def copy(sample: Any, device: str, wider: bool = False, on_cpu: tuple[int, ...] = ()) -> Any:
    """The sample with every tensor copied to a device; `wider`: in the dtype of an exact reference.

    The arguments with the numbers `on_cpu` stay where they are.
    """

    def convert(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return _tensor(value, device, wider)
        if isinstance(value, torch.dtype):
            return WIDER.get(value, value) if wider else value
        if isinstance(value, torch.device) or (isinstance(value, str) and value == "cpu"):
            return type(value)(device)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*map(convert, value))
        if isinstance(value, (list, tuple)):
            return type(value)(convert(each) for each in value)
        if isinstance(value, dict):
            return {key: convert(each) for key, each in value.items()}
        return value

    with torch.no_grad():
        arguments = tuple(each if at in on_cpu else convert(each) for at, each in enumerate(sample.args))
        made = type(sample)(convert(sample.input), args=arguments, kwargs=convert(sample.kwargs))
    made.output_process_fn_grad = sample.output_process_fn_grad
    made.broadcasts_input = sample.broadcasts_input
    return made


def _tensor(value: torch.Tensor, device: str, wider: bool) -> torch.Tensor:
    """A leaf of the same values and, where it can be, of the same strides."""
    plain = value.detach()
    if wider:
        made = plain.to(WIDER.get(plain.dtype, plain.dtype), copy=True)
    elif value.layout is not torch.strided or value.is_conj() or value.is_neg() or _is_whole(plain):
        made = plain.clone() if device == "cpu" else plain.to(device)
    else:
        # Steps, parts and expanded dimensions: the whole of the memory is copied, and looked at in the same way.
        size = plain.untyped_storage().nbytes() // plain.element_size()
        memory = torch.as_strided(plain, (size,), (1,), 0)
        memory = memory.clone() if device == "cpu" else memory.to(device)
        made = torch.as_strided(memory, plain.size(), plain.stride(), plain.storage_offset())
    return made.requires_grad_(value.requires_grad)


def _is_whole(value: torch.Tensor) -> bool:
    """Whether a tensor has every element of its memory once."""
    if value.untyped_storage().nbytes() != value.numel() * value.element_size():
        return False
    return value.is_contiguous() or bool(torch.ops.aten.is_non_overlapping_and_dense(value))


def leaves(value: Any) -> list[Any]:
    """The tensors and other values in an argument or a result, in order."""
    from torch.utils._pytree import tree_leaves

    return tree_leaves(value)


def inputs(sample: Any) -> list[torch.Tensor]:
    """The tensors of a sample that want gradients."""
    found = leaves((sample.input, sample.args, sample.kwargs))
    return [each for each in found if isinstance(each, torch.Tensor) and each.requires_grad]


def elements(sample: Any) -> int:
    """How many elements the tensors of a sample have together."""
    found = leaves((sample.input, sample.args, sample.kwargs))
    return sum(each.numel() for each in found if isinstance(each, torch.Tensor))


def say(sample: Any) -> str:
    """The arguments in one line: `float32[3, 5], dim=0`."""

    def word(value: Any) -> str:
        if isinstance(value, torch.Tensor):
            kind = str(value.dtype).split(".")[-1]
            strided = (
                "" if value.layout is not torch.strided or value.is_contiguous() else f" strides {list(value.stride())}"
            )
            return f"{kind}{list(value.shape)}{strided}"
        if isinstance(value, (list, tuple)):
            return ("[{}]" if isinstance(value, list) else "({})").format(", ".join(map(word, value)))
        if isinstance(value, dict):
            return "{" + ", ".join(f"{key}: {word(each)}" for key, each in value.items()) + "}"
        text = repr(value)
        return text if len(text) <= 40 else text[:37] + "…"

    parts = [word(sample.input), *map(word, sample.args)]
    parts += [f"{name}={word(value)}" for name, value in sample.kwargs.items()]
    text = ", ".join(parts)
    return text if len(text) <= 200 else text[:199] + "…"
