"""torch.compile without generated code."""

from __future__ import annotations

import pytest
import torch
from torch import nn


@pytest.fixture(autouse=True)
def fresh() -> None:
    """Nothing compiled by another test is taken."""
    torch._dynamo.reset()


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_modules(backend: str, musa: torch.device) -> None:
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1)).to(musa)
    compiled, inputs = torch.compile(model, backend=backend, fullgraph=True), torch.randn(3, 4, device=musa)
    torch.testing.assert_close(compiled(inputs), model(inputs))
    compiled(inputs).sum().backward()
    gradient = model[0].weight.grad.clone()
    model.zero_grad()
    model(inputs).sum().backward()
    torch.testing.assert_close(gradient, model[0].weight.grad)


def test_factories_and_devices(musa: torch.device) -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return x.to("musa:0") + torch.ones(3, device=x.device) * (2 if x.device.type == "musa" else 3)

    assert torch.compile(function, backend="aot_eager", fullgraph=True)(torch.ones(3, device=musa)).tolist() == [
        3,
        3,
        3,
    ]


def test_a_device_context(musa: torch.device) -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        with torch.musa.device(0):
            return x + torch.ones(3, device="musa")

    assert torch.compile(function, backend="eager")(torch.ones(3, device=musa)).sum().item() == 6


def test_autocast(musa: torch.device) -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        with torch.autocast("musa", dtype=torch.bfloat16):
            return x @ x

    compiled = torch.compile(function, backend="aot_eager", fullgraph=True)
    assert compiled(torch.ones(2, 2, device=musa)).dtype == torch.bfloat16


def test_scripts(musa: torch.device) -> None:
    @torch.jit.script
    def function(x: torch.Tensor) -> torch.Tensor:
        return x + torch.ones([2], device=x.device)

    assert function(torch.ones(2, device=musa)).tolist() == [2, 2]


def test_the_device_interface() -> None:
    interface = torch._dynamo.device_interface.get_interface_for_device("musa")
    assert interface is torch.musa.MusaInterface
    assert interface.device_count() == 2
    assert interface.get_compute_capability() == 31
    assert interface.get_raw_stream(0) == torch.musa.current_stream(0).musa_stream
