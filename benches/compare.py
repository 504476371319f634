#!/usr/bin/env python3
"""Times whole commands on a real tree, each beside the others.

Every round runs every command once, in turn, so that whatever else the machine does meets all of
them alike. Output folders are removed between the runs, outside of the times. What a command gets
is what its users give it; a command that edits in place gets a fresh copy, made outside of its time.

    benches/compare.py TREE --torchada target/release/torchada --rounds 5 --json docs/performance.json \\
        [--rg rg] [--ruff ruff] [--ast-grep ast-grep] [--hipify-perl bin/hipify-perl] [--python venv/bin/python] \\
        [--csv runs.csv]

TREE and the folder for outputs (--work) are best on a memory file system. `--python` is a Python
with torch, torchada and cuda-morph of PyPI. `--only NAME` picks commands, and `--base NAME` the one that the others are
compared with; `--limit SECONDS` ends
one that takes too long, and says so. `--files cpp` and `--files python` take only these files of the
tree, as the programs do that know no others. `--cold` has the system forget the tree's files before
each run, which tells something only where the tree and `--work` lie on a disk.
"""

import argparse
import csv
import json
import os
import platform
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

NAMES = r"\b(cuda[A-Z]\w+|cu[A-Z]\w+|CUDA_\w+|CU_\w+|cublas\w+|cudnn\w+|curand\w+|nccl\w+)\b"
CPP = {".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".hh", ".inl"}
KINDS = {"cpp": CPP, "python": {".py"}}
FAMILIES = "A,B,C4,E,F,I,N,PL,SIM,UP,W"
RIVALS = Path(__file__).with_name("rivals.py")
RULES = Path(__file__).with_name("ast-grep.yml")


def commands(args):
    """Each command's name, its arguments, and what has to be made first outside of its time: nothing, a copy of the
    tree to edit, or the output of another command."""
    tree, out = str(args.tree), str(args.work / "out")
    torchada = [str(args.torchada)]
    jobs = ["--jobs", str(args.jobs)] if args.jobs else []
    yield "cp -r", ["cp", "-r", tree, out], False
    port = [*torchada, "port", tree, "-o", out, "--quiet", *jobs]
    yield "torchada port", port, False
    yield "torchada port, nothing changed", port, port
    yield "torchada check", [*torchada, "check", tree, "--quiet", *jobs], False
    if args.rg:
        yield "ripgrep", [args.rg, "--count", "--no-ignore", NAMES, tree], False
    if args.ruff:
        ruff = [args.ruff, "check", "--isolated", "--no-cache", "--exit-zero", "--quiet"]
        yield "ruff check", [*ruff, tree], False
        yield "ruff check, eleven families", [*ruff, "--select", FAMILIES, tree], False
    if args.ast_grep:
        pattern = ["run", "--pattern", "torch.cuda.is_available()", "--lang", "python", tree]
        yield "ast-grep, one pattern", [args.ast_grep, *pattern], False
        rules = ["scan", "--rule", str(RULES), "--update-all", out]
        yield "ast-grep, five rewrites", [args.ast_grep, *rules], True
    if args.hipify_perl:
        yield "hipify-perl", [sys.executable, str(RIVALS), "hipify-perl", args.hipify_perl, tree, out], False
    if args.python:
        yield "PyTorch hipify", [args.python, str(RIVALS), "hipify", tree, out], False
        yield "PyPI torchada", [args.python, str(RIVALS), "torchada", tree, out], False
        yield "cuda-morph check", [args.python, str(RIVALS), "cuda-morph", tree], False


def measure(command, limit):
    """Run a command. Returns its wall, user and system time in seconds, and its peak memory in MB."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    ended = False
    if limit:
        try:
            signal.signal(signal.SIGALRM, lambda *_: os.killpg(process.pid, signal.SIGKILL))
            signal.alarm(limit)
        except OSError:
            pass
    _, status, usage = os.wait4(process.pid, 0)
    signal.alarm(0)
    process.returncode = os.waitstatus_to_exitcode(status)
    ended = process.returncode == -signal.SIGKILL
    return {
        "wall": round(time.perf_counter() - start, 4),
        "user": round(usage.ru_utime, 3),
        "system": round(usage.ru_stime, 3),
        "memory": round(usage.ru_maxrss / 1024, 1),
        "code": process.returncode,
        "ended": ended,
    }


def facts(tree):
    """How much there is to do."""
    files = [path for path in tree.rglob("*") if path.is_file() and not path.is_symlink()]
    size = lambda some: round(sum(path.stat().st_size for path in some) / 1e6, 1)
    cpp = [path for path in files if path.suffix in CPP]
    python = [path for path in files if path.suffix == ".py"]
    return {
        "files": len(files), "MB": size(files),
        "C++ files": len(cpp), "C++ MB": size(cpp),
        "Python files": len(python), "Python MB": size(python),
    }


def chosen_files(tree, kind, to):
    """A copy of the files of one kind."""
    shutil.rmtree(to, ignore_errors=True)
    for path in sorted(tree.rglob("*")):
        if path.suffix in KINDS[kind] and path.is_file() and not path.is_symlink():
            copy = to / path.relative_to(tree)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)
    return to


def forget(tree):
    """Have the system drop what it holds of a tree's files."""
    os.sync()
    for folder, _, names in os.walk(tree):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path):
                file = os.open(path, os.O_RDONLY)
                os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--torchada", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("/dev/shm/torchada-bench"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--only", action="append")
    parser.add_argument("--base", default="cp -r")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--files", choices=sorted(KINDS))
    parser.add_argument("--cold", action="store_true")
    for name in ("--rg", "--ruff", "--ast-grep", "--hipify-perl", "--python"):
        parser.add_argument(name)
    args = parser.parse_args()
    args.tree = args.tree.resolve()
    args.work.mkdir(parents=True, exist_ok=True)
    if args.files:
        args.tree = chosen_files(args.tree, args.files, args.work / "tree")
    chosen = [one for one in commands(args) if not args.only or one[0] in args.only]
    runs = {name: [] for name, _, _ in chosen}
    for round_number in range(args.rounds + 1):
        for name, command, first in chosen:
            out = args.work / "out"
            shutil.rmtree(out, ignore_errors=True)
            if first is True:
                shutil.copytree(args.tree, out, symlinks=True)
            elif first:
                subprocess.run(first, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            if args.cold:
                forget(args.tree)
                forget(out)
            result = measure(command, args.limit)
            # The first round warms the caches.
            if round_number or args.rounds == 0:
                runs[name].append(result)
            print(f"{round_number} {name}: {result}", file=sys.stderr)
    shutil.rmtree(args.work / "out", ignore_errors=True)
    base = statistics.median(run["wall"] for run in runs[args.base]) if args.base in runs else None
    print(f"| command | wall s | to `{args.base}` | CPU s | peak MB |\n| --- | --- | --- | --- | --- |")
    for name, some in runs.items():
        middle = lambda key: statistics.median(run[key] for run in some)
        wall, cpu = middle("wall"), statistics.median(run["user"] + run["system"] for run in some)
        ratio = f"{wall / base:.1f}" if base else ""
        late = " (ended)" if any(run["ended"] for run in some) else ""
        print(f"| {name}{late} | {wall:.2f} | {ratio} | {cpu:.2f} | {middle('memory'):.0f} |")
    if args.csv:
        with args.csv.open("w", newline="") as file:
            writer = csv.writer(file)
            keys = ["wall", "user", "system", "memory", "code"]
            writer.writerow(["command", "round", *keys])
            for name, some in runs.items():
                writer.writerows([name, at, *(run[key] for key in keys)] for at, run in enumerate(some, 1))
    if args.json:
        record = {
            "tree": facts(args.tree), "cold": args.cold,
            "cores": os.cpu_count(), "machine": platform.machine(),
            "commands": {name: [Path(part).name if part.startswith("/") else part for part in command]
                         for name, command, _ in chosen},
            "runs": runs,
        }
        args.json.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
