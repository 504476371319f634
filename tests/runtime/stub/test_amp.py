"""Mixed precision, written for CUDA."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.amp import autocast as imported_autocast


@pytest.fixture
def layer() -> nn.Linear:
    return nn.Linear(4, 4).cuda()


@pytest.mark.parametrize(
    ("make", "dtype"),
    [
        (lambda: torch.autocast("cuda"), torch.float16),
        (lambda: torch.autocast(device_type="cuda", dtype=torch.bfloat16), torch.bfloat16),
        (lambda: torch.autocast("cuda", torch.bfloat16, True, False), torch.bfloat16),
        (lambda: imported_autocast("cuda"), torch.float16),
        (lambda: torch.amp.autocast_mode.autocast("cuda"), torch.float16),
        (lambda: torch.cuda.amp.autocast(), torch.float16),
        (lambda: torch.cuda.amp.autocast(True, torch.bfloat16), torch.bfloat16),
        (lambda: torch.autocast(torch.ones(1).cuda().device.type), torch.float16),
    ],
)
def test_autocast(make: Callable[[], Any], dtype: torch.dtype, layer: nn.Linear) -> None:
    x = torch.ones(2, 4, device="cuda")
    assert isinstance(make(), torch.autocast)
    with make():
        assert layer(x).dtype == dtype
        assert torch.is_autocast_enabled() and torch.is_autocast_enabled("cuda")
        assert torch.get_autocast_dtype("cuda") == torch.get_autocast_gpu_dtype() == dtype
        with torch.autocast("cuda", enabled=False):
            assert layer(x).dtype == torch.float32
    assert not torch.is_autocast_enabled() and not torch.is_autocast_enabled("cuda")
    assert make()(layer)(x).dtype == dtype


def test_the_class_is_itself_and_the_cpu_its_own(layer: nn.Linear) -> None:
    assert torch.autocast is torch.amp.autocast is imported_autocast

    class Mine(torch.autocast):
        def __init__(self) -> None:
            super().__init__("cuda", dtype=torch.bfloat16)

    with Mine():
        assert layer(torch.ones(1, 4, device="cuda")).dtype == torch.bfloat16
    with torch.autocast("cpu"):
        assert not torch.is_autocast_enabled("cuda")
        assert nn.Linear(2, 2)(torch.ones(1, 2)).dtype == torch.bfloat16
    with pytest.raises(RuntimeError, match="nothing"):
        torch.autocast("nothing")


def test_switches() -> None:
    assert torch.amp.is_autocast_available("cuda")
    torch.set_autocast_enabled("cuda", True)
    assert torch.is_autocast_enabled()
    torch.set_autocast_enabled(False)
    assert not torch.is_autocast_enabled(device_type="cuda")
    torch.set_autocast_dtype("cuda", torch.bfloat16)
    assert torch.get_autocast_gpu_dtype() == torch.bfloat16
    torch.set_autocast_gpu_dtype(torch.float16)
    assert torch.get_autocast_dtype("cuda") == torch.float16


@pytest.mark.parametrize("old", [False, True])
def test_custom_functions(old: bool) -> None:
    forward_of = torch.cuda.amp.custom_fwd if old else torch.amp.custom_fwd
    backward_of = torch.cuda.amp.custom_bwd if old else torch.amp.custom_bwd
    named = {} if old else {"device_type": "cuda"}

    class Double(torch.autograd.Function):
        @staticmethod
        @forward_of(cast_inputs=torch.float32, **named)
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            assert not torch.is_autocast_enabled("cuda")
            return x * 2

        @staticmethod
        @(backward_of if old else backward_of(**named))
        def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
            assert not torch.is_autocast_enabled("cuda")
            return grad * 2

    x = torch.ones(2, dtype=torch.float16, device="cuda", requires_grad=True)
    with torch.autocast("cuda"):
        y = Double.apply(x)
    assert y.dtype == torch.float32
    y.sum().backward()
    assert x.grad is not None and x.grad.tolist() == [2, 2]


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.amp.GradScaler("cuda", init_scale=8.0),
        lambda: torch.amp.GradScaler(device="cuda", init_scale=8.0),
        lambda: torch.amp.GradScaler(init_scale=8.0),
        lambda: torch.cuda.amp.GradScaler(init_scale=8.0),
        lambda: torch.GradScaler("cuda", 8.0),
    ],
)
def test_scaler(make: Callable[[], Any], layer: nn.Linear) -> None:
    scaler = make()
    assert isinstance(scaler, torch.amp.GradScaler) and scaler.is_enabled()
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    before = layer.weight.detach().cpu().clone()
    with torch.autocast("cuda"):
        loss = layer(torch.ones(2, 4, device="cuda")).sum()
    assert scaler.scale(loss).item() == pytest.approx(8 * loss.item())
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(layer.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    assert not torch.equal(layer.weight.detach().cpu(), before)
    again = make()
    again.load_state_dict(scaler.state_dict())
    assert again.get_scale() == pickle.loads(pickle.dumps(scaler)).get_scale() == 8.0


def test_a_scaler_skips_what_is_infinite(layer: nn.Linear) -> None:
    scaler = torch.cuda.amp.GradScaler()
    assert type(scaler) is torch.cuda.amp.GradScaler and type(scaler).__module__ == "torch.cuda.amp.grad_scaler"
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    before = layer.weight.detach().cpu().clone()
    scaler.scale(layer(torch.full((1, 4), float("inf"), device="cuda")).sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    assert torch.equal(layer.weight.detach().cpu(), before) and scaler.get_scale() == 2.0**15


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_compiled(backend: str) -> None:
    @torch.compile(backend=backend)
    def multiply(x: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            return x @ x

    assert multiply(torch.ones(2, 2, device="cuda")).dtype == torch.bfloat16


@pytest.mark.parametrize("reentrant", [True, False])
def test_checkpoint(reentrant: bool, layer: nn.Linear) -> None:
    x = torch.ones(1, 4, device="cuda", requires_grad=True)
    with torch.autocast("cuda"):
        y = torch.utils.checkpoint.checkpoint(layer, x, use_reentrant=reentrant)
    assert y.dtype == torch.float16
    y.sum().backward()
    assert x.grad is not None
