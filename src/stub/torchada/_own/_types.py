"""The types of tensors that PyTorch had before devices and dtypes: `torch.cuda.FloatTensor` and its kin.

A tensor's Python class is none of them; they say what `isinstance` and `Tensor.type` mean, and make tensors.
"""

from __future__ import annotations

from typing import Any

import torch

_DTYPES = {
    "BFloat16Tensor": torch.bfloat16,
    "BoolTensor": torch.bool,
    "ByteTensor": torch.uint8,
    "CharTensor": torch.int8,
    "DoubleTensor": torch.float64,
    "FloatTensor": torch.float32,
    "HalfTensor": torch.float16,
    "IntTensor": torch.int32,
    "LongTensor": torch.int64,
    "ShortTensor": torch.int16,
}


class TensorType(type):
    """The class of these types."""

    dtype: torch.dtype
    layout: torch.layout
    #: As CUDA's types say.
    is_cuda = True

    @property
    def is_sparse(cls) -> bool:
        """Whether its tensors are sparse."""
        return cls.layout is torch.sparse_coo

    def __instancecheck__(cls, instance: Any) -> bool:
        return (
            isinstance(instance, torch.Tensor)
            and instance.device.type == "musa"
            and instance.dtype is cls.dtype
            and instance.layout is cls.layout
        )

    def __call__(cls, *args: Any, device: Any = None) -> torch.Tensor:
        target = torch.device("musa" if device is None else device)
        if cls.is_sparse:
            return _sparse(cls, args, target)
        if not args or all(isinstance(arg, int) for arg in args) or isinstance(args[0], torch.Size):
            size = args[0] if args and isinstance(args[0], torch.Size) else (args or (0,))
            return torch.empty(size, dtype=cls.dtype, device=target)
        if len(args) != 1:
            raise TypeError(f"new() takes sizes, a sequence, a tensor or a storage, not {len(args)} arguments")
        first = args[0]
        if isinstance(first, (torch.UntypedStorage, torch.TypedStorage)):
            return torch.empty(0, dtype=cls.dtype, device=first.device).set_(first)
        if isinstance(first, torch.Tensor):
            if not isinstance(first, cls):
                raise TypeError(f"expected {_name(cls)} (got {first.type()})")
            return first.detach()
        return torch.as_tensor(first, dtype=cls.dtype).to(target)


def _sparse(cls: TensorType, args: tuple[Any, ...], target: torch.device) -> torch.Tensor:
    if len(args) >= 2 and isinstance(args[0], torch.Tensor):
        indices, values, *size = args
        return torch.sparse_coo_tensor(indices, values, *size, dtype=cls.dtype, device=target)
    shape = args[0] if args and isinstance(args[0], torch.Size) else (args or (0,))
    return torch.empty(shape, dtype=cls.dtype, layout=torch.sparse_coo, device=target)


def _name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__name__}"


def _make(module: str, layout: torch.layout) -> dict[str, TensorType]:
    return {
        name: TensorType(name, (), {"dtype": dtype, "layout": layout, "__module__": module})
        for name, dtype in _DTYPES.items()
    }


_DENSE = _make("torch.cuda", torch.strided)
_SPARSE = _make("torch.cuda.sparse", torch.sparse_coo)

#: Every type by its dotted name.
BY_NAME: dict[str, TensorType] = {_name(cls): cls for cls in (*_DENSE.values(), *_SPARSE.values())}


def dense(name: str) -> TensorType:
    """The type of `torch.cuda` by this name. Raises AttributeError if there is none."""
    return _find(_DENSE, name)


def sparse(name: str) -> TensorType:
    """The type of `torch.cuda.sparse` by this name. Raises AttributeError if there is none."""
    return _find(_SPARSE, name)


def _find(types: dict[str, TensorType], name: str) -> TensorType:
    if name not in types:
        raise AttributeError(f"torch.cuda has no type {name!r}")
    return types[name]
