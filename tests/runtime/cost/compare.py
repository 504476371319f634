#!/usr/bin/env python3
"""What the runtime stub costs, beside plain `torch.musa` and the adapter on the package index.

    tests/runtime/cost/compare.py [--torch VERSION] [--rounds N] [--save FILE]

The measuring is `torchada bench overhead`'s, here on the double. `--save` appends a line of JSON with the machine, the
versions and every figure, so that releases can be compared.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
STUB = HERE.parents[2] / "src" / "stub"
sys.path[:0] = [str(HERE.parent), str(STUB)]

from torchada.tools.bench import overhead  # noqa: E402

import environment  # noqa: E402
import packages  # noqa: E402
from errors import TestbedError  # noqa: E402

REQUIREMENTS = HERE.parent / "requirements" / "cost.txt"


def adapter(place: environment.Environment) -> Path:
    """The folder that has the adapter from the package index; it is installed there once."""
    version = next(line for line in REQUIREMENTS.read_text().splitlines() if "==" in line).split("==")[1].split()[0]
    folder = place.root / f"torchada-{version}"
    if not (folder / "torchada").is_dir():
        done = subprocess.run(
            [packages.interpreter(), "-m", "pip", "--python", str(place.python), "install", "--quiet", "--no-deps"]
            + ["--disable-pip-version-check", "--require-hashes", "--target", str(folder), "-r", str(REQUIREMENTS)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode != 0:
            raise TestbedError(f"pip could not install {REQUIREMENTS.name}:\n{done.stdout.strip()}")
    return folder


def measure(place: environment.Environment, rounds: int) -> overhead.Figures:
    """Nanoseconds of each call by variant, on the double."""
    double = [str(environment.DOUBLE), str(place.native)]
    paths = {"plain": double, "stub": [str(STUB), *double], "adapter": [str(adapter(place)), *double]}
    variables = {
        **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
        # as an installed package's, the byte code is made once; nothing is left in the checkout
        "PYTHONPYCACHEPREFIX": str(place.root / "byte-code"),
        "PYTHONNOUSERSITE": "1",
    }
    return overhead.measure(str(place.python), paths, rounds, variables)


def machine() -> dict[str, object]:
    """What the figures depend on."""
    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if "model name" in line
        ),
        platform.processor(),
    )
    return {"cpu": model, "cores": os.cpu_count(), "python": platform.python_version(), "load": os.getloadavg()[0]}


def main() -> int:
    """Measure, print, save."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--torch", default=environment.DEFAULT_TORCH, metavar="VERSION")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--save", type=Path, metavar="FILE", help="append the result to this file of JSON lines")
    chosen = parser.parse_args()
    try:
        place = environment.ensure(chosen.torch)
        figures = measure(place, chosen.rounds)
    except (TestbedError, overhead.BenchError) as error:
        print(f"cost: {error}", file=sys.stderr)
        return 1
    print(f"{overhead.table(figures)}\n\n{overhead.summary(figures)}")
    if chosen.save:
        line = {
            "when": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "machine": machine(),
            "torch": chosen.torch,
            "rounds": chosen.rounds,
            "nanoseconds": {
                variant: {name: round(value, 1) for name, value in each.items()} for variant, each in figures.items()
            },
        }
        with chosen.save.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
