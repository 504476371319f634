"""The library of collectives: its version is all that torch_musa says of it."""

__all__ = ["version"]


def version() -> tuple[int, int, int]:
    """The version of MCCL."""
    return (2, 11, 4)
