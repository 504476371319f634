"""Streams, events and generators, written for CUDA."""

from __future__ import annotations

import pytest
import torch

SECOND = torch.device("cuda:1")


def test_streams() -> None:
    stream = torch.cuda.Stream(priority=-1)
    assert isinstance(stream, torch.cuda.Stream) and isinstance(stream, torch.Stream)
    assert stream.cuda_stream == stream.musa_stream and stream.priority == -1
    assert torch.cuda.Stream("cuda:1").device == torch.cuda.Stream(device=1).device == SECOND
    assert torch.cuda.default_stream(SECOND).device == SECOND
    external = torch.cuda.ExternalStream(stream.cuda_stream, device="cuda:0")
    assert external.cuda_stream == stream.cuda_stream
    with torch.cuda.stream(stream):
        assert torch.cuda.current_stream().cuda_stream == stream.cuda_stream
        x = torch.ones(2, device="cuda")
    x.record_stream(torch.cuda.current_stream())
    torch.cuda.current_stream().wait_stream(stream)
    stream.synchronize()
    assert stream.query()
    least, greatest = torch.cuda.Stream.priority_range()
    assert greatest <= least

    class Mine(torch.cuda.Stream):
        pass

    assert isinstance(Mine(), Mine)


def test_events() -> None:
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(True, False, False)
    start.record()
    torch.ones(2, device="cuda").sum()
    end.record(torch.cuda.current_stream())
    end.synchronize()
    assert start.elapsed_time(end) >= 0 and start.cuda_event == start.musa_event


def test_those_of_any_device() -> None:
    stream = torch.Stream(device="cuda:1")
    assert type(stream) is torch.Stream and stream.device == SECOND
    assert torch.Stream("cuda").device.type == torch.device("cuda").type
    event = torch.Event("cuda")
    event.record(torch.Stream(device=torch.device("cuda")))
    event.synchronize()
    torch.Event(device="cuda:0", enable_timing=True)
    with pytest.raises(RuntimeError):
        torch.Stream(device="nothing")


def test_generators() -> None:
    for generator in (torch.Generator("cuda:1"), torch.Generator(device="cuda:1"), torch.Generator(SECOND)):
        assert type(generator) is torch.Generator and generator.device == SECOND
    assert torch.Generator().device.type == torch.Generator(device="cpu").device.type == "cpu"
    generator = torch.Generator("cuda").manual_seed(3)
    first = torch.randn(3, device="cuda", generator=generator)
    assert torch.equal(first, torch.randn(3, device="cuda", generator=generator.manual_seed(3)))

    class Mine(torch.Generator):
        pass

    assert type(Mine("cuda:1")) is Mine


def test_states_of_generators() -> None:
    state = torch.cuda.get_rng_state("cuda")
    first = torch.rand(2, device="cuda")
    torch.cuda.set_rng_state(state, device="cuda:0")
    assert torch.equal(first, torch.rand(2, device="cuda"))
    with torch.random.fork_rng(devices=[0], device_type="cuda"):
        torch.cuda.manual_seed(9)
    torch.cuda.set_rng_state(state)
    assert torch.equal(first, torch.rand(2, device="cuda"))
