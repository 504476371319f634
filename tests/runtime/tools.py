"""Programs of the system that the testbed calls."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable

from errors import TestbedError


def need(tool: str, package: str) -> None:
    """Have a program on the path; `TestbedError` with advice where it is missing and can't be installed."""
    provide(lambda: shutil.which(tool) is not None, f"the testbed needs {tool}", package)


def provide(is_there: Callable[[], bool], complaint: str, package: str) -> None:
    """Have something that a package of Debian's brings. On a machine of one's own one is not
    root, and the error names the package to install; in a container, where one is root, this installs it."""
    if is_there():
        return
    if os.geteuid() == 0 and shutil.which("apt-get") is not None:
        print(f"runtime testbed: {complaint}: installing {package}", file=sys.stderr, flush=True)
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update"], ["install", "--yes", "--no-install-recommends", package]):
            subprocess.run(["apt-get", "-qq", *command], env=environment, stdout=subprocess.DEVNULL, check=False)
        if is_there():
            return
    raise TestbedError(f"{complaint}: install it (on Debian and Ubuntu, `apt-get install {package}`)")


def output(*command: str) -> str:
    """What a program prints; `TestbedError` with what it says where it fails."""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        printed = "\n".join(done.stderr.strip().splitlines()[:30])
        raise TestbedError(f"`{' '.join(command[:4])} …` failed:\n{printed}")
    return done.stdout
