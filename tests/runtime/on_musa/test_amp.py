"""Mixed precision: autocast, the scaler, decorated functions."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_autocast(dtype: torch.dtype, musa: torch.device) -> None:
    model, inputs = nn.Linear(4, 4).to(musa), torch.randn(2, 4, device=musa)
    with torch.autocast("musa", dtype=dtype):
        output = model(inputs)
        assert output.dtype == dtype
        assert torch.softmax(output, -1).dtype == torch.float32
        assert torch.cat([output, inputs[:, :4]]).dtype == torch.float32
        with torch.autocast("musa", enabled=False):
            assert (inputs @ inputs.t()).dtype == torch.float32
    assert model(inputs).dtype == torch.float32


def test_the_devices_own_names(musa: torch.device) -> None:
    inputs = torch.randn(2, 2, device=musa)
    with torch.musa.amp.autocast():
        assert (inputs @ inputs).dtype == torch.float16
        assert torch.is_autocast_enabled("musa") and torch.is_autocast_enabled()
    with torch.musa.amp.autocast(enabled=False):
        assert (inputs @ inputs).dtype == torch.float32
    assert not torch.is_autocast_enabled()
    assert torch.musa.get_amp_supported_dtype() == [torch.float16, torch.bfloat16]
    assert not torch.musa.amp_definitely_not_available()


def test_autocast_of_other_devices_changes_nothing(musa: torch.device) -> None:
    inputs = torch.randn(2, 2, device=musa)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert (inputs @ inputs).dtype == torch.float32


@pytest.mark.parametrize("scaler", [lambda: torch.amp.GradScaler("musa"), lambda: torch.musa.amp.GradScaler()])
def test_scaler(scaler: Any, musa: torch.device) -> None:
    model, scale = nn.Linear(4, 4).to(musa), scaler()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    before = model.weight.detach().clone()
    with torch.autocast("musa"):
        loss = model(torch.randn(2, 4, device=musa)).float().mean()
    scale.scale(loss).backward()
    scale.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    assert norm.item() < 10
    scale.step(optimizer)
    scale.update()
    assert not torch.equal(before, model.weight)
    assert scale.get_scale() == 65536


def test_a_step_with_infinities_is_skipped(musa: torch.device) -> None:
    model, scale = nn.Linear(2, 2).to(musa), torch.amp.GradScaler("musa")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    before = model.weight.detach().clone()
    scale.scale(model(torch.full((1, 2), float("inf"), device=musa)).sum()).backward()
    scale.step(optimizer)
    scale.update()
    assert torch.equal(before, model.weight)
    assert scale.get_scale() == 32768


def test_custom_functions(musa: torch.device) -> None:
    class Multiply(torch.autograd.Function):
        @staticmethod
        @torch.musa.amp.custom_fwd(cast_inputs=torch.float32)
        def forward(ctx: Any, left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
            assert left.dtype == torch.float32 and not torch.is_autocast_enabled("musa")
            ctx.save_for_backward(left, right)
            return left @ right

        @staticmethod
        @torch.musa.amp.custom_bwd
        def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            left, right = ctx.saved_tensors
            return gradient @ right.t(), left.t() @ gradient

    left = torch.randn(2, 2, device=musa, dtype=torch.float16, requires_grad=True)
    with torch.autocast("musa"):
        Multiply.apply(left, torch.randn(2, 2, device=musa)).sum().backward()
    assert left.grad.dtype == torch.float16
