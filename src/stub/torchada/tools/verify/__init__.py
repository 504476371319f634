"""`torchada verify`: PyTorch's own operator samples on the device against the CPU."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

#: The dtypes that can be asked for by a short name.
SHORT = {"half": "float16", "float": "float32", "double": "float64", "long": "int64", "int": "int32"}


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="torchada verify",
        description="Runs PyTorch's own operator samples on the device and on the CPU, and compares results, "
        "gradients and times. The exit code is 1 where the device is wrong, raises, lacks an operator, hangs or "
        "crashes; 2 where nothing could be checked.",
    )
    made.add_argument(
        "names",
        nargs="*",
        metavar="OPERATOR|FOLDER",
        help="check these only: add, aten::add, torch.nn.ReLU; or those that the Python of a folder calls",
    )
    made.add_argument("--ops", metavar="FILE", help="check the operators that a file names, one a line; - is the input")
    made.add_argument("--device", default="auto", metavar="DEVICE", help="musa, musa:1, cpu (the try-out), auto")
    made.add_argument("--dtypes", metavar="LIST", help="check these only: float32,bfloat16")
    made.add_argument(
        "--samples", type=int, default=20, metavar="N", help="so many of each operator and dtype; 0: all (default: 20)"
    )
    made.add_argument("--no-backward", dest="backward", action="store_false", help="leave the gradients out")
    made.add_argument("--no-inplace", dest="inplace", action="store_false", help="leave the variants in place out")
    made.add_argument("--no-timing", dest="timing", action="store_false", help="measure no times")
    made.add_argument(
        "--slower", type=float, default=0.5, metavar="MS", help="tell what takes so much longer than on the CPU (0.5)"
    )
    made.add_argument(
        "--limit", type=float, default=60.0, metavar="S", help="seconds for each operator and dtype (default: 60)"
    )
    made.add_argument("--jobs", type=int, default=1, metavar="N", help="so many processes at once (default: 1)")
    made.add_argument("--seed", type=int, default=0, metavar="N", help="other random numbers (default: 0)")
    made.add_argument("--all", action="store_true", help="show every row")
    made.add_argument(
        "--json",
        nargs="?",
        const="-",
        metavar="FILE",
        help="write the result as JSON, to a file or instead of the table",
    )
    made.add_argument("--junit", metavar="FILE", help="write the result as JUnit's XML")
    made.add_argument("--list", action="store_true", help="print the operators that would be checked, and end")
    return made


def main(arguments: list[str]) -> int:
    """Check, print, write; the exit code."""
    chosen = parser().parse_intermixed_args(arguments)
    try:
        names, called = _names(chosen)
    except (OSError, UnicodeDecodeError) as error:
        return _fail(f"{chosen.ops}: {getattr(error, 'strerror', None) or error}")
    device = chosen.device
    if device.split(":")[0] in ("musa", "cpu"):
        os.environ["TORCHADA_DEVICE"] = device.split(":")[0]
    settings: dict[str, Any] = {
        "device": device,
        "samples": max(chosen.samples, 0),
        "seed": chosen.seed,
        "backward": chosen.backward,
        "inplace": chosen.inplace,
        "timing": chosen.timing,
        "slower_ms": chosen.slower,
    }
    dtypes = None
    if chosen.dtypes:
        dtypes = [SHORT.get(word.strip(), word.strip().replace("torch.", "")) for word in chosen.dtypes.split(",")]
    from . import machine_readable, pool, run, table

    try:
        if chosen.list:
            return _list(run.catalog(settings, (names, called), dtypes))
        result = run.run(settings, (names, called), dtypes, max(chosen.jobs, 1), chosen.limit)
    except pool.PoolError as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return 130
    try:
        if chosen.junit:
            Path(chosen.junit).write_text(machine_readable.as_junit(result), encoding="utf-8")
        if chosen.json and chosen.json != "-":
            Path(chosen.json).write_text(machine_readable.as_json(result), encoding="utf-8")
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}")
    sys.stdout.write(machine_readable.as_json(result) if chosen.json == "-" else table.text(result, chosen.all))
    if result.stopped == run.INTERRUPTED:
        return 130
    if result.stopped:
        return _fail(result.stopped)
    if not result.outcomes:
        return _fail("nothing was checked: no operator with samples has these names and dtypes")
    return 1 if any(outcome.is_fault for outcome in result.outcomes) else 0


def _names(chosen: argparse.Namespace) -> tuple[list[str] | None, list[str]]:
    """The operators that are asked for, None: all; and what a project calls, of which most need be no operators."""
    from . import project
    from .catalog import read_names

    folders = [Path(word) for word in chosen.names if Path(word).is_dir()]
    names = [word for word in chosen.names if not Path(word).is_dir()]
    if chosen.ops:
        text = sys.stdin.read() if chosen.ops == "-" else Path(chosen.ops).read_text(encoding="utf-8")
        names += read_names(text)
    called: list[str] = []
    for folder in folders:
        found, unread = project.names(folder)
        called += found
        project.warn(unread)
    return (names if names or folders or chosen.ops else None), called


def _list(work: list[tuple[str, str]]) -> int:
    for operator, dtype in work:
        print(f"{operator}\t{dtype}")
    return 0


def _fail(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return 2
