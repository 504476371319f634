"""What the adapter's tests ask `torchada.utils.cpp_extension` for."""

from __future__ import annotations

import subprocess
from typing import Any

from torchada.utils import _binary


def _port_cuda_source(source_code: str, mapping_rules: Any = None) -> str:
    """The source as the translator ports it."""
    command = [_binary.find(), "port", "-", "--lang", "cuda", "-o", "-"]
    done = subprocess.run(command, input=source_code, capture_output=True, text=True, check=True)
    return done.stdout
