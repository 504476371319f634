"""Convolutions: they reach a PrivateUse1 backend by these two operators only, which have no CPU kernel."""

from __future__ import annotations

from typing import Any

import torch

from .fallback import fallback

aten = torch.ops.aten


def forward(*args: Any) -> torch.Tensor:
    """The CPU's convolution."""
    return fallback(aten.convolution.default, *args)


def backward(
    gradient: torch.Tensor,
    source: torch.Tensor,
    weight: torch.Tensor,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: int,
    wanted: Any,
) -> Any:
    """The CPU's gradients of it."""
    channels = weight.shape[1] * groups if transposed else weight.shape[0]
    bias = [channels] if wanted[2] else None
    settings = stride, padding, dilation, transposed, output_padding, groups, wanted
    return fallback(aten.convolution_backward.default, gradient, source, weight, bias, *settings)


def register(library: Any) -> None:
    """Tell the dispatcher."""
    library.impl("convolution_overrideable", forward, "PrivateUse1")
    library.impl("convolution_backward_overrideable", backward, "PrivateUse1")
