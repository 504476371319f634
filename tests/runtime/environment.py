#!/usr/bin/env python3
"""Make the environment of the runtime testbed, once, and say where it is.

An environment is a virtual environment with one pinned version of torch (a CUDA build, on empty CUDA
libraries, so that it imports on a machine without a GPU) and, beside it, the compiled half of the
`torch_musa` double for that torch. It takes a download of about 800 MB and a minute, so it is kept
between runs, below the first of these that is set:

    $TORCHADA_RUNTIME_CACHE, $CARGO_TARGET_DIR/runtime, target/runtime in the checkout

Whatever decides what is in an environment is in its folder's name, so one that is there is right; and
a folder counts only when the last step has left its mark in it, so one that is half made is made anew.

    environment.py [--torch VERSION] [--no-slim]      prints the folder
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import hashlib
import json
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

sys.dont_write_bytecode = True  # nothing is left in the checkout

import cuda_shells  # noqa: E402
import native  # noqa: E402
import packages  # noqa: E402
from errors import TestbedError  # noqa: E402

HERE = Path(__file__).resolve().parent
REQUIREMENTS = HERE / "requirements"
DOUBLE = HERE / "double"

#: The floor of torch_musa, and what `cargo test` runs on.
DEFAULT_TORCH = "2.7.1"

#: Counts up when `packages` or `cuda_shells` make something else out of the same requirements.
RECIPE = 3

#: The last file to be written into an environment.
MARK = "complete.json"

#: What making an environment takes at its peak: the wheel (0.8 GB), the unpacked wheel (1.7 GB), and some more.
NEEDED_BYTES = 2_700 << 20

Say = Callable[[str], None]


@dataclass(frozen=True)
class Environment:
    """A finished environment."""

    #: The virtual environment's folder.
    root: Path
    #: Its interpreter.
    python: Path
    #: The folder that holds `torch_musa/_MUSAC…so`, to be put on the path beside the double.
    native: Path
    #: The version of torch in it.
    torch: str


def cache() -> Path:
    """The folder that environments are kept in."""
    own = os.environ.get("TORCHADA_RUNTIME_CACHE")
    if own:
        return Path(own).absolute()
    target = os.environ.get("CARGO_TARGET_DIR")
    return (Path(target).absolute() if target else HERE.parents[1] / "target") / "runtime"


def versions() -> list[str]:
    """The versions of torch that there are pinned requirements for."""
    names = [path.stem[len("torch-") :] for path in REQUIREMENTS.glob("torch-*.txt")]
    return sorted(names, key=lambda name: [int(part) for part in name.split(".")])


def ensure(torch: str = DEFAULT_TORCH, slim: bool = True, say: Say | None = None) -> Environment:
    """The environment for a version of torch: made if it is not there yet.

    `slim` frees the disk blocks of the GPU code in torch's libraries, half of their size. Two that
    ask at once get the same one: the second waits. Raises `TestbedError` with advice when a tool is
    missing or a download fails.
    """
    tell = say or (lambda text: print("runtime testbed: " + text, file=sys.stderr, flush=True))
    _check_machine()
    requirements = REQUIREMENTS / f"torch-{torch}.txt"
    if not requirements.is_file():
        raise TestbedError(
            f"there is no torch {torch} in the testbed (there are {', '.join(versions())}); "
            f"requirements/torch-VERSION.txt adds one"
        )
    root = cache() / f"torch-{torch}-{_fingerprint(requirements, slim)}"
    if not _whole(root):
        with _locked(root, tell):
            if not _whole(root):
                _make(root, requirements, torch, slim, tell)
    built = root / f"native-{native.fingerprint(DOUBLE)}"
    if not built.is_dir():
        with _locked(root, tell):
            if not built.is_dir():
                native.build(DOUBLE, packages.site(root), built, tell)
    return Environment(root, root / "bin" / "python", built, torch)


def _check_machine() -> None:
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise TestbedError("the testbed's wheels are for Linux on x86-64")


def _fingerprint(requirements: Path, slim: bool) -> str:
    """Names all that decides what a finished environment holds."""
    return digest(requirements, REQUIREMENTS / "base.txt", also=(RECIPE, slim, packages.PYTHON))


def digest(*files: Path, also: tuple[object, ...] = ()) -> str:
    """A short name for what is in files, and for `also`."""
    seen = hashlib.sha256()
    for path in files:
        seen.update(path.read_bytes())
    seen.update(repr(also).encode())
    return seen.hexdigest()[:10]


def _whole(root: Path) -> bool:
    # the interpreter is a link to the system's, which may have gone since
    return (root / MARK).is_file() and (root / "bin" / "python").exists()


@contextlib.contextmanager
def _locked(root: Path, say: Say) -> Iterator[None]:
    """Hold the lock of one environment; the system lets go of it even if this process dies."""
    path = root.with_name(root.name + ".lock")
    try:
        root.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    except OSError as error:
        raise TestbedError(f"{root.parent} can't be written to: {error.strerror}") from error
    with open(path) as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another run is making this environment; waiting for it")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _make(root: Path, requirements: Path, torch: str, slim: bool, say: Say) -> None:
    native.check_tools()
    cuda_shells.check_tools()
    if root.exists():
        say(f"{root.name} is half made or has lost its Python: starting again")
        shutil.rmtree(root)
    free = shutil.disk_usage(root.parent).free
    if free < NEEDED_BYTES:
        raise TestbedError(
            f"{root.parent} has {free >> 20} MB left and the testbed needs {NEEDED_BYTES >> 20} while it is "
            "made; TORCHADA_RUNTIME_CACHE names another folder"
        )
    say(f"fetching torch {torch} into {root} (once, some 800 MB)")
    # most of it is never imported; of what is, `with-double` keeps the byte code
    packages.install(root, requirements, "--no-compile")
    packages.collect_rarely(root)
    site = packages.site(root)
    freed = cuda_shells.slim(site) if slim else 0
    shells = cuda_shells.write(site)
    packages.smoke_test(root, torch)
    made = {"torch": torch, "python": platform.python_version(), "shells": shells, "freed_bytes": freed}
    part = root / (MARK + ".part")
    part.write_text(json.dumps(made, indent=1) + "\n")
    part.replace(root / MARK)
    say(f"torch {torch} is there: {len(shells)} empty CUDA libraries, {freed >> 20} MB of GPU code freed")


def main(arguments: list[str] | None = None) -> int:
    """The command line: 0 and the folder's name, or 1 and what is wrong."""
    parser = argparse.ArgumentParser(description="Make the environment of the runtime testbed, and print its folder.")
    parser.add_argument("--torch", default=DEFAULT_TORCH, metavar="VERSION", help=f"one of {', '.join(versions())}")
    parser.add_argument("--no-slim", dest="slim", action="store_false", help="keep the GPU code in torch's libraries")
    parser.add_argument(
        "--slim", dest="slim", action="store_true", default=True, help="free the disk blocks of the GPU code (default)"
    )
    chosen = parser.parse_args(arguments)
    try:
        print(ensure(chosen.torch, chosen.slim).root)
    except TestbedError as error:
        print(f"runtime testbed: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
