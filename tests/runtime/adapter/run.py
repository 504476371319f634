#!/usr/bin/env python3
"""Run the public tests of the adapter of the same name on the package index, with the adapter and with this package.

    tests/runtime/adapter/run.py --torchada BIN [--torch VERSION] [--only FILE]… [--mode MODE]… [--keep DIR] [--bare]

What `adapter.txt` pins is fetched from the package index and checked by its hash, so this needs the network and is no
part of `cargo test`. Each of its test files runs twice over the double, in a process of its own:

    adapter   with the adapter's own package: what the double and this machine let pass
    stub      with this package, and the names of `names/`, which `lending.py` gives it

A test that passes with the adapter has to pass with this package, or to stand in `known.toml` with the reason. 0 when
nothing else is left, 1 when something is. `--bare` lends no names: then most files can't be collected.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import tomllib

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "projects")]

import outcomes  # noqa: E402

import archives  # noqa: E402
import environment  # noqa: E402
from errors import TestbedError  # noqa: E402

STUB = HERE.parents[2] / "src" / "stub"
MODES = ("adapter", "stub")

#: Seconds for one file: one of them compiles for minutes.
TIMEOUT = 900


def variables(place: environment.Environment, mode: str, tree: Path, torchada: Path) -> dict[str, str]:
    """The environment variables of a run."""
    ours = [tree / "src" if mode == "adapter" else STUB, HERE]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "TORCHADA_"))}
    return {
        **kept,
        "PATH": os.pathsep.join([str(place.root / "bin"), os.environ.get("PATH", os.defpath)]),
        "PYTHONPATH": os.pathsep.join(map(str, [*ours, environment.DOUBLE, place.native])),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "TORCH_DEVICE_BACKEND_AUTOLOAD": "1",
        "TORCH_EXTENSIONS_DIR": str(tree.parent / f"extensions-{mode}"),
        "TORCHINDUCTOR_CACHE_DIR": str(tree.parent / f"inductor-{mode}"),
        "TORCHADA_BINARY": str(torchada),
    }


def run(place: environment.Environment, mode: str, tree: Path, file: Path, options: argparse.Namespace) -> Path | None:
    """Run one file's tests; the report, if there is one."""
    report = options.keep / f"{mode}-{file.stem}.xml"
    if options.mode and mode not in options.mode:
        return report if report.is_file() else None
    report.unlink(missing_ok=True)
    command = [str(place.python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull]
    command += ["--rootdir", str(tree), "--junitxml", str(report), str(file)]
    command += ["-p", "adapter_fixtures", "-k", " and ".join(f"not {name}" for name in options.left_out)]
    command += ["-p", "lending"] if mode == "stub" and not options.bare else []
    with open(report.with_suffix(".log"), "w") as log:
        try:
            subprocess.run(
                command,
                cwd=tree,
                env=variables(place, mode, tree, options.torchada),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                timeout=TIMEOUT,
            )
        except subprocess.TimeoutExpired:
            raise TestbedError(f"{file.name} took more than {TIMEOUT} seconds as `{mode}`") from None
    if not report.is_file():
        tail = report.with_suffix(".log").read_text(errors="replace")[-2000:]
        raise TestbedError(f"{file.name} could not be run as `{mode}`:\n{tail}")
    return report


def differences(results: dict[str, outcomes.Outcomes]) -> Iterator[tuple[str, str, str]]:
    """Test, how it ended with the adapter and how with this package, of each that does not pass as it does there."""
    before = results["adapter"].of if "adapter" in results else {}
    after = results["stub"].of
    for test in sorted(before.keys() | after.keys()):
        was, now = before.get(test, outcomes.NOT_THERE), after.get(test, outcomes.NOT_THERE)
        # One that is skipped because of this machine is no difference.
        if now.how != "passed" and was.how != now.how and (was, now.how) != (outcomes.NOT_THERE, "skipped"):
            yield test, str(was), str(now)


def reason(known: list[dict], test: str) -> str | None:
    """Why a test may end otherwise, where `known.toml` says so."""
    return next((each["why"] for each in known if any(fnmatch.fnmatchcase(test, name) for name in each["tests"])), None)


def shown(counts: Counter[str]) -> str:
    """Figures of one run."""
    return " ".join(f"{counts[how]:>4}" for how in ("passed", "failed", "skipped"))


def main(arguments: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Run the public tests of the adapter on the package index.")
    parser.add_argument("--torchada", required=True, type=Path, metavar="BIN", help="the program")
    parser.add_argument("--torch", default=environment.DEFAULT_TORCH, metavar="VERSION")
    parser.add_argument("--only", action="append", metavar="FILE", help="a file of tests, such as test_rope.py")
    parser.add_argument("--mode", action="append", choices=MODES, help="the other one's reports are taken from DIR")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the tree and what pytest says are left")
    parser.add_argument("--bare", action="store_true", help="lend no names")
    chosen = parser.parse_args(arguments)
    chosen.torchada = chosen.torchada.absolute()
    with open(HERE / "known.toml", "rb") as opened:
        read = tomllib.load(opened)
    known, chosen.left_out = read["known"], read["left-out"]
    unexplained, totals, reasons = 0, {mode: Counter() for mode in MODES}, Counter()
    try:
        place = environment.ensure(chosen.torch)
        with tempfile.TemporaryDirectory() as temporary:
            chosen.keep = (chosen.keep or Path(temporary)).absolute()
            chosen.keep.mkdir(parents=True, exist_ok=True)
            archive = archives.download(place, HERE / "adapter.txt", "adapter")
            tree = archives.unpacked(archive, Path(temporary))
            print(f"{'':<42} adapter: passed, failed, skipped; this package: the same")
            for file in sorted((tree / "tests").glob("test_*.py")):
                if chosen.only and file.name not in chosen.only:
                    continue
                reports = {mode: run(place, mode, tree, file, chosen) for mode in MODES}
                results = {mode: outcomes.read(report, ()) for mode, report in reports.items() if report}
                for mode, result in results.items():
                    totals[mode] += result.counts()
                print(f"{file.name:<42} {'   '.join(shown(each.counts()) for each in results.values())}", flush=True)
                for test, was, now in differences(results) if "stub" in results else ():
                    why = reason(known, test)
                    reasons[why] += why is not None
                    unexplained += why is None
                    if why is None:
                        print(f"    {test}: {was}, now {now}: UNEXPLAINED")
    except TestbedError as error:
        print(f"runtime testbed: {error}", file=sys.stderr)
        return 1
    print(f"{'all':<42} {'   '.join(shown(totals[mode]) for mode in MODES)}")
    for why, count in reasons.most_common():
        print(f"{count:>5}  {why}")
    print(f"{unexplained} differences that nothing explains")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
