#!/usr/bin/env python3
"""Make the environment that builds the wheel and builds with it, once, and print where it is.

It is kept beside those of the runtime testbed, under the same conditions: see `../runtime/environment.py`.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is left in the checkout

HERE = Path(__file__).resolve().parent
RUNTIME = HERE.parent / "runtime"
sys.path.insert(0, str(RUNTIME))

import packages  # noqa: E402
import tools  # noqa: E402
from errors import TestbedError  # noqa: E402

# This file has the name of the testbed's.
_spec = importlib.util.spec_from_file_location("testbed", RUNTIME / "environment.py")
assert _spec is not None and _spec.loader is not None
testbed = importlib.util.module_from_spec(_spec)
sys.modules["testbed"] = testbed
_spec.loader.exec_module(testbed)

#: What pip installs, with what it leads to.
REQUIREMENTS = HERE / "requirements.txt"
FILES = [REQUIREMENTS, HERE / "isolated.txt", HERE / "../../examples/shared/sysroot/requirements/cuda.txt"]

#: The last file to be written into the environment.
MARK = "complete"


def ensure() -> Path:
    """The environment, with the wheels that isolated builds ask for in `wheelhouse`. Raises `TestbedError`."""
    for tool, package in (("g++", "g++"), ("make", "make")):
        tools.need(tool, package)
    root = testbed.cache() / f"wheel-{testbed.digest(*FILES, also=packages.PYTHON)}"
    with testbed._locked(root, lambda text: print(text, file=sys.stderr)):
        if not ((root / MARK).is_file() and (root / "bin" / "python").exists()):
            shutil.rmtree(root, ignore_errors=True)
            packages.install(root, REQUIREMENTS)
            command = [
                str(root / "bin" / "python"),
                "-m",
                "pip",
                "download",
                "--quiet",
                "--no-deps",
                "--require-hashes",
            ]
            command += ["-r", str(HERE / "isolated.txt"), "-d", str(root / "wheelhouse")]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode != 0:
                raise TestbedError(f"the download of what isolated builds ask for failed:\n{done.stdout.strip()}")
            (root / MARK).touch()
    return root


def main() -> int:
    """0 and the folder's name, or 1 and what is wrong."""
    try:
        print(ensure())
    except TestbedError as error:
        print(f"the wheel's tests: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
