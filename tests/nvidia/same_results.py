#!/usr/bin/env python3
"""Build and run programs on an NVIDIA GPU as they were, and as they were ported, and compare what they print.

    same_results.py --shim SHIM [--jobs N] [--seconds N] [--run-seconds N] [--json FILE] IN OUT PROGRAM…

Each PROGRAM is a folder of IN, of which OUT is a port made with `--target mp_31`, with a makefile or a CMakeLists.txt. The
build of the port runs as it is: the folder of this file has a stand-in for mcc and for CMake's modules. A makefile's target
`run` says what is run; else it is the one program that CMake builds. Numbers that a machine measures are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent

#: Lines about how long something took, and about processes and addresses, differ from run to run.
MEASURED = re.compile(
    r"time|sec|\b[mun]s\b|[GM]B/s|flop|bandwidth|throughput|elapsed|speed|fps|rate|perf|cycles|clock|pid|0x[0-9a-f]{6,}",
    re.IGNORECASE,
)


class Runner:
    """Runs commands until a time that all of them share is over."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        self.chosen = chosen
        self.until = time.monotonic() + chosen.seconds
        path = f"{HERE}{os.pathsep}{os.environ['PATH']}"
        self.environment = {**os.environ, "PATH": path, "SHIM": str(chosen.shim.resolve())}
        self.environment.setdefault("CUDA_HOME", "/usr/local/cuda")

    def run(self, line: str, folder: Path, seconds: float) -> tuple[int | None, str]:
        """The exit code, `None` where there was no time, and what was printed."""
        seconds = min(seconds, self.until - time.monotonic())
        if seconds <= 0:
            return None, ""
        try:
            done = subprocess.run(
                line, shell=True, check=False, cwd=folder, env=self.environment, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, errors="replace", timeout=seconds, start_new_session=True,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return None, ""
        return done.returncode, done.stdout

    def build(self, folder: Path, *, port: bool) -> tuple[int | None, str]:
        if (folder / "Makefile").exists():
            line = "make" if port else f"make ARCH={self.chosen.arch}"
        else:
            modules = f"-DCMAKE_MODULE_PATH={HERE / 'modules'}" if port else ""
            line = f"cmake -S . -B build {modules} && cmake --build build"
        return self.run(line, folder, 120)

    def command(self, folder: Path) -> str | None:
        """What runs the program that was built."""
        if (folder / "Makefile").exists():
            _, printed = self.run("make -n run LAUNCHER=", folder, 20)
            lines = (line.strip() for line in printed.splitlines())
            return next((line for line in lines if re.search(r"(^|\s)\./", line)), None)
        built = [path for path in (folder / "build").iterdir() if path.is_file() and os.access(path, os.X_OK)]
        return f"./build/{built[0].name}" if len(built) == 1 else None

    def compare(self, name: str) -> dict:
        """The verdict on one program."""
        folders = {"original": self.chosen.original / name, "port": self.chosen.port / name}
        commands = {}
        for side, folder in folders.items():
            code, printed = self.build(folder, port=side == "port")
            if code is None:
                return {"name": name, "verdict": f"no time to build the {side}"}
            if code != 0:
                return {"name": name, "verdict": f"the {side} does not build", "why": printed[-2000:]}
            commands[side] = self.command(folder)
        if None in commands.values():
            return {"name": name, "verdict": "nothing to run"}
        seconds = self.chosen.run_seconds
        code, printed = self.run(commands["original"], folders["original"], seconds)
        if code is None:
            return {"name": name, "verdict": "no time to run"}
        got, shown = self.run(commands["port"], folders["port"], 2 * seconds)
        wanted, lines = kept(printed), kept(shown)
        if got == code and wanted == lines:
            return {"name": name, "verdict": "same" if code == 0 else "fails alike", "lines": len(wanted)}
        again, repeated = self.run(commands["original"], folders["original"], seconds)
        if got == code == again and kept(repeated) != wanted:
            return {"name": name, "verdict": "differs from run to run"}
        differing = [f"{a} | {b}" for a, b in zip(wanted, lines) if a != b]
        return {"name": name, "verdict": "differs", "codes": [code, got], "why": "\n".join(differing[:5]) or shown[-600:]}


def kept(printed: str) -> list[str]:
    """The lines that do not depend on the run."""
    return [line.rstrip() for line in printed.splitlines() if line.strip() and not MEASURED.search(line)]


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare programs with their ports on an NVIDIA GPU.")
    parser.add_argument("original", type=Path, metavar="IN")
    parser.add_argument("port", type=Path, metavar="OUT")
    parser.add_argument("programs", nargs="+", metavar="PROGRAM", help="a folder of IN")
    parser.add_argument("--shim", type=Path, required=True, help="what `torchada shim` wrote")
    parser.add_argument("--arch", default="native", help="what nvcc compiles makefiles' originals for")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many programs at once")
    parser.add_argument("--seconds", type=float, default=3600, help="for all of them")
    parser.add_argument("--run-seconds", type=float, default=20, help="for one run of an original")
    parser.add_argument("--json", type=Path, help="write everything there")
    chosen = parser.parse_args()
    runner = Runner(chosen)
    with ThreadPoolExecutor(chosen.jobs) as pool:
        results = list(pool.map(runner.compare, chosen.programs))
    for one in results:
        if one["verdict"] in ("differs", "the port does not build"):
            print(f"{one['name']}: {one['verdict']}\n{one['why']}\n")
    for verdict, count in Counter(one["verdict"] for one in results).most_common():
        print(f"{count:5} {verdict}")
    if chosen.json:
        chosen.json.write_text(json.dumps(results, indent=1))
    return int(any(one["verdict"] in ("differs", "the port does not build") for one in results))


if __name__ == "__main__":
    sys.exit(main())
