"""The profilers, as programs for CUDA use them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch.profiler import ProfilerActivity, profile, record_function, schedule


def work() -> None:
    torch.ones(8, 8, device="cuda") @ torch.ones(8, 8, device="cuda")


@pytest.mark.parametrize(
    "activities",
    [
        [ProfilerActivity.CPU, ProfilerActivity.CUDA],
        {ProfilerActivity.CPU, ProfilerActivity.CUDA},
        (ProfilerActivity.CPU,),
        None,
    ],
    ids=["list", "set", "cpu", "none"],
)
def test_activities_and_sort_keys(activities: Any, tmp_path: Path) -> None:
    with profile(activities=activities, record_shapes=True) as profiled, record_function("a name"):
        work()
    events = profiled.key_averages()
    assert {"aten::mm", "a name"} <= {event.key for event in events}
    for key in ("cuda_time_total", "self_cuda_time_total", "cpu_time_total", "device_time_total"):
        assert "aten::mm" in events.table(sort_by=key, row_limit=50)
    event = profiled.events()[0]
    assert event.cuda_time_total >= 0 and event.self_cuda_time_total >= 0
    profiled.export_chrome_trace(str(tmp_path / "trace.json"))
    assert "aten::mm" in (tmp_path / "trace.json").read_text()


def test_the_device_is_musa() -> None:
    profiled = profile(activities=[ProfilerActivity.CUDA])
    assert isinstance(profiled, torch.profiler.profile)
    assert profiled.use_device == "musa" and ProfilerActivity.PrivateUse1 in profiled.activities
    assert ProfilerActivity.CUDA in torch.profiler.supported_activities()
    chosen = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
    profile(activities=chosen)
    assert chosen == [ProfilerActivity.CPU, ProfilerActivity.CUDA]


def test_schedules() -> None:
    traces = []
    with profile(
        activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
        schedule=schedule(wait=1, warmup=1, active=2),
        on_trace_ready=traces.append,
    ) as profiled:
        for _ in range(4):
            work()
            profiled.step()
    assert len(traces) == 1


@pytest.mark.parametrize("options", [{"use_cuda": True}, {"use_device": "cuda"}], ids=str)
def test_the_older_profiler(options: dict) -> None:
    with torch.autograd.profiler.profile(enabled=True, **options) as profiled:
        work()
    assert profiled.use_device == "musa"
    assert "aten::mm" in profiled.key_averages().table(sort_by="cuda_time_total")


def test_the_older_profiler_without_a_device() -> None:
    with torch.autograd.profiler.profile(use_cuda=False) as profiled:
        work()
    assert profiled.use_device is None
    with torch.autograd.profiler.profile(False):
        work()


def test_switching_while_it_runs() -> None:
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiled:
        profiled.toggle_collection_dynamic(False, [ProfilerActivity.CUDA])
        work()
        profiled.toggle_collection_dynamic(True, {ProfilerActivity.CPU, ProfilerActivity.CUDA})
    assert profiled.key_averages()
