"""The profiler sees the device's work."""

from __future__ import annotations

from pathlib import Path

import torch
from torch.profiler import ProfilerActivity, profile, record_function, schedule


def test_activities(musa: torch.device) -> None:
    assert ProfilerActivity.PrivateUse1 == ProfilerActivity.MUSA
    activities = [ProfilerActivity.CPU, ProfilerActivity.MUSA]
    with profile(activities=activities, record_shapes=True) as profiled, record_function("a name"):
        torch.randn(8, 8, device=musa) @ torch.randn(8, 8, device=musa)
    names = {event.key for event in profiled.key_averages()}
    assert {"aten::mm", "a name"} <= names
    assert "aten::mm" in profiled.key_averages().table(sort_by="self_cpu_time_total", row_limit=50)


def test_traces_and_schedules(musa: torch.device, tmp_path: Path) -> None:
    traces = []
    with profile(
        activities=[ProfilerActivity.CPU],
        schedule=schedule(wait=1, warmup=1, active=2),
        on_trace_ready=lambda profiled: traces.append(profiled.export_chrome_trace(str(tmp_path / "trace.json"))),
    ) as profiled:
        for _ in range(4):
            torch.ones(2, device=musa).sum()
            profiled.step()
    assert len(traces) == 1
    assert "aten::sum" in (tmp_path / "trace.json").read_text()
