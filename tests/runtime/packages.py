"""The virtual environment and what pip puts into it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from errors import TestbedError

#: The Python that the pinned wheels are for.
PYTHON = (3, 11)

#: `pip --python` came with it: Debian's Python can't put a pip of its own into a virtual environment.
PIP_FLOOR = (22, 3)

#: What pip says when it is the network that fails.
OFFLINE = re.compile(
    r"NewConnectionError|NameResolutionError|Max retries|ProxyError|ConnectTimeout|ReadTimeout|timed out|"
    r"Temporary failure in name resolution|Could not find a version|Connection (?:refused|reset|aborted|broken)"
)


def interpreter() -> str:
    """A Python of the right version that is no virtual environment's."""
    own = getattr(sys, "_base_executable", None) or sys.executable
    if sys.version_info[:2] == PYTHON:
        return own
    name = "python" + ".".join(map(str, PYTHON))
    found = shutil.which(name)
    if found is None:
        raise TestbedError(
            f"the testbed needs {name}; this is {sys.version.split()[0]} and there is no other on the path"
        )
    return found


def site(root: Path) -> Path:
    """Where the packages of a virtual environment lie."""
    return root / "lib" / ("python" + ".".join(map(str, PYTHON))) / "site-packages"


def install(root: Path, requirements: Path, *more: str) -> None:
    """Make the virtual environment and install what the requirements pin, each file checked by its hash. pip gets
    `more` arguments."""
    python = interpreter()
    _check_pip(python)
    _run([python, "-m", "venv", "--without-pip", str(root)], "the virtual environment could not be made")
    done = subprocess.run(
        [python, "-m", "pip", "--python", str(root / "bin" / "python"), "install", "--quiet", "--no-input"]
        + ["--disable-pip-version-check", "--no-cache-dir", "--retries", "2", "--no-deps", "--require-hashes"]
        + ["--only-binary", ":all:", *more, "-r", str(requirements)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode == 0:
        return
    printed = "\n".join(done.stdout.strip().splitlines()[-12:])
    if OFFLINE.search(done.stdout):
        raise TestbedError(
            f"the download of {requirements.stem} failed: is the package index reachable from here? pip printed:\n{printed}"
        )
    raise TestbedError(f"pip could not install {requirements.name}:\n{printed}")


def collect_rarely(root: Path) -> None:
    """Let the interpreter look for garbage more rarely: with its own numbers, a fifth of the time in which torch is
    imported goes into that, and a hundred processes of the tests import it."""
    (site(root) / "testbed_garbage.pth").write_text("import gc; gc.set_threshold(100_000)\n")


def bytecode(root: Path) -> dict[str, str]:
    """Variables by which byte code is kept in an environment, of files in the checkout, too, and not beside these."""
    return {"PYTHONPYCACHEPREFIX": str(root / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}


def smoke_test(root: Path, torch: str) -> None:
    """Import torch and compute something: an environment that can't do this is not kept."""
    code = "import torch; print(torch.__version__.split('+')[0], (torch.ones(3) + 1).sum().item(), torch.cuda.is_available())"
    environment = {**os.environ, **bytecode(root), "TORCH_DEVICE_BACKEND_AUTOLOAD": "0", "PYTHONPATH": ""}
    done = subprocess.run(
        [str(root / "bin" / "python"), "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
    )
    last = done.stdout.strip().splitlines()[-1:]
    if done.returncode != 0 or last != [f"{torch} 6.0 False"]:
        raise TestbedError(f"torch {torch} does not work with empty CUDA libraries:\n{done.stdout.strip()}")


def _check_pip(python: str) -> None:
    done = subprocess.run(
        [python, "-m", "pip", "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    found = re.match(r"pip (\d+)\.(\d+)", done.stdout)
    if done.returncode != 0 or found is None:
        raise TestbedError(f"{python} has no pip: install it (on Debian and Ubuntu, `apt-get install python3-pip`)")
    if (int(found[1]), int(found[2])) < PIP_FLOOR:
        raise TestbedError(
            f"the pip of {python} is {found[1]}.{found[2]}; the testbed needs {PIP_FLOOR[0]}.{PIP_FLOOR[1]}"
        )


def _run(command: list[str], failure: str) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode != 0:
        raise TestbedError(f"{failure}:\n{done.stdout.strip()}")
