"""`torch.cuda.tunable`: what its switches say, of which none is ever on."""

from __future__ import annotations


def is_enabled() -> bool:
    """Whether operators are chosen by measuring them: no."""
    return False


tuning_is_enabled = record_untuned_is_enabled = wildcard_fallback_is_enabled = is_enabled
