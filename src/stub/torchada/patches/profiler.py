"""The profilers."""

from __future__ import annotations

import functools
from collections.abc import Collection
from typing import Any

import torch
import torch.autograd.profiler
import torch.profiler
from torch.profiler import ProfilerActivity

from .. import _devices, _report
from .._journal import Journal
from .._registry import patch

#: What torch_musa's profiler is to PyTorch.
_DEVICE = ProfilerActivity.PrivateUse1


@patch("profiler")
def profiler(journal: Journal) -> None:
    """Have `torch.profiler.profile(activities=[ProfilerActivity.CUDA])` record MUSA. The class is changed in
    place; sorting by `cuda_time_total` works as it does for any device of PyTorch's."""
    cls = torch.profiler.profiler._KinetoProfile
    original = cls.__init__
    count = _report.counter("profiler", "ProfilerActivity.CUDA")

    @functools.wraps(original)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        activities = kwargs.get("activities")
        if activities:
            if not isinstance(activities, Collection):
                # what can be gone through once only
                activities = kwargs["activities"] = list(activities)
            translated = _translate(activities)
            if translated is not activities:
                count()
                kwargs["activities"] = translated
        original(self, *args, **kwargs)

    journal.set(cls, "__init__", __init__)
    _later_methods(cls, journal)
    supported = torch.profiler.supported_activities

    @functools.wraps(supported)
    def supported_activities() -> set[ProfilerActivity]:
        return {*supported(), ProfilerActivity.CUDA}

    journal.set(torch.profiler, "supported_activities", supported_activities)


def _later_methods(cls: Any, journal: Journal) -> None:
    """What takes activities or a device's name while a profiler runs, or after."""
    toggle = getattr(cls, "toggle_collection_dynamic", None)
    if toggle is not None:

        @functools.wraps(toggle)
        def toggle_collection_dynamic(self: Any, enable: bool, activities: Any) -> None:
            toggle(self, enable, _translate(activities))

        journal.set(cls, "toggle_collection_dynamic", toggle_collection_dynamic)
    export = getattr(cls, "export_memory_timeline", None)
    if export is not None:

        @functools.wraps(export)
        def export_memory_timeline(self: Any, path: str, device: Any = None) -> None:
            export(self, path, _devices.translate_name(device))

        journal.set(cls, "export_memory_timeline", export_memory_timeline)


def _translate(activities: Any) -> Any:
    """The activities with MUSA's for CUDA's; newer versions of torch take dictionaries of options, too."""
    chosen = list(activities)
    found: list[Any] = []
    for each in chosen:
        if each == ProfilerActivity.CUDA:
            each = _DEVICE
        elif isinstance(each, dict) and ProfilerActivity.CUDA in each:
            each = {_DEVICE if kind == ProfilerActivity.CUDA else kind: options for kind, options in each.items()}
        if each not in found:
            found.append(each)
    return activities if found == chosen else found


@patch("autograd-profiler")
def autograd_profiler(journal: Journal) -> None:
    """Have `torch.autograd.profiler.profile(use_cuda=True)` and `use_device="cuda"` record MUSA."""
    cls = torch.autograd.profiler.profile
    original = cls.__init__
    count = _report.counter("autograd-profiler", "torch.autograd.profiler.profile")

    @functools.wraps(original)
    def __init__(self: Any, enabled: bool = True, **kwargs: Any) -> None:
        uses_cuda = kwargs.pop("use_cuda", False)
        if uses_cuda or kwargs.get("use_device") == "cuda":
            count()
            kwargs["use_device"] = "musa"
        original(self, enabled, **kwargs)

    journal.set(cls, "__init__", __init__)


@patch("emit-nvtx")
def emit_nvtx(journal: Journal) -> None:
    """Have `torch.autograd.profiler.emit_nvtx()` run its block without marks, since MUSA has no NVTX."""
    cls = torch.autograd.profiler.emit_nvtx
    count = _report.counter("emit-nvtx", "torch.autograd.profiler.emit_nvtx")

    @functools.wraps(cls.__enter__)
    def __enter__(self: Any) -> Any:
        count()
        return self if self.enabled else None

    @functools.wraps(cls.__exit__)
    def __exit__(self: Any, *_: Any) -> Any:
        return False if self.enabled else None

    journal.set(cls, "__enter__", __enter__)
    journal.set(cls, "__exit__", __exit__)
