"""Streams and events."""

from __future__ import annotations

import ctypes

import pytest
import torch


def test_current_stream(musa: torch.device) -> None:
    default, stream = torch.musa.default_stream(), torch.musa.Stream()
    assert torch.musa.current_stream() == default and stream != default
    with torch.musa.stream(stream):
        assert torch.musa.current_stream() == stream
        assert torch.musa.current_stream(1) == torch.musa.default_stream(1)
    assert torch.musa.current_stream() == default
    with torch.musa.stream(None):
        assert torch.musa.current_stream() == default
    torch.musa.set_stream(stream)
    assert torch.musa.current_stream(musa).musa_stream == stream.musa_stream
    torch.musa.set_stream(default)


def test_a_stream_brings_its_device() -> None:
    stream = torch.musa.Stream(device="musa:1", priority=-1)
    assert stream.device == torch.device("musa:1")
    with torch.musa.stream(stream):
        assert torch.musa.current_device() == 1
        assert torch.ones(1, device="musa").device.index == 1
    assert torch.musa.current_device() == 0
    torch.musa._set_stream_by_id(stream.stream_id, stream.device_index, stream.device_type)
    assert torch.musa.current_stream(1) == stream
    torch.musa.set_stream(torch.musa.default_stream(1))


def test_work_of_streams(musa: torch.device) -> None:
    stream, tensor = torch.musa.Stream(), torch.ones(3, device=musa)
    stream.wait_stream(torch.musa.current_stream())
    with torch.musa.stream(stream):
        tensor.add_(1)
    tensor.record_stream(stream)
    torch.musa.current_stream().wait_stream(stream)
    stream.synchronize()
    torch.musa.synchronize()
    assert stream.query() and tensor.tolist() == [2, 2, 2]


def test_events() -> None:
    start, end = (torch.musa.Event(enable_timing=True) for _ in range(2))
    start.record()
    torch.randn(64, 64, device="musa").sum()
    end.record(torch.musa.Stream())
    end.synchronize()
    end.wait()
    assert end.query()
    assert 0 < start.elapsed_time(end) < 60_000
    assert torch.musa.Stream().record_event().query()
    torch.musa.Stream().wait_event(end)


def test_events_that_have_no_time() -> None:
    timed, plain = torch.musa.Event(enable_timing=True), torch.musa.Event()
    with pytest.raises(ValueError, match="must be recorded"):
        timed.elapsed_time(torch.musa.Event(enable_timing=True))
    with pytest.raises(ValueError, match="enable_timing"):
        timed.elapsed_time(plain)
    with pytest.raises(RuntimeError, match="between processes"):
        plain.ipc_handle()


def test_streams_of_others() -> None:
    stream = torch.musa.ExternalStream(0x1234, device="musa:1")
    assert (stream.musa_stream, stream.device.index) == (0x1234, 1)
    assert isinstance(stream._as_parameter_, ctypes.c_void_p) and stream._as_parameter_.value == 0x1234
    assert "musa_stream=0x1234" in repr(stream)


def test_torchs_own_classes() -> None:
    stream, event = torch.Stream(device="musa"), torch.Event("musa")
    event.record(stream)
    event.synchronize()
    assert isinstance(torch.musa.Stream(), torch.Stream) and isinstance(torch.musa.Event(), torch.Event)
