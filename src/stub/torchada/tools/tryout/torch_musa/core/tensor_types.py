"""The types that tensors had before devices and dtypes: `torch.musa.FloatTensor` and its kin.

In torch_musa they are made in C++ (`csrc/core/PythonTensor.cpp`), and `Tensor.type` takes them, as classes and by
either name, through a patch of torch's (`torch_patches/torch_csrc_utils_tensor_types.cpp.patch`). As there, torch's
`set_default_tensor_type` takes their names only.
"""

from __future__ import annotations

import functools
import warnings
from typing import Any

import torch

#: Those that torch_musa has, named as torch's own.
NAMES = (
    "BFloat16Tensor BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor ShortTensor"
).split()


@functools.cache
def _warn() -> None:
    warnings.warn(
        "The torch.musa.*DtypeTensor constructors are no longer recommended. "
        "It's best to use methods such as torch.tensor(data, dtype=*, device='musa') to create tensors.",
        stacklevel=3,
    )


class tensortype(type):
    """The class of these types."""

    dtype: torch.dtype
    layout: torch.layout

    def __instancecheck__(cls, instance: Any) -> bool:
        return (
            isinstance(instance, torch.Tensor)
            and instance.device.type == "musa"
            and instance.dtype is cls.dtype
            and instance.layout is cls.layout
        )

    def __getattr__(cls, name: str) -> Any:
        # the methods of tensors, as in `torch.musa.FloatTensor.add`
        return getattr(torch.Tensor, name)

    def __call__(cls, *args: Any, device: Any = None) -> torch.Tensor:
        _warn()
        target = torch.device("musa" if device is None else device)
        if target.type != "musa":
            raise RuntimeError(
                f"legacy constructor expects device type: musa but device type: {target.type} was passed"
            )
        first = args[0] if len(args) == 1 else None
        if isinstance(first, torch.Tensor):
            if not isinstance(first, cls):
                raise TypeError(f"expected {_name(cls)} (got {first.type()})")
            return first.detach()
        if isinstance(first, (torch.UntypedStorage, torch.TypedStorage)):
            return torch.empty(0, dtype=cls.dtype, device=target).set_(first)
        return getattr(torch, cls.__name__)(*args).to(target)


def _name(cls: type) -> str:
    return f"torch.musa.{cls.__name__}"


TYPES = {
    name: tensortype(
        name, (), {"__module__": "torch_musa", "dtype": getattr(torch, name).dtype, "layout": torch.strided}
    )
    for name in NAMES
}


def _type(self: torch.Tensor, dtype: Any = None, non_blocking: bool = False, **kwargs: Any) -> Any:
    if isinstance(dtype, tensortype):
        dtype = _name(dtype)
    elif isinstance(dtype, str) and dtype.startswith("torch_musa."):
        dtype = dtype.replace("torch_musa.", "torch.musa.", 1)
    return self.orig_type(dtype, non_blocking, **kwargs) if dtype is not None else self.orig_type(**kwargs)


def set_tensor_types(module: Any) -> None:
    """Give the module its types, and have `Tensor.type` take them."""
    vars(module).update(TYPES)
    torch.Tensor.orig_type = torch.Tensor.type
    torch.Tensor.type = _type
