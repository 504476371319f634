"""Operators that torch has for devices only, so that no fallback finds a CPU kernel: the fused LSTM cell."""

from __future__ import annotations

import torch

_library = torch.library.Library("aten", "IMPL")

_Tensors = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def _cell(
    input_gates: torch.Tensor,
    hidden_gates: torch.Tensor,
    cx: torch.Tensor,
    input_bias: torch.Tensor | None = None,
    hidden_bias: torch.Tensor | None = None,
) -> _Tensors:
    gates = input_gates + hidden_gates
    if input_bias is not None:
        gates = gates + input_bias + hidden_bias
    i, f, g, o = gates.chunk(4, 1)
    i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
    cy = f * cx + i * g
    return o * cy.tanh(), cy, torch.cat([i, f, g, o], 1)


def _cell_backward(
    grad_hy: torch.Tensor | None,
    grad_cy: torch.Tensor | None,
    cx: torch.Tensor,
    cy: torch.Tensor,
    workspace: torch.Tensor,
    has_bias: bool,
) -> tuple[torch.Tensor | None, ...]:
    if grad_hy is None and grad_cy is None:
        return None, None, None
    i, f, g, o = workspace.chunk(4, 1)
    tc = cy.tanh()
    gh = torch.zeros_like(cy) if grad_hy is None else grad_hy
    gc = gh * o * (1 - tc * tc) + (0 if grad_cy is None else grad_cy)
    gates = torch.cat([gc * g * i * (1 - i), gc * cx * f * (1 - f), gc * i * (1 - g * g), gh * tc * o * (1 - o)], 1)
    return gates, gc * f, gates.sum(0) if has_bias else None


_library.impl("_thnn_fused_lstm_cell", _cell, "PrivateUse1")
_library.impl("_thnn_fused_lstm_cell_backward_impl", _cell_backward, "PrivateUse1")
