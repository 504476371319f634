"""`torch.cuda.jiterator`: functions can be made of CUDA's source, as modules do when they are imported, and not called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _create_jit_fn(code_string: str, **kwargs: Any) -> Callable[..., Any]:
    """A function that says what MUSA lacks when it is called; PyTorch's own refuses as late without a GPU."""

    def absent(*tensors: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(
            "torch.cuda.jiterator has no counterpart on MUSA. "
            "torch_musa has no jiterator: write the kernel as an extension or in Triton."
        )

    return absent


def _create_multi_output_jit_fn(code_string: str, num_outputs: int, **kwargs: Any) -> Callable[..., Any]:
    """As `_create_jit_fn`."""
    return _create_jit_fn(code_string, **kwargs)
