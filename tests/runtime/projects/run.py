#!/usr/bin/env python3
"""Port real packages, and run their own tests before and after.

    tests/runtime/projects/run.py --torchada BIN [--torch VERSION] [--only NAME]… [--mode MODE]… [--keep DIR]

What `projects.toml` pins is fetched from the package index, each file checked by its hash, so this needs the
network and is no part of `cargo test`. Each package's tests run five times:

    cpu            the original with torch alone: what every other run is compared with
    stub           the original on the double of torch_musa, with nothing but the runtime stub
    musa           the port, on the double
    portable       the port of the portable dialect, on the double
    portable-cpu   the same port with torch alone, as on a machine without MUSA

A test that passes in `cpu` has to pass everywhere. One that a device is needed for is skipped there, and runs
for the first time on the double: if it fails, that counts too. `projects.toml` names the tests for which there
is a reason outside of the translation, with the reason. 0 when nothing else is left, 1 when something is.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import tomllib

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import outcomes  # noqa: E402

import archives  # noqa: E402
import environment  # noqa: E402
from errors import TestbedError  # noqa: E402

STUB = HERE.parents[2] / "src" / "stub"
#: What pytest finds `isolation` in.
PLUGIN = HERE / "plugin"
MODES = ("cpu", "stub", "musa", "portable", "portable-cpu")
#: The modes that a torch_musa is installed in.
ON_MUSA = ("stub", "musa", "portable")


def fetched(place: environment.Environment, name: str) -> tuple[Path, Path]:
    """The source distribution of a project, and the folder that what it depends on is installed in."""
    archive = archives.download(place, HERE / f"{name}.txt", name, HERE / f"{name}-needs.txt")
    return archive, archive.parent / "needs"


def port(torchada: Path, source: Path, target: Path, dialect: str) -> None:
    """Port a tree as a user does."""
    command = [str(torchada), "port", str(source), "-o", str(target), "--dialect", dialect]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise TestbedError(f"`{' '.join(command)}` failed:\n{done.stdout.strip()}")


def variables(place: environment.Environment, project: dict, mode: str, needs: Path) -> dict[str, str]:
    """The environment variables of a run: with a torch_musa to be found or without, with the stub or without."""
    paths = [environment.DOUBLE, place.native] if mode in ON_MUSA else []
    # a port brings its own
    paths = [*([STUB] if mode == "stub" else []), *paths, needs, PLUGIN]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "TORCHADA_"))}
    return {
        **kept,
        "PATH": os.pathsep.join([str(place.root / "bin"), os.environ.get("PATH", os.defpath)]),
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "MPLBACKEND": "agg",
        "TORCH_DEVICE_BACKEND_AUTOLOAD": "1",
        "PUT_RIGHT_AFTER_FAILURE": project.get("put-right", ""),
    }


def run(place: environment.Environment, project: dict, mode: str, tree: Path, needs: Path) -> outcomes.Outcomes:
    """Run a tree's tests in a mode, and say what came of each."""
    report = tree.parent / f"{mode}.xml"
    report.unlink(missing_ok=True)
    command = [str(place.python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "isolation"]
    command += ["--junitxml", str(report)]
    command += ["-p", "torchada"] if mode == "stub" else []
    command += ["--timeout", str(project.get("timeout", 120))] + project.get("options", []) + project["tests"]
    for name in project.get("left-out", {}):
        command += ["--deselect", name]
    with open(report.with_suffix(".log"), "w") as log:
        subprocess.run(
            command, cwd=tree, env=variables(place, project, mode, needs), stdout=log, stderr=subprocess.STDOUT
        )
    if not report.is_file():
        tail = report.with_suffix(".log").read_text(errors="replace")[-2000:]
        raise TestbedError(f"the tests of {project['name']} could not be run as `{mode}`:\n{tail}")
    return outcomes.read(report)


def known(project: dict, mode: str, test: str) -> str | None:
    """Why a test may end otherwise in a mode, where `projects.toml` says so."""
    for entry in project.get("known", []):
        if mode in entry["modes"] and any(fnmatch.fnmatchcase(test, each) for each in entry["tests"]):
            return entry["why"]
    return None


def judge(project: dict, results: dict[str, outcomes.Outcomes]) -> int:
    """Print the figures and what differs; the number of differences that nobody has explained."""
    print(f"\n{project['name']}")
    print(f"  {'mode':<14}{'passed':>8}{'failed':>8}{'skipped':>8}")
    for mode, result in results.items():
        counts = result.counts()
        print(f"  {mode:<14}{counts['passed']:>8}{counts['failed']:>8}{counts['skipped']:>8}")
    before = results["cpu"]
    unexplained = 0
    for mode, result in results.items():
        for test, was, now in before.worse(result):
            reason = known(project, mode, test)
            unexplained += reason is None
            print(f"  {mode}: {test}: {was}, now {now}: {reason or 'UNEXPLAINED'}")
    return unexplained


def examine(place: environment.Environment, torchada: Path, project: dict, modes: Iterable[str], keep: Path) -> int:
    """Everything for one project; the number of unexplained differences."""
    archive, needs = fetched(place, project["name"])
    results = {}
    for mode in modes:
        folder = keep / project["name"] / mode
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        tree = archives.unpacked(archive, folder)
        if mode not in ("cpu", "stub"):
            ported = folder / "ported"
            port(torchada, tree, ported, "musa" if mode == "musa" else "portable")
            tree = ported
        results[mode] = run(place, project, mode, tree, needs)
    return judge(project, results)


def main(arguments: list[str]) -> int:
    """The command line."""
    with open(HERE / "projects.toml", "rb") as opened:
        projects = tomllib.load(opened)["project"]
    parser = argparse.ArgumentParser(description="Port real packages, and run their own tests before and after.")
    parser.add_argument("--torchada", required=True, type=Path, metavar="BIN", help="the program")
    parser.add_argument("--torch", default=environment.DEFAULT_TORCH, metavar="VERSION")
    parser.add_argument("--only", action="append", metavar="NAME", choices=[each["name"] for each in projects])
    parser.add_argument("--mode", action="append", choices=MODES[1:], help="beside `cpu`; all, unless some are named")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the trees and what pytest says are left")
    chosen = parser.parse_args(arguments)
    modes = [each for each in MODES if each == "cpu" or not chosen.mode or each in chosen.mode]
    unexplained = 0
    try:
        place = environment.ensure(chosen.torch)
        with tempfile.TemporaryDirectory() as temporary:
            for project in projects:
                if not chosen.only or project["name"] in chosen.only:
                    keep = chosen.keep.absolute() if chosen.keep else Path(temporary)
                    unexplained += examine(place, chosen.torchada.absolute(), project, modes, keep)
    except TestbedError as error:
        print(f"runtime testbed: {error}", file=sys.stderr)
        return 1
    print(f"\n{unexplained} differences that nothing explains")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
