"""Devices: counting, choosing, naming them."""

from __future__ import annotations

import copy
import os
import pickle

import pytest
import torch
import warm


def test_two_devices() -> None:
    assert torch.musa.is_available()
    assert torch.musa.device_count() == 2
    assert torch.musa.current_device() == 0
    torch.musa.set_device("musa:1")
    assert torch.musa.current_device() == 1
    assert torch.empty(1, device="musa").device == torch.device("musa:1")


def test_contexts_restore_the_device() -> None:
    with torch.musa.device(1):
        assert torch.empty(1, device="musa").device.index == 1
        with torch.musa.device(None), torch.musa.device(-1):
            assert torch.musa.current_device() == 1
    assert torch.musa.current_device() == 0
    with torch.musa.device_of(torch.ones(1, device="musa:1")):
        assert torch.musa.current_device() == 1
    with torch.musa.device_of(torch.ones(1)):
        assert torch.musa.current_device() == 0
    with torch.musa._DeviceGuard(1):
        assert torch.musa.current_device() == 1
    assert torch.musa.current_device() == 0


def test_a_device_that_is_not_there() -> None:
    for action in (
        lambda: torch.empty(1, device="musa:2"),
        lambda: torch.musa.set_device(2),
        lambda: torch.ones(1).to("musa:7"),
        lambda: torch.Generator(device="musa:2"),
        lambda: torch.musa.synchronize(5),
    ):
        with pytest.raises(RuntimeError, match="invalid device ordinal"):
            action()
    with pytest.raises(AssertionError, match="Invalid device id"):
        torch.musa.get_device_properties(2)
    with pytest.raises(ValueError, match="Expected a musa device"):
        torch.musa.set_device("cpu")


def test_moving_between_devices() -> None:
    here = torch.arange(4.0, device="musa:0")
    there = here.to("musa:1")
    assert there.device.index == 1
    assert here.to(1).device == torch.device("musa:1")
    assert there.musa(0).device.index == 0
    assert torch.equal(there.cpu(), torch.arange(4.0))
    assert here.to("musa") is here


def test_properties() -> None:
    assert torch.musa.get_device_name() == torch.musa.get_device_properties("musa:1").name
    assert torch.musa.get_device_capability() == (3, 1)
    assert torch.musa.can_device_access_peer(0, 1)
    assert torch.musa.get_arch_list()
    assert torch.musa.is_bf16_supported() and torch.musa.is_tf32_supported()


def test_default_device() -> None:
    with torch.device("musa"):
        assert torch.ones(2).is_musa
        assert torch.nn.Linear(2, 2).weight.is_musa
    torch.set_default_device("musa:1")
    assert torch.zeros(2).device.index == 1


def test_accelerator() -> None:
    accelerator = torch.accelerator
    assert accelerator.current_accelerator() == torch.device("musa")
    assert accelerator.device_count() == 2
    assert accelerator.current_stream().device.type == "musa"
    accelerator.synchronize()
    assert torch.get_device_module("musa") is torch.musa


def test_copies_and_pickles_keep_the_device() -> None:
    tensor = torch.ones(2, device="musa:1")
    assert pickle.loads(pickle.dumps(tensor)).device == tensor.device
    assert copy.deepcopy(torch.nn.Linear(2, 2).to("musa:1")).weight.device == tensor.device
    assert pickle.loads(pickle.dumps(torch.device("musa:1"))) == torch.device("musa:1")


@pytest.mark.parametrize(("listed", "count"), [("", 0), ("1", 1), ("0,5,1", 1)])
def test_visible_devices(listed: str, count: int) -> None:
    code = "import torch, torch_musa; print(torch.musa.device_count(), torch.musa.is_available())"
    environment = {**os.environ, "MUSA_VISIBLE_DEVICES": listed}
    done = warm.run(["-c", code], env=environment)
    assert done.stdout.split() == [str(count), str(count > 0)], done.stderr
