"""Inductor's lowerings: the stand-in compiles nothing for the device."""


def apply_lowering_patch() -> None:
    """Nothing to do."""
