"""Handles of the math libraries, as numbers: there are none behind them."""

__all__ = ["current_blas_handle", "current_blaslt_handle"]


def current_blas_handle() -> int:
    """A number where the device has a pointer."""
    return 1


def current_blaslt_handle() -> int:
    """A number where the device has a pointer."""
    return 2
