"""autocast("musa"): casts before the operators of torch's lists."""

from __future__ import annotations

from typing import Any, Callable

import torch

from . import precisions

_KEY = "AutocastPrivateUse1"
_OFF = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastPrivateUse1)
_Guard = torch._C._ExcludeDispatchKeyGuard
_Cast = Callable[[Any, torch.dtype], Any]


def _cast(value: Any, dtype: torch.dtype) -> Any:
    """Floating tensors of the device in another type, but for float64."""
    if isinstance(value, torch.Tensor):
        if value.is_floating_point() and value.dtype is not torch.float64 and value.device.type == "musa":
            return value if value.dtype is dtype else value.to(dtype)
        return value
    if isinstance(value, (list, tuple)) and any(isinstance(each, torch.Tensor) for each in value):
        return type(value)(_cast(each, dtype) for each in value)
    return value


def _with(op: Any, args: Any, kwargs: Any, dtype: torch.dtype) -> Any:
    return op(*(_cast(each, dtype) for each in args), **{name: _cast(each, dtype) for name, each in kwargs.items()})


def _lower(op: Any) -> Any:
    def kernel(*args: Any, **kwargs: Any) -> Any:
        with _Guard(_OFF):
            return _with(op, args, kwargs, torch._C.get_autocast_dtype("musa"))

    return kernel


def _full(op: Any) -> Any:
    def kernel(*args: Any, **kwargs: Any) -> Any:
        with _Guard(_OFF):
            return _with(op, args, kwargs, torch.float32)

    return kernel


def _full_unless_named(op: Any) -> Any:
    place = [argument.name for argument in op._schema.arguments].index("dtype")

    def kernel(*args: Any, **kwargs: Any) -> Any:
        first = args[0]
        named = kwargs.get("dtype") is not None or (len(args) > place and args[place] is not None)
        if not named and first.is_floating_point() and first.dtype is not torch.float64:
            args, kwargs = args[:place], {**kwargs, "dtype": torch.float32}
        with _Guard(_OFF):
            return op(*args, **kwargs)

    return kernel


def _floats(value: Any) -> list[torch.dtype]:
    if isinstance(value, torch.Tensor):
        return [value.dtype] if value.is_floating_point() else []
    return [dtype for each in value for dtype in _floats(each)] if isinstance(value, (list, tuple)) else []


def _widest(op: Any) -> Any:
    def kernel(*args: Any, **kwargs: Any) -> Any:
        found = _floats([*args, *kwargs.values()])
        dtype = torch.float32 if torch.float32 in found else torch._C.get_autocast_dtype("musa")
        with _Guard(_OFF):
            return op(*args, **kwargs) if torch.float64 in found else _with(op, args, kwargs, dtype)

    return kernel


def _banned(op: Any) -> Any:
    def kernel(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(
            f"torch.nn.functional.{op._schema.name.partition('::')[2]} and torch.nn.BCELoss are unsafe to autocast. Many "
            "models use a sigmoid layer right before the binary cross entropy layer. In this case, combine the two layers "
            "using torch.nn.functional.binary_cross_entropy_with_logits or torch.nn.BCEWithLogitsLoss."
        )

    return kernel


_KINDS: tuple[tuple[list[str], Callable[[Any], Any]], ...] = (
    (precisions.LOWER, _lower),
    (precisions.FULL, _full),
    (precisions.FULL_UNLESS_NAMED, _full_unless_named),
    (precisions.WIDEST, _widest),
    (precisions.BANNED, _banned),
)


def register(library: Any, everything: Any) -> None:
    """Tell the dispatcher."""
    everything.fallback(torch.library.fallthrough_kernel, _KEY)
    for names, make in _KINDS:
        for name in names:
            packet, _, overload = name.partition(".")
            op = getattr(getattr(torch.ops.aten, packet, None), overload or "default", None)
            if op is not None:
                library.m.impl(name, _KEY, make(op), False)
