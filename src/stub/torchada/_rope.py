"""Rotary position embedding, of PyTorch's operators: what runs where no kernel of one's own does."""

from __future__ import annotations

import torch


def apply_rope_inplace(
    query: torch.Tensor,
    key: torch.Tensor,
    cos_sin_cache: torch.Tensor,
    positions: torch.Tensor,
    *,
    is_neox: bool,
    rope_dim: int = 0,
) -> None:
    """Rotate the first `rope_dim` elements of each head of `query` and `key`, tokens by heads by elements, in place.

    A row of the cache has the cosines of a position and then its sines; without `rope_dim` it has as many elements as
    are rotated. Pairs are halves of a head with `is_neox`, else neighbours.
    """
    dim = rope_dim or cos_sin_cache.size(-1)
    if positions.numel() != query.size(0) or query.size(0) != key.size(0):
        raise RuntimeError(f"positions must have one value per token: {positions.numel()} for {query.size(0)} tokens")
    cos, sin = cos_sin_cache[positions.reshape(-1).long()].float().unsqueeze(1).chunk(2, dim=-1)
    for tensor in (query, key):
        part = tensor[..., :dim]
        pairs = part.unflatten(-1, (2, -1) if is_neox else (-1, 2)).float()
        first, second = pairs.unbind(-2 if is_neox else -1)
        rotated = (first * cos - second * sin, second * cos + first * sin)
        part.copy_(torch.stack(rotated, dim=-2 if is_neox else -1).flatten(-2))
