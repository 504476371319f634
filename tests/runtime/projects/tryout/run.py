#!/usr/bin/env python3
"""Run programs that use real packages, unchanged, on the CPU and in the try-out, and compare what they print.

    tests/runtime/projects/tryout/run.py [--torch VERSION]

What `requirements.txt` pins is fetched from the package index, each file checked by its hash, so this needs the
network and is no part of `cargo test`. Each program gets its device as an argument, and prints numbers as JSON: with torch
alone and `cpu`, in the try-out and `cuda`. 0 where both are the same, 1 where one is not.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import archives  # noqa: E402
import environment  # noqa: E402

STARTUP = HERE.parents[3] / "src" / "stub" / "torchada" / "tools" / "run" / "startup"
PROGRAMS = ("language_model", "image_classifier", "ignite_engine")


def printed(place: environment.Environment, needs: Path, program: str, device: str) -> str:
    """The last line that a program prints."""
    tried = device == "cuda"
    paths = [*([STARTUP] if tried else []), needs]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TORCHADA_")}
    variables = {
        **kept,
        **({"TORCHADA_DEVICE": "cpu", "XDG_CACHE_HOME": str(place.root / "cache")} if tried else {}),
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
    }
    command = [str(place.python), "-W", "ignore", str(HERE / f"{program}.py"), device]
    done = subprocess.run(command, env=variables, capture_output=True, text=True)
    return done.stdout.strip().splitlines()[-1] if done.returncode == 0 else done.stderr.strip()[-2000:]


def main() -> int:
    """Run all, and say which differ."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--torch", default=environment.DEFAULT_TORCH, metavar="VERSION")
    place = environment.ensure(parser.parse_args().torch)
    different = 0
    with tempfile.TemporaryDirectory() as needs:
        archives.pip(place, "install", "--target", needs, "-r", str(HERE / "requirements.txt"))
        for program in PROGRAMS:
            alone, tried = (printed(place, Path(needs), program, device) for device in ("cpu", "cuda"))
            same = alone == tried and alone.startswith(("{", "["))
            different += not same
            print(
                f"{program}: {'the same' if same else f'different{os.linesep}  cpu  {alone}{os.linesep}  cuda {tried}'}"
            )
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
