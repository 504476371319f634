"""`torch.accelerator`, as newer torch has it."""

from __future__ import annotations

import pytest
import torch


def test_what_the_accelerator_is() -> None:
    assert torch.accelerator.is_available()
    assert torch.accelerator.current_accelerator() == torch.device("cuda")
    assert torch.get_device_module() is torch.get_device_module("musa")
    assert torch.accelerator.device_count() == torch.cuda.device_count()


@pytest.mark.parametrize("device", [None, 1, "cuda:1", torch.device("cuda:1"), "cuda"], ids=str)
def test_synchronize(device: object) -> None:
    torch.accelerator.synchronize(device)


def test_synchronize_takes_devices_only() -> None:
    with pytest.raises(TypeError):
        torch.accelerator.synchronize([])


@pytest.mark.parametrize("device", [1, "cuda:1", torch.device("cuda:1")], ids=str)
def test_memory(device: object) -> None:
    before = torch.accelerator.memory_allocated(device)
    kept = torch.ones(1 << 20, device="cuda:1")
    assert torch.accelerator.memory_allocated(device) - before >= kept.nbytes
    assert torch.accelerator.max_memory_allocated(device) >= torch.accelerator.memory_allocated(device)
    assert torch.accelerator.memory_reserved(device) >= kept.nbytes
    assert torch.accelerator.memory_stats(device)["allocated_bytes.all.current"] >= kept.nbytes
    free, total = torch.accelerator.get_memory_info(device)
    assert 0 < free <= total
    torch.accelerator.reset_peak_memory_stats(device)
    torch.accelerator.empty_cache()


@pytest.mark.parametrize("device", [1, "cuda:1", torch.device("cuda:1")], ids=str)
def test_current_device(device: object) -> None:
    torch.accelerator.set_device_index(device)
    assert torch.accelerator.current_device_index() == torch.cuda.current_device() == 1


def test_device_index_for_a_block() -> None:
    with torch.accelerator.device_index(1):
        assert torch.cuda.current_device() == 1
        with torch.accelerator.device_index(None):
            assert torch.cuda.current_device() == 1
    assert torch.cuda.current_device() == 0


def test_streams() -> None:
    stream = torch.cuda.Stream()
    torch.accelerator.set_stream(stream)
    assert torch.accelerator.current_stream() == stream
    torch.accelerator.set_stream(torch.cuda.default_stream())


def test_names_of_newer_torch() -> None:
    stream = torch.accelerator.Stream()
    with torch.accelerator.stream(stream):
        assert torch.cuda.current_stream() == stream
    torch.accelerator.manual_seed_all(1)
    assert torch.accelerator.get_device_name(0) == torch.cuda.get_device_name(0)


def test_a_name_that_nobody_has() -> None:
    assert not hasattr(torch.accelerator, "no_such_name")
    with pytest.raises(AttributeError, match="no_such_name"):
        torch.accelerator.no_such_name  # noqa: B018


def test_default_device() -> None:
    torch.set_default_device("cuda:1")
    assert torch.zeros(1).device == torch.device("cuda:1") == torch.get_default_device()
    assert torch.get_device_module("cuda").current_device() == 1 or torch.cuda.current_device() == 0
