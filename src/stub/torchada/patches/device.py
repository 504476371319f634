"""`torch.device`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .. import _devices, _report, _slots
from .._journal import Journal
from .._registry import patch

# The same after `importlib.reload`: the constructor that is in place has it as a default.
_NOTHING = globals().get("_NOTHING") or object()


@patch("device")
def device(journal: Journal) -> None:
    """Have `torch.device("cuda:1")` make the device `musa:1`. The class stays what it is, so
    `type(d) is torch.device`, `isinstance` and pickling hold, whoever imported it before."""
    if _slots.can_replace(torch.device):
        _slots.replace_constructor(torch.device, _constructor, journal)
    else:
        _replace_class(journal)


def _constructor(construct: Callable[[tuple[Any, ...], dict[str, Any]], Any]) -> Callable[..., Any]:
    """The constructor for the slot: a device that was asked for before is given again."""
    musa = _devices.MUSA
    count = _report.counter("device", "torch.device")
    known: dict[Any, Any] = {}

    def new(cls: type, spec: Any = _NOTHING, /, index: Any = _NOTHING, **kwargs: Any) -> Any:
        if spec.__class__ is str and not kwargs:
            key = spec if index is _NOTHING else (spec, index)
            try:
                found = known.get(key)
            except TypeError:  # an index that no device can have: torch says so
                found = None
            if found is not None:
                return found
            found = musa.get(spec) if index is _NOTHING else None
            if found is not None:
                if count.quiet:
                    count.times += 1
                else:
                    count()
                return found
            args: tuple[Any, ...] = (spec,) if index is _NOTHING else (spec, index)
            made = construct(args, kwargs)
            found = musa.get(made)
            if found is None:
                if key.__class__ is str or index.__class__ is int:
                    # True is 1 as a key, and no index of a device
                    known[key] = made
                return made
            count()
            return found
        if index is not _NOTHING:
            kwargs["index"] = index
        made = construct(() if spec is _NOTHING else (spec,), kwargs)
        found = musa.get(made)
        if found is not None:
            count()
            return found
        return made

    return new


def _replace_class(journal: Journal) -> None:
    """Put a class in the place of `torch.device`, where the interpreter doesn't let the real one be changed."""
    original = torch.device
    new = _constructor(lambda args, kwargs: original(*args, **kwargs))

    class Meta(type):
        def __call__(cls, *args: Any, **kwargs: Any) -> Any:
            return new(original, *args, **kwargs)

        def __instancecheck__(cls, instance: Any) -> bool:
            return isinstance(instance, original)

        def __subclasscheck__(cls, subclass: type) -> bool:
            return issubclass(subclass, original)

    class device(metaclass=Meta):
        __doc__ = original.__doc__

    device.__module__, device.__qualname__ = "torch", "device"
    journal.set(torch, "device", device)
