"""Inductor's lowerings: the double compiles nothing for the device."""


def apply_lowering_patch() -> None:
    """Nothing to do."""
