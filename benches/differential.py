#!/usr/bin/env python3
"""Port trees twice and compare the ports byte by byte, reports included.

With `--other PROGRAM` two builds of the program port each tree: a change of the house alone must change nothing. Without
it one program checks what has to be checked, and then everything: `--verify=needed` reads Python with the fast reader and
parses only what an edit could have broken; `--verify=full` reads it with the grammar and parses every file that changes.

Exit code 0: it is; 1: something differs, each file is named; 2: a port could not be made.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def files(root: Path) -> dict[str, Path]:
    """All files and links below a folder, by their paths."""
    found = {}
    for folder, folders, names in os.walk(root):
        for name in names + [one for one in folders if (Path(folder) / one).is_symlink()]:
            path = Path(folder) / name
            found[str(path.relative_to(root))] = path
    return found


def content(path: Path, root: Path) -> tuple[str, bytes]:
    """The kind of a file and its bytes, without the place of its output."""
    if path.is_symlink():
        return "link", os.fsencode(os.readlink(path))
    text = path.read_bytes()
    if ".torchada" in path.relative_to(root).parts:
        text = text.replace(os.fsencode(root), b"OUT")
        # The manifest of a port names the build of the program that made it.
        text = re.sub(rb'"program": *"[0-9a-f]+"', b'"program": "THIS"', text)
    return oct(path.stat().st_mode), text


def port(program: Path, tree: Path, out: Path, verify: str, more: list[str]) -> float:
    """Port a tree. Returns the seconds that it took."""
    start = time.monotonic()
    line = [program, "port", tree, "-o", out, f"--verify={verify}", "--quiet", "--no-ignore", "--no-cache", *more]
    ended = subprocess.run(line, stdout=subprocess.DEVNULL, check=False)
    if ended.returncode not in (0, 1):
        print(f"{tree}: the port with --verify={verify} ended with {ended.returncode}", file=sys.stderr)
        raise SystemExit(2)
    return time.monotonic() - start


def differences(one: Path, other: Path) -> tuple[int, list[str]]:
    """How many files two folders have, and those that are not the same in both."""
    left, right = files(one), files(other)
    found = [f"{path}: in one of the two only" for path in sorted(left.keys() ^ right.keys())]
    for path in sorted(left.keys() & right.keys()):
        if content(left[path], one) != content(right[path], other):
            found.append(f"{path}: differs")
    return len(left), found


def main() -> int:
    """Compare each tree that is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE")
    parser.add_argument("--torchada", type=Path, default=Path("target/release/torchada"))
    parser.add_argument("--other", type=Path, metavar="PROGRAM", help="compare with the ports of this build")
    parser.add_argument("--work", type=Path, help="where the ports are written [default: a temporary folder]")
    parser.add_argument("--more", action="append", default=[], help="one more argument of both ports")
    args = parser.parse_args()
    program, other = args.torchada.resolve(), args.other and args.other.resolve()
    ways = [(program, "needed"), (other, "needed") if other else (program, "full")]
    names = ("this", "other") if other else ("needed", "full")
    total = 0
    print(f"| tree | files | `{names[0]}` s | `{names[1]}` s | different |\n| --- | --- | --- | --- | --- |")
    for tree in args.trees:
        with tempfile.TemporaryDirectory(dir=args.work) as place:
            outputs = [Path(place) / name for name in names]
            seconds = [
                port(program, tree, output, verify, args.more) for (program, verify), output in zip(ways, outputs)
            ]
            count, found = differences(*outputs)
            print(f"| {tree.name} | {count} | {seconds[0]:.2f} | {seconds[1]:.2f} | {len(found)} |", flush=True)
            for line in found:
                print(f"{tree.name}/{line}", file=sys.stderr)
            total += len(found)
    return int(total > 0)


if __name__ == "__main__":
    sys.exit(main())
