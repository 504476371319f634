"""The operators that no fallback can give: factories, views, storages and copies."""

from __future__ import annotations

import math
from typing import Any

import torch

from . import devices, graphs, memory
from .fallback import fallback, sparse

aten = torch.ops.aten
_CPU = torch.device("cpu")
HOST = memory.HOST


def _index(device: Any) -> int:
    return devices.current() if device is None or device.index is None else devices.checked(device.index)


def _check(layout: Any, pin_memory: Any) -> None:
    if layout is not None and layout is not torch.strided:
        raise NotImplementedError(f"the try-out's device has strided tensors only, not {layout}")
    if pin_memory:
        raise RuntimeError("Only dense CPU tensors can be pinned")


def empty(
    size: Any,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: Any = None,
    memory_format: Any = None,
) -> torch.Tensor:
    _check(layout, pin_memory)
    dtype = dtype or torch.get_default_dtype()
    index = _index(device)
    memory.check_room(math.prod(size) * dtype.itemsize, index)
    made = aten.empty.memory_format(size, dtype=dtype, device=_CPU, memory_format=memory_format)
    return memory.adopt(made, index)


def empty_strided(
    size: Any, stride: Any, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: Any = None
) -> torch.Tensor:
    _check(layout, pin_memory)
    made = aten.empty_strided.default(size, stride, dtype=dtype or torch.get_default_dtype(), device=_CPU)
    return memory.adopt(made, _index(device))


def _on_host(op: Any) -> Any:
    """The CPU's kernel on the device's own tensor: it looks at sizes and storages only."""

    def kernel(*args: Any, **kwargs: Any) -> Any:
        return op.redispatch(HOST, *args, **kwargs)

    return kernel


def _needed(size: Any, stride: Any, offset: int, width: int) -> int:
    """Bytes that a storage has to have."""
    if 0 in size:
        return 0
    return (1 + offset + sum((count - 1) * step for count, step in zip(size, stride))) * width


def resize_(tensor: torch.Tensor, size: Any, memory_format: Any = None) -> torch.Tensor:
    """Other sizes; in a new storage, where the old one is too small."""
    size = list(size)
    if memory_format is None and list(tensor.shape) == size:
        return tensor
    plain = aten.empty.memory_format(size, dtype=tensor.dtype, device="meta", memory_format=memory_format)
    offset, storage = tensor.storage_offset(), tensor.untyped_storage()
    if _needed(size, plain.stride(), offset, tensor.element_size()) > storage.nbytes():
        count = _needed(size, plain.stride(), offset, tensor.element_size())
        made = empty([count], dtype=torch.uint8, device=tensor.device)
        before = memory.block_of(tensor)
        if before is not None and before.nbytes:
            old = memory.bytes_of(before.host)
            aten.copy_.default(memory.host_of(made)[: old.numel()], old)
        storage = made.untyped_storage()
    return aten.set_.source_Storage_storage_offset.redispatch(HOST, tensor, storage, offset, size, list(plain.stride()))


def set_(tensor: torch.Tensor) -> torch.Tensor:
    """No storage and no sizes."""
    none = empty([0], dtype=tensor.dtype, device=tensor.device)
    return aten.set_.source_Storage_storage_offset.redispatch(HOST, tensor, none.untyped_storage(), 0, [0], [1])


def copy_from(source: torch.Tensor, target: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    graphs.copy(source, target)
    if graphs.capturing():
        graphs.remember("aten::_copy_from", graphs.copy, (source, target), {}, None)
    return target


def copy_from_and_resize(source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    resize_(target, source.shape)
    return copy_from(source, target)


def local_scalar_dense(tensor: torch.Tensor) -> Any:
    if graphs.capturing():
        raise RuntimeError("MUSA error: operation not permitted when stream is capturing")
    return aten._local_scalar_dense.default(memory.host_of(tensor))


def to_copy(*args: Any, **kwargs: Any) -> Any:
    """Torch would have a copy to the CPU that does not block be pinned by the driver."""
    kwargs.pop("non_blocking", None)
    return fallback(aten._to_copy.default, *args, **kwargs)


def record_stream(tensor: torch.Tensor, stream: Any) -> None:
    """Nothing: all work of the stream is done."""


def alias_cpu(tensor: torch.Tensor) -> torch.Tensor:
    """A tensor of the CPU's on the same memory, for the process group, which asks whether anybody else holds it."""
    return aten.alias.default(memory.host_of(tensor))


def scaled_dot_product_choice(*args: Any, **kwargs: Any) -> int:
    """The way that is made of other operators: the kernels of the others are for GPUs."""
    return 0


_OWN = {
    "empty.memory_format": empty,
    "empty_strided": empty_strided,
    "resize_": resize_,
    "set_": set_,
    "_copy_from": copy_from,
    "_copy_from_and_resize": copy_from_and_resize,
    "_local_scalar_dense": local_scalar_dense,
    "_to_copy": to_copy,
    "record_stream": record_stream,
    "_fused_sdp_choice": scaled_dot_product_choice,
}

_ON_HOST = (
    aten.as_strided.default,
    aten.view.default,
    aten._reshape_alias.default,
    aten.unfold.default,
    aten.set_.source_Tensor,
    aten.set_.source_Storage,
    aten.set_.source_Storage_storage_offset,
)

#: Keeps the registrations alive.
_libraries: list[torch.library.Library] = []


def library(name: str, kind: str = "IMPL") -> Any:
    """A library whose registrations last."""
    made = torch.library.Library(name, kind)
    _libraries.append(made)
    return made


def register() -> None:
    """Tell the dispatcher."""
    registered = library("aten")
    key = "PrivateUse1"
    for name, kernel in _OWN.items():
        registered.impl(name, kernel, key)
    for op in _ON_HOST:
        registered.impl(op, _on_host(op), key)
    _directly(registered, key)
    everything = library("_")
    everything.fallback(fallback, key)
    if memory.VERSION < (2, 10):
        # later versions do it themselves
        everything.fallback(torch.library.fallthrough_kernel, "AutogradPrivateUse1")
    for name in ("_sparse_coo_tensor_with_dims", "_sparse_coo_tensor_with_dims_and_tensors"):
        registered.impl(name, _refused(f"aten::{name}"), "SparsePrivateUse1")
    for view in ("Conjugate", "Negative"):
        # resolving such a view ends in a copy, which would resolve it, for ever
        for name in ("_copy_from", "_copy_from_and_resize"):
            registered.impl(name, torch.library.fallthrough_kernel, view)


def _refused(name: str) -> Any:
    def kernel(*args: Any, **kwargs: Any) -> Any:
        raise sparse(name)

    return kernel


def _directly(library: Any, key: str) -> None:
    """Torch makes these of an empty tensor and a kernel that fills it: two calls where one does."""
    for name in torch._C._dispatch_get_registrations_for_dispatch_key("CompositeExplicitAutogradNonFunctional"):
        space, _, full = name.partition("::")
        packet, _, overload = full.partition(".")
        op = getattr(getattr(torch.ops.aten, packet), overload or "default")
        if space != "aten" or torch.Tag.inplace_view in op.tags or name in _taken():
            continue
        if any(each.alias_info is not None and not each.alias_info.is_write for each in op._schema.arguments):
            continue
        library.m.impl(full, key, _bound(op), False)


def _taken() -> set[str]:
    return {f"aten::{name}" for name in _OWN}


def _bound(op: Any) -> Any:
    def kernel(*args: Any, **kwargs: Any) -> Any:
        return fallback(op, *args, **kwargs)

    return kernel
