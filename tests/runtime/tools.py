"""Programs of the system that the testbed calls."""

from __future__ import annotations

import shutil
import subprocess

from errors import TestbedError


def need(tool: str, package: str) -> None:
    """Raise `TestbedError` where a program is not on the path."""
    if shutil.which(tool) is None:
        raise TestbedError(f"the testbed needs {tool}: install it (on Debian and Ubuntu, `apt-get install {package}`)")


def output(*command: str) -> str:
    """What a program prints; `TestbedError` with what it says where it fails."""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        said = "\n".join(done.stderr.strip().splitlines()[:30])
        raise TestbedError(f"`{' '.join(command[:4])} …` failed:\n{said}")
    return done.stdout
