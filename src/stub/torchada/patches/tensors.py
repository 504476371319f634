"""Tensors and modules: where they go, and what they say of where they are."""

from __future__ import annotations

import functools
from typing import Any

import torch
import torch_musa
from torch.nn.modules.lazy import LazyModuleMixin
from torch.overrides import handle_torch_function, has_torch_function_unary

from .. import _devices, _report
from .._journal import Journal
from .._registry import patch


@patch("tensor-to")
def tensor_to(journal: Journal) -> None:
    """Have `Tensor.to("cuda")` go to the MUSA device, as a name, a number or a keyword."""
    # torch_musa's own wrapper only makes a number a device, which this does as well.
    current = torch.Tensor.to
    original = torch.Tensor.orig_to if current.__module__.startswith("torch_musa.") else current
    find = _devices.MUSA.get
    count = _report.counter("tensor-to", "torch.Tensor.to")
    device = torch.device
    overridden = has_torch_function_unary

    @functools.wraps(current)
    def to(self: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
        # A class that handles torch's functions compares with this one, which is the one that programs know.
        if overridden(self):
            return handle_torch_function(to, (self,), self, *args, **kwargs)
        if args:
            first = args[0]
            if first.__class__ is str or first.__class__ is device:
                found = find(first)
                if found is not None:
                    if count.quiet:
                        count.times += 1
                    else:
                        count()
                    args = (found, *args[1:])
            elif first.__class__ is int:
                args = (device("musa", first), *args[1:])
        if kwargs:
            first = kwargs.get("device")
            if first.__class__ is str or first.__class__ is device:
                found = find(first)
                if found is not None:
                    if count.quiet:
                        count.times += 1
                    else:
                        count()
                    kwargs["device"] = found
            elif first.__class__ is int:
                kwargs["device"] = device("musa", first)
        return original(self, *args, **kwargs)

    # By this name torch's compiler sees that it is the tensor's own method, and does not look into it.
    # By the module and the name pickle finds it.
    to.__module__, to.__name__, to.__qualname__ = "torch", "to", "Tensor.to"
    journal.set(torch.Tensor, "to", to)


@patch("tensor-cuda")
def tensor_cuda(journal: Journal) -> None:
    """Have `Tensor.cuda()`, and that of storages and packed sequences, go to the MUSA device."""
    original = getattr(torch.Tensor, "orig_to", torch.Tensor.to)
    current = torch.device("musa")
    target = _target
    overridden = has_torch_function_unary
    count = _report.counter("tensor-cuda", "torch.Tensor.cuda")

    @functools.wraps(torch.Tensor.cuda)
    def cuda(self: torch.Tensor, device: Any = None, non_blocking: bool = False, **kwargs: Any) -> torch.Tensor:
        if overridden(self):
            return handle_torch_function(cuda, (self,), self, device, non_blocking, **kwargs)
        if count.quiet:
            count.times += 1
        else:
            count()
        return original(self, current if device is None else target(device), non_blocking=non_blocking, **kwargs)

    cuda.__module__, cuda.__qualname__ = "torch", "Tensor.cuda"
    journal.set(torch.Tensor, "cuda", cuda)


def _target(device: Any) -> Any:
    """The device that `cuda(device)` means; a number is one of MUSA's. What is no GPU is refused, as torch does."""
    if isinstance(device, int) and not isinstance(device, bool):
        return torch.device("musa", device)
    found = torch.device(_devices.translate(device))
    if found.type != "musa":
        raise RuntimeError(f"Invalid device, must be cuda device, not {found}")
    return found


@patch("tensor-is-cuda")
def is_cuda(journal: Journal) -> None:
    """Have `Tensor.is_cuda` be true for tensors on a MUSA device."""
    native = getattr(torch_musa._MUSAC, "_is_musa", None)
    # A function in C as the getter costs no Python frame.
    value = property(native, doc="Whether the tensor is on a GPU.") if native else vars(torch.Tensor)["is_musa"]
    journal.set(torch.Tensor, "is_cuda", value)


@patch("module-cuda")
def module_cuda(journal: Journal) -> None:
    """Have `nn.Module.cuda()` and `nn.Module.to("cuda")` move the module to the MUSA device; and so what else
    reads the arguments of a `to` by `torch._C._nn._parse_to`, as the `to` of libraries' own classes does."""
    count = _report.counter("module-cuda", "torch.nn.Module.to")
    plain = getattr(torch.nn.Module, "musa", None)
    moving: set[int] = set()

    def translated(device: Any) -> Any:
        found = _devices.translate(device)
        if found is not device:
            count()
        return found

    @functools.wraps(torch.nn.Module.cuda)
    def cuda(self: torch.nn.Module, device: Any = None) -> torch.nn.Module:
        own: Any = getattr(type(self), "musa", None)
        # In the port of a library, a class's own `cuda` is called `musa`; where that asks for `cuda`, torch's is meant.
        if own is plain or id(self) in moving:
            return self._apply(lambda tensor: tensor.cuda(device))
        moving.add(id(self))
        try:
            return own(self) if device is None else own(self, device)
        finally:
            moving.discard(id(self))

    parse = torch._C._nn._parse_to

    @functools.wraps(parse)
    def _parse_to(*args: Any, **kwargs: Any) -> Any:
        if args:
            args = (translated(args[0]), *args[1:])
        if "device" in kwargs:
            kwargs["device"] = translated(kwargs["device"])
        return parse(*args, **kwargs)

    journal.set(torch.nn.Module, "cuda", cuda)
    journal.set(torch._C._nn, "_parse_to", _parse_to)


@patch("lazy-parameters")
def lazy_parameters(journal: Journal) -> None:
    """Have parameters and buffers that have no shape yet, those of lazy modules, be moved by `cuda()` and
    `to("cuda")`, and stay what they are."""
    unshaped: Any = torch.nn.parameter.UninitializedTensorMixin
    mixin: Any = LazyModuleMixin
    journal.set(unshaped, "_allowed_methods", [*unshaped._allowed_methods, torch.Tensor.cuda, torch.Tensor.to])

    def _apply(self: Any, fn: Any, recurse: bool = True) -> Any:
        # What goes to another type of device comes back as an empty tensor that has a shape.
        for tensors in (self._parameters, self._buffers):
            for name, tensor in tensors.items():
                if isinstance(tensor, unshaped):
                    moved = fn(tensor)
                    if moved.device.type != tensor.device.type:
                        tensors[name] = type(tensor)(tensor.requires_grad, moved.device, moved.dtype)
        return super(mixin, self)._apply(fn, recurse)

    journal.set(mixin, "_apply", _apply)


@patch("array-interface")
def array_interface(journal: Journal) -> None:
    """Have tensors on a MUSA device offer no `__cuda_array_interface__`, by which CuPy, Numba and their kin would
    take their pointers for CUDA's."""
    original = vars(torch.Tensor)["__cuda_array_interface__"]

    def __cuda_array_interface__(self: torch.Tensor) -> Any:
        if not has_torch_function_unary(self) and self.device.type == "musa":
            raise AttributeError(
                f"A tensor on {self.device} has no __cuda_array_interface__: its memory is a MUSA device's, which "
                "libraries for CUDA can't read. Copy it with tensor.cpu()."
            )
        return original.fget(self)

    __cuda_array_interface__.__doc__ = original.__doc__
    journal.set(torch.Tensor, "__cuda_array_interface__", property(__cuda_array_interface__))


@patch("dlpack-device")
def dlpack_device(journal: Journal) -> None:
    """Have `Tensor.__dlpack_device__()` say of a tensor on MUSA what its capsule says, an extension's device, and of
    one in pinned memory that it is the CPU's, and not that CUDA has pinned it."""
    original = torch.Tensor.__dlpack_device__

    @functools.wraps(original)
    def __dlpack_device__(self: torch.Tensor) -> Any:
        from torch.utils.dlpack import DLDeviceType

        if not has_torch_function_unary(self):
            if self.device.type == "musa":
                return DLDeviceType.kDLExtDev, self.get_device()
            if self.device.type == "cpu":
                return DLDeviceType.kDLCPU, 0
        return original(self)

    journal.set(torch.Tensor, "__dlpack_device__", __dlpack_device__)
