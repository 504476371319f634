"""The profiler: torch's own does it."""


def set_profiler_attributes() -> None:
    """Nothing: the patterns that torch_musa adds look for kernels, which the stand-in has not."""
