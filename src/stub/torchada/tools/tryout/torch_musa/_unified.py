"""torch_musa's switch for memory that the CPU and the device share; the stand-in's is shared anyway."""

import contextlib
import os
from collections.abc import Iterator


def parseEnvForUMM() -> None:
    """Set the flag that PYTORCH_MUSA_ALLOC_CONF=cpu:unified stands for."""
    options = os.environ.get("PYTORCH_MUSA_ALLOC_CONF", "").replace(",", " ").split()
    os.environ["CPU_UNIFIED_FLAG"] = str("cpu:unified" in options)


@contextlib.contextmanager
def use_unified_cpu_allocator() -> Iterator[None]:
    """The flag, for the length of a block."""
    before = os.environ.get("CPU_UNIFIED_FLAG", "False")
    os.environ["CPU_UNIFIED_FLAG"] = "True"
    try:
        yield
    finally:
        os.environ["CPU_UNIFIED_FLAG"] = before
