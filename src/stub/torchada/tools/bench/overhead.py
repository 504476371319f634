"""What a patched call costs beside plain `torch.musa` and the adapter on the package index.

Each round starts a process for each of them, one after another, so that what else the machine does meets all of
them alike; of each call the best round counts, since what disturbs only ever adds. The overhead of a call is what
it takes more than the same call through plain `torch.musa`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.machinery import PathFinder
from pathlib import Path

from .errors import BenchError

Figures = dict[str, dict[str, float]]

VARIANTS = ("plain", "stub", "adapter")

#: The folder that holds this package.
PACKAGE = Path(__file__).resolve().parents[3]

CALLS = Path(__file__).with_name("calls.py")


def run(chosen: argparse.Namespace) -> str:
    """The table or the JSON."""
    if PathFinder.find_spec("torch_musa", [path for path in sys.path if not _is_ours(path)]) is None:
        raise BenchError(
            "torch_musa is not installed for this Python: an overhead is what a call takes more than the same call "
            "of torch_musa's own, which the try-out is not"
        )
    adapter = Path(chosen.adapter) if chosen.adapter else find_adapter()
    if adapter is not None and not (adapter / "torchada" / "__init__.py").is_file():
        raise BenchError(f"--adapter {adapter}: there is no package torchada in this folder")
    others = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and not _is_ours(path)]
    paths = {"plain": others, "stub": [str(PACKAGE), *others]}
    if adapter is not None:
        paths["adapter"] = [str(adapter), *others]
    figures = measure(sys.executable, paths, chosen.rounds)
    if chosen.json:
        return json.dumps({"unit": "ns", "rounds": chosen.rounds, "calls": figures}, ensure_ascii=False) + "\n"
    return f"{table(figures)}\n\n{summary(figures)}\n"


def _is_ours(path: str) -> bool:
    """Whether a folder of the Python path holds this package or, as what starts it before torch, lies in it."""
    resolved = Path(path).resolve()
    return resolved == PACKAGE or PACKAGE / "torchada" in resolved.parents


def find_adapter() -> Path | None:
    """The folder of `sys.path` that has the adapter of the package index, where one has."""
    for entry in sys.path:
        package = Path(entry or os.curdir, "torchada")
        if (package / "_patch.py").is_file():
            return package.parent
    return None


def measure(
    python: str, paths: Mapping[str, Sequence[str]], rounds: int, environment: Mapping[str, str] | None = None
) -> Figures:
    """The best nanoseconds of each call by variant; `paths` has the Python path of each."""
    names = [name for name in VARIANTS if name in paths]
    taken: list[Figures] = []
    for number in range(max(rounds, 1)):
        at = number % len(names)
        taken.append({name: _once(python, name, paths[name], environment) for name in names[at:] + names[:at]})
    return {name: {call: min(each[name][call] for each in taken) for call in taken[0][name]} for name in names}


def _once(python: str, variant: str, path: Sequence[str], environment: Mapping[str, str] | None) -> dict[str, float]:
    done = subprocess.run(
        [python, str(CALLS), variant],
        env={**(os.environ if environment is None else environment), "PYTHONPATH": os.pathsep.join(path)},
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["it printed nothing"])[-1]
        raise BenchError(f"the variant {variant} could not be measured: {last}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def table(figures: Figures) -> str:
    """The figures as a Markdown table, in nanoseconds; an overhead is over the plain call."""
    others = [name for name in ("stub", "adapter") if name in figures]
    heads = ["plain", *others, "overhead of the stub", *(["of the adapter"] if "adapter" in figures else [])]
    lines = [f"| call | {' | '.join(heads)} |", "| --- |" + " --: |" * len(heads)]
    for call in figures["stub"]:
        values = [figures[name].get(call, 0.0) for name in ("plain", *others)]
        if call.startswith("import"):
            cells = ["", *(f"{value / 1e6:.0f}" for value in values[1:]), *[""] * len(others)]
            lines.append(f"| {call} (ms) |" + "".join(f" {cell} |" if cell else " |" for cell in cells))
        else:
            over = [f"{value - values[0]:+.0f}" for value in values[1:]]
            lines.append(f"| {call} | {' | '.join([*(f'{value:.0f}' for value in values), *over])} |")
    return "\n".join(lines)


def summary(figures: Figures) -> str:
    """The median overhead over the calls that concern the device."""
    names = [name for name in figures["plain"] if not name.startswith(("import", "CPU"))]
    medians = {
        variant: statistics.median(figures[variant][name] - figures["plain"][name] for name in names)
        for variant in figures
        if variant != "plain"
    }
    text = f"Median overhead: {medians['stub']:.0f} ns"
    return text + (f", of the adapter {medians['adapter']:.0f} ns." if "adapter" in medians else ".")
