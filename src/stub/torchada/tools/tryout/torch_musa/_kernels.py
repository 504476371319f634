"""Operators that no fallback can give: the fused LSTM cell, which torch has for devices only, and views of complex numbers."""

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


def _same_memory(of: torch.Tensor, dtype: torch.dtype, offset: int, size: list[int], stride: list[int]) -> torch.Tensor:
    return torch.empty(0, dtype=dtype, device=of.device).set_(of.untyped_storage(), offset, size, stride)


def _view_as_real(of: torch.Tensor) -> torch.Tensor:
    """Through the fallback it would be a copy, and what is written to `x.real` and `x.imag` would be lost."""
    stride = [2 * each for each in of.stride()]
    dtype = of.dtype.to_real()
    return _same_memory(of, dtype, 2 * of.storage_offset(), [*of.shape, 2], [*stride, 1])


def _view_as_complex(of: torch.Tensor) -> torch.Tensor:
    if of.dim() == 0 or of.shape[-1] != 2 or of.stride(-1) != 1 or any(each % 2 for each in of.stride()[:-1]):
        raise RuntimeError("Tensor must have a last dimension of size 2 and stride 1, and even strides before it")
    stride = [each // 2 for each in of.stride()[:-1]]
    return _same_memory(of, of.dtype.to_complex(), of.storage_offset() // 2, list(of.shape[:-1]), stride)


_library.impl("view_as_real", _view_as_real, "PrivateUse1")
_library.impl("view_as_complex", _view_as_complex, "PrivateUse1")


def _gated(
    input_gates: torch.Tensor,
    hidden_gates: torch.Tensor,
    hx: torch.Tensor,
    input_bias: torch.Tensor | None = None,
    hidden_bias: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    if input_bias is not None:
        input_gates, hidden_gates = input_gates + input_bias, hidden_gates + hidden_bias
    (ir, iz, into), (hr, hz, hidden) = input_gates.chunk(3, 1), hidden_gates.chunk(3, 1)
    r, z = (ir + hr).sigmoid(), (iz + hz).sigmoid()
    n = (into + r * hidden).tanh()
    return (hx - n) * z + n, torch.cat([r, z, n, hx, hidden], 1)


def _gated_backward(grad_hy: torch.Tensor, workspace: torch.Tensor, has_bias: bool) -> tuple[torch.Tensor | None, ...]:
    r, z, n, hx, hidden = workspace.chunk(5, 1)
    gz = grad_hy * (hx - n) * (1 - z) * z
    gn = grad_hy * (1 - z) * (1 - n * n)
    gr = gn * hidden * (1 - r) * r
    into, back = torch.cat([gr, gz, gn], 1), torch.cat([gr, gz, gn * r], 1)
    return into, back, grad_hy * z, into.sum(0) if has_bias else None, back.sum(0) if has_bias else None


_library.impl("_thnn_fused_gru_cell", _gated, "PrivateUse1")
_library.impl("_thnn_fused_gru_cell_backward", _gated_backward, "PrivateUse1")
_library.impl("_thnn_fused_lstm_cell", _cell, "PrivateUse1")
_library.impl("_thnn_fused_lstm_cell_backward_impl", _cell_backward, "PrivateUse1")
