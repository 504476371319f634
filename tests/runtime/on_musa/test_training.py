"""Whole training steps: modules, losses and optimizers."""

from __future__ import annotations

from typing import Callable

import pytest
import torch
from torch import nn

OPTIMIZERS: dict[str, Callable[..., torch.optim.Optimizer]] = {
    "SGD": lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9),
    "Adam": lambda p: torch.optim.Adam(p, lr=0.05),
    "AdamW, foreach": lambda p: torch.optim.AdamW(p, lr=0.05, foreach=True),
    "RMSprop": lambda p: torch.optim.RMSprop(p, lr=0.02),
}


def train(model: nn.Module, inputs: torch.Tensor, targets: torch.Tensor, steps: int, lr: float = 0.01) -> list[float]:
    """The losses of some steps."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs), targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_linear_regression(name: str, musa: torch.device) -> None:
    inputs = torch.randn(64, 3, device=musa)
    truth = torch.tensor([[1.0], [-2.0], [0.5]], device=musa)
    model = nn.Linear(3, 1).to(musa)
    optimizer = OPTIMIZERS[name](model.parameters())
    for _ in range(200):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(inputs), inputs @ truth).backward()
        optimizer.step()
    torch.testing.assert_close(model.weight.detach().cpu(), truth.t().cpu(), atol=0.05, rtol=0.05)


def test_training_on_the_device_is_training_on_the_cpu(musa: torch.device) -> None:
    inputs, targets = torch.randn(8, 4), torch.randint(0, 3, (8,))
    losses = []
    for device in ("cpu", musa):
        torch.manual_seed(1)
        model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3)).to(device)
        losses.append(train(model, inputs.to(device), targets.to(device), 5))
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)


def test_convolutions(musa: torch.device) -> None:
    model = nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(128, 10)
    ).to(musa)
    losses = train(model, torch.randn(4, 3, 8, 8, device=musa), torch.randint(0, 10, (4,), device=musa), 15)
    assert losses[-1] < losses[0] / 2
    assert model[1].running_mean.device == musa


def test_transposed_convolution(musa: torch.device) -> None:
    layer, inputs = nn.ConvTranspose2d(2, 3, 3, stride=2), torch.randn(1, 2, 5, 5)
    expected = layer(inputs)
    torch.testing.assert_close(layer.to(musa)(inputs.to(musa)).cpu(), expected)


def test_recurrence(musa: torch.device) -> None:
    layer, inputs = nn.LSTM(8, 16, batch_first=True), torch.randn(2, 5, 8)
    expected = layer(inputs)[0]
    expected.sum().backward()
    gradient = layer.weight_ih_l0.grad.clone()
    layer.zero_grad()
    layer.to(musa)
    output = layer(inputs.to(musa))[0]
    output.sum().backward()
    torch.testing.assert_close(output.cpu(), expected)
    torch.testing.assert_close(layer.weight_ih_l0.grad.cpu(), gradient)


def test_attention(musa: torch.device) -> None:
    layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True, dropout=0.0)
    inputs = torch.randn(2, 7, 32)
    expected = layer(inputs)
    torch.testing.assert_close(layer.to(musa)(inputs.to(musa)).cpu(), expected, atol=1e-5, rtol=1e-4)
    query = torch.randn(2, 4, 7, 8, device=musa, requires_grad=True)
    nn.functional.scaled_dot_product_attention(query, query, query, is_causal=True).sum().backward()
    assert query.grad.device == musa


def test_embedding(musa: torch.device) -> None:
    model = nn.Sequential(nn.Embedding(10, 6), nn.Flatten(), nn.LayerNorm(12), nn.Linear(12, 4)).to(musa)
    losses = train(model, torch.randint(0, 10, (6, 2), device=musa), torch.randint(0, 4, (6,), device=musa), 30)
    assert losses[-1] < losses[0] / 2
