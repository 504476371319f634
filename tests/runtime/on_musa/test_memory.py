"""What is counted of a device's memory."""

from __future__ import annotations

import gc

import pytest
import torch


def test_counting(musa: torch.device) -> None:
    gc.collect()
    before = torch.musa.memory_allocated()
    torch.musa.reset_peak_memory_stats()
    tensor = torch.empty(1 << 20, dtype=torch.uint8, device=musa)
    assert torch.musa.memory_allocated() - before == 1 << 20
    assert torch.musa.memory_reserved() == torch.musa.memory_allocated()
    free, total = torch.musa.mem_get_info()
    assert total - free == torch.musa.memory_allocated()
    del tensor
    assert torch.musa.memory_allocated() == before
    assert torch.musa.max_memory_allocated() == before + (1 << 20)
    torch.musa.reset_peak_memory_stats()
    assert torch.musa.max_memory_allocated() == before


def test_devices_are_counted_apart() -> None:
    before = torch.musa.memory_allocated(0), torch.musa.memory_allocated("musa:1")
    tensor = torch.empty(4096, dtype=torch.uint8, device="musa:1")
    assert torch.musa.memory_allocated(0) == before[0]
    assert torch.musa.memory_allocated(1) == before[1] + tensor.numel()


def test_running_out() -> None:
    ooms = torch.musa.memory_stats()["num_ooms"]
    with pytest.raises(torch.OutOfMemoryError, match="MUSA out of memory"):
        torch.empty(1 << 40, dtype=torch.uint8, device="musa")
    assert torch.musa.memory_stats()["num_ooms"] == ooms + 1
    assert torch.musa.OutOfMemoryError is torch.OutOfMemoryError


def test_statistics() -> None:
    kept = torch.ones(10, device="musa")
    stats = torch.musa.memory_stats()
    assert stats["allocated_bytes.all.current"] == torch.musa.memory_allocated() >= kept.nbytes
    assert torch.musa.memory_stats_as_nested_dict()["reserved_bytes"]["all"]["peak"] > 0
    assert len(torch.musa.memory_stats_all()) == 2
    assert "device ID 0" in torch.musa.memory_summary()
    torch.musa.reset_accumulated_memory_stats()
    assert torch.musa.memory_stats()["allocated_bytes.all.allocated"] == 0


def test_what_only_has_a_name() -> None:
    torch.musa.empty_cache()
    torch.musa.ipc_collect()
    torch.musa.set_per_process_memory_fraction(0.5)
    with pytest.raises(ValueError, match="fraction"):
        torch.musa.set_per_process_memory_fraction(2.0)
    with torch.musa.use_mem_pool(torch.musa.MemPool()):
        assert torch.ones(1, device="musa").item() == 1
    with pytest.raises(RuntimeError, match="allocator"):
        torch.musa.change_current_allocator(None)


def test_runtime_functions() -> None:
    runtime = torch.musa.musart()
    assert runtime.musaMemGetInfo(0) == torch.musa.mem_get_info(0)
    assert runtime.musaHostRegister(0, 0, 0) == runtime.musaError.success
    assert runtime.musaGetErrorString(runtime.musaError.success) == "no error"
