"""Autograd on the device gives what it gives on the CPU."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def test_gradients_are_the_cpus(musa: torch.device) -> None:
    model, inputs = nn.Linear(4, 3), torch.randn(5, 4)
    on_cpu = inputs.clone().requires_grad_()
    model(on_cpu).pow(2).mean().backward()
    expected = [on_cpu.grad, model.weight.grad.clone(), model.bias.grad.clone()]
    model.zero_grad()
    model.to(musa)
    on_musa = inputs.to(musa).requires_grad_()
    model(on_musa).pow(2).mean().backward()
    for wanted, got in zip(expected, [on_musa.grad, model.weight.grad, model.bias.grad]):
        assert got.device == musa
        torch.testing.assert_close(got.cpu(), wanted)


def test_gradients_cross_devices() -> None:
    on_cpu = torch.ones(3, requires_grad=True)
    (on_cpu.to("musa:0").to("musa:1") * 2).sum().backward()
    assert on_cpu.grad.device.type == "cpu"
    assert on_cpu.grad.tolist() == [2, 2, 2]


def test_second_derivatives(musa: torch.device) -> None:
    x = torch.tensor(3.0, device=musa, requires_grad=True)
    (first,) = torch.autograd.grad(x**3, x, create_graph=True)
    (second,) = torch.autograd.grad(first, x)
    assert (first.item(), second.item()) == (27, 18)


def test_own_functions(musa: torch.device) -> None:
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx: Any, gradient: torch.Tensor) -> torch.Tensor:
            assert ctx.saved_tensors[0].is_musa and gradient.is_musa
            return gradient * 2

    x = torch.ones(2, device=musa, requires_grad=True)
    Double.apply(x).sum().backward()
    assert x.grad.tolist() == [2, 2]


def test_checkpointing_replays_random_numbers(musa: torch.device) -> None:
    x = torch.ones(100, device=musa, requires_grad=True)
    masks: list[torch.Tensor] = []

    def block(value: torch.Tensor) -> torch.Tensor:
        mask = torch.rand_like(value)
        masks.append(mask.detach())
        return value * mask

    checkpoint(block, x, use_reentrant=False).sum().backward()
    assert len(masks) == 2
    assert torch.equal(*masks)
    torch.testing.assert_close(x.grad, masks[0])


def test_hooks_see_the_device(musa: torch.device) -> None:
    seen = []
    x = torch.ones(2, device=musa, requires_grad=True)
    x.register_hook(lambda gradient: seen.append(gradient.device))
    (x * 3).sum().backward()
    assert seen == [musa]


def test_func_transforms(musa: torch.device) -> None:
    rows = torch.arange(6.0, device=musa).view(3, 2)
    dots = torch.func.vmap(lambda a, b: (a * b).sum())(rows, rows)
    assert dots.tolist() == [1, 13, 41]
    assert torch.func.grad(lambda x: (x**2).sum())(rows)[0].tolist() == [0, 2]


def test_wrong_device_of_a_gradient(musa: torch.device) -> None:
    x = torch.ones(2, device=musa, requires_grad=True)
    with pytest.raises(RuntimeError):
        (x * 2).backward(torch.ones(2))
