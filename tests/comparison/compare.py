#!/usr/bin/env python3
"""What other converters make of the same Python files, beside torchada.

    compare.py --torchada BIN --cuda-morph PYTHON --converter FILE [--speed] [--out DIR] TREE…

`PYTHON` is one that cuda-morph 0.9.1 and libcst are installed for (`pip install --no-deps cuda-morph==0.9.1
click libcst PyYAML tqdm`), `FILE` is torch_musa's `torch_musa/utils/musa_converter.py`. Of each tree the `.py`
files that Python can parse are copied, once for each tool, so that all of them get the same files and nothing
else. Every tool is run as its own help says, in place where it works in place.

What is measured knows nothing of how torchada decides: references to CUDA are found with Python's own parser
(`references.py`), and what a tool edited by comparing tokens (`edits.py`).
"""

from __future__ import annotations

import argparse
import ast
import json
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import edits  # noqa: E402
import references  # noqa: E402

TOOLS = ("torchada musa", "torchada portable", "torch_musa converter", "cuda-morph")

#: Run by the Python that cuda-morph is installed for: `check` and `port` of each file that is named, in one process.
MORPH = """
import contextlib, io, json, sys, time
from ascend_compat.cli._porter import port_file
from ascend_compat.cli._scanner import check_file
reports, spent = {}, 0.0
for path in sys.stdin.read().splitlines():
    start = time.perf_counter()
    try:
        report = check_file(path)
        report.summary()
    except Exception as error:
        reports[path] = {"failed": repr(error)}
        continue
    spent += time.perf_counter() - start
    reports[path] = {"lines": [each.line_number for each in report.dependencies]}
    if "--port" in sys.argv and report.total_cuda_refs:
        with contextlib.redirect_stdout(io.StringIO()):
            text = port_file(path, dry_run=True)
        with open(path, "w", encoding="utf-8") as opened:
            opened.write(text)
json.dump({"reports": reports, "seconds": spent}, sys.stdout)
"""


@dataclass
class Result:
    """What a tool did to a tree."""

    #: Lines that it reports, by file.
    reported: dict[str, set[int]] = field(default_factory=dict)
    #: What went wrong, in words.
    trouble: str = ""


def parsed(text: str) -> ast.AST | None:
    """The tree of a file, if Python can read it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            return None


def files_of(tree: Path) -> dict[str, str]:
    """The text of each file that all tools get, by its path in the tree."""
    found = {}
    for path in sorted(tree.rglob("*.py")):
        if not path.is_file() or path.is_symlink() or ".git" in path.parts:
            continue
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        if "\r" not in text and parsed(text):
            found[path.relative_to(tree).as_posix()] = text
    return found


def write(files: dict[str, str], into: Path) -> None:
    """Copy the files of a tree."""
    shutil.rmtree(into, ignore_errors=True)
    for name, text in files.items():
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        (into / name).write_text(text, encoding="utf-8", newline="")


def run(command: list[str], **more: object) -> subprocess.CompletedProcess[str]:
    """Run a tool."""
    return subprocess.run(command, capture_output=True, text=True, **more)  # type: ignore[call-overload]


def torchada(binary: str, dialect: str, source: Path, target: Path) -> Result:
    """`torchada port`."""
    shutil.rmtree(target, ignore_errors=True)
    done = run([binary, "port", str(source), "-o", str(target), "--dialect", dialect, "--no-stub", "--no-ignore"])
    report = target / ".torchada" / "report.json"
    if not report.is_file():
        return Result(trouble=done.stderr.strip()[-300:])
    result = Result()
    for finding in json.loads(report.read_text())["findings"]:
        last = finding.get("end_line", finding["line"])
        result.reported.setdefault(finding["path"], set()).update(range(finding["line"], last + 1))
    return result


def converter(python: str, script: str, target: Path) -> Result:
    """torch_musa's `musa-converter`, in place. It stops at the first file that it fails on; that one is set aside
    then, so that the others are converted."""
    failed = []
    while True:
        done = run([python, script, "-r", str(target)])
        if done.returncode == 0 or not done.stderr:
            break
        # which file it was, it does not say: try them one by one
        for path in sorted(target.rglob("*.py")):
            if run([python, script, "-r", str(path)]).returncode != 0:
                failed.append(path)
        break
    return Result(trouble=f"stops at {len(failed)} files" if failed else "")


def cuda_morph(python: str, files: dict[str, str], target: Path) -> Result:
    """`cuda-morph check` of each file, and `cuda-morph port` of those that have something."""
    paths = "\n".join(str(target / name) for name in files)
    done = run([python, "-c", MORPH, "--port"], input=paths)
    if done.returncode != 0:
        return Result(trouble=done.stderr.strip()[-300:])
    reports = json.loads(done.stdout)["reports"]
    result = Result()
    for name in files:
        result.reported[name] = set(reports[str(target / name)].get("lines", ()))
    return result


def measure(files: dict[str, str], target: Path, result: Result, package: Path) -> Counter[str]:
    """Figures about what a tool did."""
    counts: Counter[str] = Counter()
    modules = {name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in files}
    own = references.own_names(filter(None, map(parsed, files.values())))
    for name, before in files.items():
        path = target / name
        after = path.read_text(encoding="utf-8", errors="surrogateescape") if path.is_file() else before
        tree = parsed(before)
        assert tree is not None
        done = edits.between(before, after, tree)
        later = parsed(after)
        counts["files changed"] += before != after
        counts["does not compile any more"] += later is None
        counts.update(done.kinds(own))
        if later is not None:
            counts["value doubled beside itself"] += references.doubled(later) - references.doubled(tree)
            counts["import of a module that torch_musa has not"] += references.unknown_imports(later, package)
            counts["import of the project's own that leads nowhere"] += references.lost_imports(tree, later, modules)
        for kind, line, column in references.of(tree, before):
            counts[f"{kind}: all"] += 1
            if done.covers(line, column):
                counts[f"{kind}: edited"] += 1
            elif line in result.reported.get(name, ()):
                counts[f"{kind}: reported"] += 1
            else:
                counts[f"{kind}: silent"] += 1
    return counts


def speed(chosen: argparse.Namespace, files: dict[str, str], source: Path) -> dict[str, float]:
    """Files per second of `check` over a tree, the best of rounds in which the tools take turns. cuda-morph reads one file per
    start; it is given one process for all, and only the time in its scanner counts."""
    best: Counter[str] = Counter()
    paths = "\n".join(str(source / name) for name in files)
    for _ in range(chosen.rounds):
        done = run([chosen.cuda_morph, "-c", MORPH], input=paths)
        best["cuda-morph"] = max(best["cuda-morph"], len(files) / json.loads(done.stdout)["seconds"])
        for jobs in ("1", "all"):
            command = [chosen.torchada, "check", str(source), "--format", "json", "--no-ignore"]
            start = time.perf_counter()
            run(command + (["-j", jobs] if jobs != "all" else []))
            spent = time.perf_counter() - start
            best[f"torchada, {jobs} threads"] = max(best[f"torchada, {jobs} threads"], len(files) / spent)
    return dict(best)


def main(arguments: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="What other converters make of the same files, beside torchada.")
    parser.add_argument("--torchada", required=True, metavar="BIN")
    parser.add_argument("--cuda-morph", required=True, metavar="PYTHON")
    parser.add_argument("--converter", required=True, metavar="FILE")
    parser.add_argument("--speed", action="store_true", help="measure `check` instead")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tool", action="append", choices=TOOLS, help="all, unless some are named")
    parser.add_argument("--out", type=Path, help="where the results are left")
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE")
    chosen = parser.parse_args(arguments)
    total: dict[str, Counter[str]] = {tool: Counter() for tool in chosen.tool or TOOLS}
    with tempfile.TemporaryDirectory() as temporary:
        out = chosen.out or Path(temporary)
        for tree in chosen.trees:
            files = files_of(tree)
            source = out / "source" / tree.name
            write(files, source)
            print(f"{tree.name}: {len(files)} files", file=sys.stderr, flush=True)
            if chosen.speed:
                for tool, value in speed(chosen, files, source).items():
                    print(f"{tree.name}\t{len(files)}\t{tool}\t{value:.0f} files/s", flush=True)
                continue
            for tool in total:
                target = out / tool.replace(" ", "-") / tree.name
                if tool.startswith("torchada"):
                    result = torchada(chosen.torchada, tool.split()[1], source, target)
                else:
                    write(files, target)
                    python = chosen.cuda_morph
                    in_place = tool == "cuda-morph"
                    result = (
                        cuda_morph(python, files, target) if in_place else converter(python, chosen.converter, target)
                    )
                if result.trouble:
                    print(f"  {tool}: {result.trouble}", file=sys.stderr, flush=True)
                total[tool].update(measure(files, target, result, Path(chosen.converter).parents[1]))
    if not chosen.speed:
        table(total)
    return 0


def table(total: dict[str, Counter[str]]) -> None:
    """Print the figures as a table of Markdown."""
    rows = sorted({row for counts in total.values() for row in counts}, key=lambda row: (": " in row, row))
    print("| | " + " | ".join(total) + " |\n| --- |" + " --- |" * len(total))
    for row in rows:
        print(f"| {row} | " + " | ".join(str(total[tool][row]) for tool in total) + " |")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
