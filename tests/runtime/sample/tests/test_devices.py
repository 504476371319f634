from unittest import mock

import pytest
import torch
from glow.devices import describe, memory_in_use, pick_device, seed_everything, visible_devices


def test_the_first_gpu_is_picked_where_there_is_one(gpu_device):
    assert pick_device().type == "cuda"
    assert pick_device("auto") == gpu_device


def test_the_cpu_can_be_asked_for():
    with mock.patch("torch.cuda.set_device", side_effect=AssertionError):
        assert pick_device("cpu") == torch.device("cpu")


def test_a_device_can_be_asked_for(gpu_device):
    assert pick_device("cuda:1") == torch.device("cuda:1")
    assert torch.cuda.current_device() == 1
    torch.cuda.set_device(0)


def test_seeds_make_a_device_repeatable(device):
    draws = []
    for _ in range(2):
        seed_everything(7)
        draws.append(torch.rand(4, device=device))
    assert torch.equal(*draws)


def test_memory_is_counted(gpu_device):
    before = memory_in_use(gpu_device)
    tensor = torch.zeros(1 << 20, device=gpu_device)
    assert tensor.is_cuda and tensor.get_device() == gpu_device.index
    assert memory_in_use(gpu_device) - before >= 4 << 20


def test_visible_devices_are_read(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,3")
    assert visible_devices() == [0, 3]
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES")
    assert visible_devices() is None


@pytest.mark.parametrize("name", ["cuda", "cuda:0"])
def test_a_gpu_is_described(gpu_device, name):
    assert torch.cuda.get_device_name(0) in describe(torch.device(name))


def test_the_cpu_is_described():
    assert describe(torch.device("cpu")) == "no CUDA device: training on the CPU"
