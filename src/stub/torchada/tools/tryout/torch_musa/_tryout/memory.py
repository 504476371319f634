"""Tensors of the device, each over the memory of a tensor of the CPU; and how much there is."""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from typing import Any

import torch

from . import devices

aten = torch.ops.aten

#: Which torch this is.
VERSION = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])

#: DLPack's number for a device that torch's headers call PrivateUse1: kDLExtDev.
_EXTENSION = 12

_CPU = torch.device("cpu")


_total = int(os.environ.get("TORCHADA_TRYOUT_MEMORY", 8 << 30))


def total() -> int:
    """Bytes of each device."""
    return _total


class _Managed(ctypes.Structure):
    """DLManagedTensor of dlpack.h."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int),
        ("device_id", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


#: DLPack's codes for types. Others are made as bytes and viewed.
_CODES = {
    torch.bool: (6, 8),
    torch.uint8: (1, 8),
    torch.uint16: (1, 16),
    torch.uint32: (1, 32),
    torch.uint64: (1, 64),
    torch.int8: (0, 8),
    torch.int16: (0, 16),
    torch.int32: (0, 32),
    torch.int64: (0, 64),
    torch.float16: (2, 16),
    torch.float32: (2, 32),
    torch.float64: (2, 64),
    torch.bfloat16: (4, 16),
    torch.complex64: (5, 64),
    torch.complex128: (5, 128),
}


class Block:
    """A storage of the device, and the CPU's tensor that owns its memory."""

    __slots__ = ("host", "index", "key", "nbytes", "watch")

    def __init__(self, host: torch.Tensor, index: int, storage: Any) -> None:
        self.host = host
        self.index = index
        self.nbytes: int = storage.nbytes()
        self.key: int = storage._cdata
        #: What tells that the storage has gone.
        self.watch: Any = None


class _Storage(weakref.ref):  # type: ignore[type-arg]
    __slots__ = ("block",)
    block: Block | None


class Counters:
    """Bytes of one device."""

    def __init__(self) -> None:
        self.current = self.peak = self.allocated = self.freed = self.ooms = 0


_lock = threading.RLock()
_counters = [Counters() for _ in range(devices.COUNT)]

#: The blocks by the storage that torch made.
blocks: dict[int, Block] = {}


#: Blocks whose storage has gone. Their memory waits for the next allocation: an error may be set when they end.
_ended: list[Block] = []


def _end(storage: Any) -> None:
    _ended.append(storage.block)
    storage.block = None


def _sweep() -> None:
    """Let go of the memory of storages that have gone."""
    with _lock:
        for address in _release.gone() if _release is not None else ():
            _ended.append(_by_form.pop(address))
        while _ended:
            block = _ended.pop()
            if blocks.get(block.key) is block:
                # else the storage's address has another owner by now
                del blocks[block.key]
            counted = _counters[block.index]
            counted.current -= block.nbytes
            counted.freed += block.nbytes


class Release:
    """The C++ half's list of storages that have gone. Torch before 2.11 may clear weak references to storages that
    live on, so Python can't tell by them."""

    def __init__(self, half: ctypes.CDLL) -> None:
        self._place = (ctypes.c_void_p * 256)()
        self._take = half.tryout_gone
        self.function = ctypes.cast(half.tryout_release, ctypes.c_void_p).value

    def gone(self) -> list[int]:
        """The addresses of the forms with which these storages were handed to torch."""
        found: list[int] = []
        count = 256
        while count == 256:
            count = self._take(self._place, 256)
            found.extend(self._place[:count])  # type: ignore[arg-type]
        return found


_release: Release | None = None
#: With a C++ half: the blocks by the address of the form with which each was handed to torch.
_by_form: dict[int, Block] = {}


def use(half: ctypes.CDLL) -> None:
    """Have the C++ half tell when a storage has gone."""
    global _release
    _release = Release(half)


class _Form(threading.local):
    """The struct of DLPack's with which a tensor is handed to torch. Torch looks at `deleter` when it is done with the
    tensor, so the form of a thread stays for ever; torch reads all other fields at once."""

    def __init__(self) -> None:
        self.sizes = (ctypes.c_int64 * 128)()
        self.managed = _Managed(lanes=1, shape=ctypes.addressof(self.sizes), deleter=_NOTHING)
        _forms.append((self.sizes, self.managed))


_forms: list[Any] = []
#: A function that does nothing whatever it is given, and needs no Python.
_NOTHING = ctypes.cast(ctypes.pythonapi.Py_IsInitialized, ctypes.c_void_p).value
_form = _Form()

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_from_dlpack = torch._C._from_dlpack


def _made(like: torch.Tensor, kind: int, index: int, managed: Any) -> torch.Tensor:
    """A tensor of a kind of device on the memory of another one."""
    count = like.dim()
    _form.sizes[: 2 * count] = [*like.shape, *like.stride()]
    managed.data, managed.device_type, managed.device_id, managed.ndim = like.data_ptr(), kind, index, count
    managed.code, managed.bits = _CODES[like.dtype]
    managed.strides = managed.shape + 8 * count
    return _from_dlpack(_new_capsule(ctypes.addressof(managed), b"dltensor", None))


def borrowed(tensor: torch.Tensor) -> torch.Tensor:
    """The CPU's tensor on memory that torch's C++ half has put into a tensor of the device by itself, which lives
    as long as that does."""
    return _made(tensor, 1, 0, _form.managed)


def _on_device(host: torch.Tensor, index: int) -> torch.Tensor:
    if _release is None:
        made = _made(host, _EXTENSION, index, _form.managed)
        storage = made.untyped_storage()
        block = Block(host, index, storage)
        block.watch = _Storage(storage, _end)
        block.watch.block = block
    else:
        managed = _Managed(lanes=1, shape=ctypes.addressof(_form.sizes), deleter=_release.function)
        made = _made(host, _EXTENSION, index, managed)
        block = Block(host, index, made.untyped_storage())
        block.watch = managed
        _by_form[ctypes.addressof(managed)] = block
    blocks[block.key] = block
    return made


def adopt(host: torch.Tensor, index: int) -> torch.Tensor:
    """A tensor of a device over the memory of one of the CPU's, which nobody else may use."""
    if host.dtype not in _CODES:
        if host.is_quantized:
            raise RuntimeError(f"the try-out has no {host.dtype} on its device")
        whole = aten.empty_strided.default(host.shape, host.stride(), dtype=host.dtype, device=_CPU)
        aten.copy_.default(whole, host)
        flat = adopt(bytes_of(whole), index)
        made = empty_view(flat, host.dtype)
        return aten.set_.source_Storage_storage_offset.redispatch(
            HOST, made, flat.untyped_storage(), 0, list(host.shape), list(host.stride())
        )
    if host.is_conj() or host.is_neg():
        host = aten.resolve_neg.default(aten.resolve_conj.default(host))
    if _ended or _release is not None:
        _sweep()
    nbytes = host.untyped_storage().nbytes()
    check_room(nbytes, index)
    with _lock:
        made = _on_device(host, index)
        counted = _counters[index]
        nbytes = made.untyped_storage().nbytes()
        counted.current += nbytes
        counted.allocated += nbytes
        counted.peak = max(counted.peak, counted.current)
    return made


def check_room(nbytes: int, index: int) -> None:
    """Raise `OutOfMemoryError` where a device has not so many bytes left."""
    counted = _counters[index]
    if nbytes > total() - counted.current:
        _sweep()
    free = total() - counted.current
    if nbytes > free:
        counted.ooms += 1
        raise torch.OutOfMemoryError(
            f"MUSA out of memory. Tried to allocate {nbytes} bytes. GPU {index} has a total capacity of {total()} "
            f"bytes of which {free} bytes is free. (This is torchada's try-out; TORCHADA_TRYOUT_MEMORY says how much "
            "memory its device has.)"
        )


#: What calls the CPU's kernel of an operator on whatever tensor: those that look at sizes only do for any device.
HOST = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)


def bytes_of(host: torch.Tensor) -> torch.Tensor:
    """A dense tensor of the CPU's as its bytes."""
    flat = aten.empty.memory_format([0], dtype=torch.uint8, device=_CPU)
    count = host.untyped_storage().nbytes()
    return aten.set_.source_Storage_storage_offset(flat, host.untyped_storage(), 0, [count], [1])


def empty_view(like: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """An empty tensor of another type on the storage of a tensor of the device."""
    return aten.view.dtype(aten.as_strided.default.redispatch(HOST, like, [0], [1], 0), dtype)


def host(tensor: torch.Tensor, block: Block) -> torch.Tensor:
    """The CPU's tensor on the same memory, with the same sizes and type. Nobody may resize it."""
    base = block.host
    offset = tensor.storage_offset()
    if not offset and tensor.dtype is base.dtype and (tensor.shape, tensor.stride()) == (base.shape, base.stride()):
        return base
    if base.storage_offset():
        offset += base.storage_offset() * base.element_size() // tensor.element_size()
    made = aten.empty.memory_format([0], dtype=tensor.dtype, device=_CPU)
    storage = base.untyped_storage()
    return aten.set_.source_Storage_storage_offset(made, storage, offset, list(tensor.shape), list(tensor.stride()))


def block_of(tensor: torch.Tensor) -> Block | None:
    """The block of a tensor of the device; None for one of the CPU's."""
    return blocks.get(tensor.untyped_storage()._cdata)


def host_of(tensor: torch.Tensor) -> torch.Tensor:
    """The CPU's tensor on the same memory; a tensor of the CPU's itself."""
    if tensor.device.type != "musa":
        return tensor
    block = block_of(tensor)
    if block is None:
        return borrowed(tensor)
    made = host(tensor, block)
    if tensor.is_conj():
        made = aten._conj.default(made)
    return aten._neg_view.default(made) if tensor.is_neg() else made


def stats(index: int) -> dict[str, int]:
    """The counters of a device."""
    _sweep()
    return dict(vars(_counters[devices.checked(index)]))


def reset_peak(index: int) -> None:
    """Let the peak begin at what is in use now."""
    _sweep()
    counted = _counters[devices.checked(index)]
    counted.peak = counted.current


def reset_accumulated(index: int) -> None:
    """Let the sums begin at zero."""
    counted = _counters[devices.checked(index)]
    counted.allocated = counted.freed = 0
