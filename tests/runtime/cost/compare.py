#!/usr/bin/env python3
"""What the runtime stub costs, beside plain `torch.musa` and the adapter on the package index.

    tests/runtime/cost/compare.py [--torch VERSION] [--rounds N] [--save FILE]

Each round starts a process for each of the three, one after another, so that what else the machine does
meets all of them alike; of each call the best round is printed, since what disturbs only ever adds. The overhead of a call is what it takes
more than the same call through plain `torch.musa`. `--save` appends a line of JSON with the machine, the
versions and every figure, so that releases can be compared.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import environment  # noqa: E402
import packages  # noqa: E402
from errors import TestbedError  # noqa: E402

VARIANTS = ("plain", "stub", "adapter")
STUB = HERE.parents[2] / "src" / "stub"
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


def measure(place: environment.Environment, variant: str, folders: dict[str, Path]) -> dict[str, float]:
    """Nanoseconds by name, from a process of its own."""
    paths = [environment.DOUBLE, place.native, *([folders[variant]] if variant in folders else [])]
    done = subprocess.run(
        [str(place.python), str(HERE / "worker.py"), variant],
        env={
            **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            # as an installed package's, the byte code is made once; nothing is left in the checkout
            "PYTHONPYCACHEPREFIX": str(place.root / "byte-code"),
            "PYTHONNOUSERSITE": "1",
        },
        stdout=subprocess.PIPE,
        text=True,
    )
    if done.returncode != 0:
        raise TestbedError(f"the variant {variant} could not be measured")
    return json.loads(done.stdout.splitlines()[-1])


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


def table(figures: dict[str, dict[str, float]]) -> str:
    """The figures as a Markdown table, in nanoseconds; an overhead is over the plain call."""
    lines = [
        "| call | plain | stub | adapter | overhead of the stub | of the adapter |",
        "| --- | --: | --: | --: | --: | --: |",
    ]
    for name in figures["stub"]:
        plain, stub, other = (figures[variant].get(name, 0.0) for variant in VARIANTS)
        if name.startswith("import"):
            lines.append(f"| {name} (ms) | | {stub / 1e6:.0f} | {other / 1e6:.0f} | | |")
        else:
            lines.append(
                f"| {name} | {plain:.0f} | {stub:.0f} | {other:.0f} | {stub - plain:+.0f} | {other - plain:+.0f} |"
            )
    return "\n".join(lines)


def medians(figures: dict[str, dict[str, float]]) -> tuple[float, float]:
    """The median overhead of the stub and of the adapter, over the calls that concern the device."""
    names = [name for name in figures["plain"] if not name.startswith(("import", "CPU"))]
    return tuple(
        statistics.median(figures[variant][name] - figures["plain"][name] for name in names)
        for variant in ("stub", "adapter")
    )  # type: ignore[return-value]


def main() -> int:
    """Measure, print, save."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--torch", default=environment.DEFAULT_TORCH, metavar="VERSION")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--save", type=Path, metavar="FILE", help="append the result to this file of JSON lines")
    chosen = parser.parse_args()
    try:
        place = environment.ensure(chosen.torch)
        folders = {"stub": STUB, "adapter": adapter(place)}
        rounds: list[dict[str, dict[str, float]]] = []
        for number in range(chosen.rounds):
            order = VARIANTS[number % 3 :] + VARIANTS[: number % 3]
            rounds.append({variant: measure(place, variant, folders) for variant in order})
    except TestbedError as error:
        print(f"cost: {error}", file=sys.stderr)
        return 1
    figures = {
        variant: {name: min(each[variant][name] for each in rounds) for name in rounds[0][variant]}
        for variant in VARIANTS
    }
    print(table(figures))
    print(f"\nMedian overhead: {medians(figures)[0]:.0f} ns, of the adapter {medians(figures)[1]:.0f} ns.")
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
