#!/usr/bin/env python3
"""Make the virtual environment with pre-commit and zizmor, once, and print where its Python is.

It is kept in the folder that is given, under a name that says what is in it; it counts only when its last
step has left its mark.

    environment.py CACHE
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

REQUIREMENTS = Path(__file__).resolve().parent / "requirements.txt"


def make(root: Path) -> None:
    """Make the environment at `root`."""
    python = str(root / "bin" / "python")
    # Debian's Python can't put a pip of its own into a virtual environment.
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(root)], check=True)
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-input", "--no-deps"]
        + ["--disable-pip-version-check", "--only-binary", ":all:", "--require-hashes", "-r", str(REQUIREMENTS)],
        check=True,
        stdout=sys.stderr,
    )
    (root / "complete").write_text("")


def main() -> None:
    """Print the interpreter; make it first where it is not there."""
    cache = Path(sys.argv[1]).absolute()
    key = hashlib.sha256(REQUIREMENTS.read_bytes() + sys.version.encode()).hexdigest()[:16]
    root = cache / f"hosts-{key}"
    if not (root / "complete").exists():
        cache.mkdir(parents=True, exist_ok=True)
        # One that is half made is made anew.
        shutil.rmtree(root, ignore_errors=True)
        make(root)
    print(root / "bin" / "python")


if __name__ == "__main__":
    main()
