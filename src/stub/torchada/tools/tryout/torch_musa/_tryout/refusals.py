"""What has no meaning without a GPU: one error that says what the try-out is."""

from __future__ import annotations


class TryOutError(NotImplementedError):
    """The program asked for something that only a GPU has."""


def refuse(what: str, instead: str = "") -> TryOutError:
    """The error for a thing, with what can be done."""
    return TryOutError(
        f"{what} needs a GPU, and this is torchada's try-out: the CPU stands in for the device, so there is no driver, "
        "no library and no kernel of MUSA or CUDA." + (f" {instead}" if instead else "")
    )
