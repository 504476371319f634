"""Tensors and modules, written for CUDA."""

from __future__ import annotations

import pytest
import torch

MUSA = torch.device("musa:1")


@pytest.mark.parametrize("device", ["cuda:1", torch.device("cuda:1"), 1], ids=str)
def test_to(device: object) -> None:
    x = torch.zeros(2)
    assert x.to(device).device == MUSA
    assert x.to(device=device).device == MUSA
    assert x.to(device, torch.float16).dtype == torch.float16
    assert x.to(device, non_blocking=True, copy=True).device == MUSA


def test_to_where_it_is_gives_the_same_tensor() -> None:
    x = torch.zeros(2, device="cuda")
    assert x.to("cuda") is x
    assert x.to("cuda:0") is x
    assert x.cuda() is x


def test_to_without_a_device() -> None:
    x = torch.zeros(2)
    assert x.to(torch.float64).dtype == torch.float64
    assert x.to(torch.ones(1, dtype=torch.int8)).dtype == torch.int8
    assert x.to("cpu") is x


def test_memory_format() -> None:
    x = torch.zeros(1, 2, 3, 3)
    assert x.to("cuda", memory_format=torch.channels_last).is_contiguous(memory_format=torch.channels_last)
    assert x.cuda(memory_format=torch.channels_last).is_contiguous(memory_format=torch.channels_last)


@pytest.mark.parametrize("device", ["cuda:1", torch.device("cuda:1"), 1], ids=str)
def test_cuda(device: object) -> None:
    x = torch.zeros(2)
    assert x.cuda(device).device == MUSA
    assert x.cuda(device=device, non_blocking=True).device == MUSA


def test_cuda_goes_to_the_current_device() -> None:
    with torch.cuda.device(1):
        assert torch.zeros(2).cuda().device == MUSA


def test_is_cuda() -> None:
    assert torch.zeros(2, device="cuda").is_cuda
    assert not torch.zeros(2).is_cuda
    assert not torch.zeros(2, device="meta").is_cuda
    assert torch.nn.Parameter(torch.zeros(2, device="cuda")).is_cuda


def test_a_wrong_device_is_refused() -> None:
    with pytest.raises(RuntimeError):
        torch.zeros(2).to("cuda:99")
    with pytest.raises(RuntimeError):
        torch.zeros(2).to("cudda")


def test_a_subclass_is_asked() -> None:
    asked = []

    class Sub(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            asked.append(func.__name__)
            return super().__torch_function__(func, types, args, kwargs or {})

    made = torch.zeros(2).as_subclass(Sub).to("cuda")
    assert isinstance(made, Sub)
    assert "_to" in asked or "to" in asked


@pytest.mark.parametrize("device", ["cuda:1", torch.device("cuda:1"), 1], ids=str)
def test_modules(device: object) -> None:
    assert next(torch.nn.Linear(2, 2).to(device).parameters()).device == MUSA
    assert next(torch.nn.Linear(2, 2).cuda(device).parameters()).device == MUSA


@pytest.mark.parametrize("device", [None, 1], ids=str)
def test_a_module_whose_own_cuda_a_port_renamed(device: int | None) -> None:
    class Packed(torch.nn.Linear):
        def __init__(self) -> None:
            super().__init__(2, 2)
            self.meta = {"scale": torch.ones(1)}

        def musa(self, device: int | None = None) -> Packed:
            self.meta["scale"] = self.meta["scale"].cuda(device)
            return super().cuda(device)

    packed = Packed().cuda() if device is None else Packed().cuda(device)
    assert packed.weight.is_cuda
    assert packed.meta["scale"].device == packed.weight.device


def test_a_module_made_on_the_device() -> None:
    assert torch.nn.Linear(2, 2, device="cuda").weight.is_cuda
    assert torch.nn.Linear(2, 2, device="meta").to_empty(device="cuda").weight.is_cuda


def test_training() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1)).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05)
    x = torch.randn(32, 4, device="cuda")
    y = x.sum(dim=1, keepdim=True)
    losses = []
    for _ in range(30):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 4


def test_packed_sequences() -> None:
    packed = torch.nn.utils.rnn.pack_sequence([torch.ones(2), torch.ones(1)])
    assert packed.cuda().data.is_cuda
    assert packed.to("cuda").is_cuda
