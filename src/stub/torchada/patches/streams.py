"""Streams, events and generators."""

from __future__ import annotations

from typing import Any

import torch
import torch_musa  # noqa: F401  torch.musa is there

from .. import _devices, _report, _slots
from .._journal import Journal
from .._registry import patch


@patch("stream-handles")
def handles(journal: Journal) -> None:
    """Have `Stream.cuda_stream` and `Event.cuda_event` be MUSA's handles."""
    journal.set(torch.musa.Stream, "cuda_stream", property(lambda self: self.musa_stream, doc="The `musaStream_t`."))
    journal.set(torch.musa.Event, "cuda_event", property(lambda self: self.musa_event, doc="The `musaEvent_t`."))


@patch("generic-streams")
def generic(journal: Journal) -> None:
    """Have `torch.Stream(device="cuda")`, `torch.Event("cuda")` and `torch.Generator(device="cuda")` be made
    for MUSA. The classes stay what they are."""
    for name in ("Stream", "Event", "Generator"):
        cls = getattr(torch, name, None)
        if isinstance(cls, type):
            _slots.replace_constructor_of_base(cls, _constructor(cls, f"torch.{name}"), journal)


def _constructor(cls: type, name: str) -> Any:
    translate = _devices.translate
    count = _report.counter("generic-streams", name)

    def make(construct: Any) -> Any:
        def new(of: type, *args: Any, **kwargs: Any) -> Any:
            if args:
                found = translate(args[0])
                if found is not args[0]:
                    count()
                    args = (found, *args[1:])
            if "device" in kwargs:
                found = translate(kwargs["device"])
                if found is not kwargs["device"]:
                    count()
                    kwargs["device"] = found
            return construct(of, args, kwargs)

        return new

    return make
