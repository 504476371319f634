"""A user's own kernels for operators of torch."""

from __future__ import annotations

from .._environment import is_on
from .._journal import Journal
from .._registry import patch


@patch("operator-overrides")
def operator_overrides(journal: Journal) -> None:
    """With `TORCHADA_ENABLE_CPP_OPS=1`, put a user's own kernels, in C++ or CUDA, in the place of torch_musa's
    for the operators that they name; they are compiled on first use."""
    if is_on("TORCHADA_ENABLE_CPP_OPS"):
        from .. import _cpp_ops

        journal.undo_with(_cpp_ops.unload)
        _cpp_ops.load_cpp_ops()
