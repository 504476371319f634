#!/usr/bin/env python3
"""Counts how many of clang's errors in a port `torchada explain-log` leads back to the right line of the original.

    benches/explain_log.py TORCHADA TREE SCRATCH --cuda INCLUDE [--flag=-I…] [--files GLOB] [--share 10]

clang stands in for mcc. It reads the port with CUDA's headers through the shim, from which a share of the names is
taken away; headers that are missing are put in empty, until each unit is read to its end. The right line is known
without the map: a copy of the tree has its number in a comment at the end of each line, is ported, too, and each line of
that port has the number of its origin. In files whose ports are not the same without these comments, the lines of the port
and of the original are compared with each other with `cuda` and `musa` as one word: what is the same on both sides is known.
"""

import argparse
import difflib
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

SOURCES = {".cu", ".cuh", ".h", ".hpp", ".cpp", ".cc", ".inl"}
MARK = re.compile(rb" ?/\*@L(\d+)\* ?/")
CLANG = ["clang++-19", "-fsyntax-only", "-w", "-std=c++17", "-x", "cuda", "-Wno-unknown-cuda-version",
         "--cuda-gpu-arch=sm_80", "-ferror-limit=0", "-include", "musa_runtime.h"]


def marked(text: bytes) -> bytes:
    """The text with each line's number behind it, where a comment may stand."""
    out, block, raw = [], False, False
    for number, line in enumerate(text.split(b"\n"), 1):
        opens = block
        if not raw:
            bare = re.sub(rb'"(\\.|[^"\\])*"', b'""', line)
            for token in re.findall(rb"//|/\*|\*/", bare):
                if token == b"//" and not block:
                    break
                block = token == b"/*" if not (token == b"/*" and block) else block
        starts = re.search(rb'R"[^(]*\(', line)
        ends = re.search(rb'\)[^"]*"', line)
        was_raw = raw
        raw = (raw and not ends) or bool(starts and not re.search(rb'\)[^"]*"', line[starts.end():]))
        slash = re.search(rb"//", line)
        if opens or block or raw or was_raw or (slash and line.rstrip().endswith(b"\\")):
            out.append(line)
        elif line.rstrip().endswith(b"\\"):
            at = line.rstrip().rfind(b"\\")
            out.append(line[:at].rstrip() + b" /*@L%d*/ " % number + line[at:])
        else:
            out.append(line + b" /*@L%d*/" % number)
    return b"\n".join(out)


def run(*command, **more):
    return subprocess.run([str(part) for part in command], capture_output=True, check=False, **more)


def plant(shim: pathlib.Path, share: int) -> int:
    """Take names away from a shim, by their hashes."""
    names, gone, out = shim / "torchada_shim/names.h", 0, []
    for line in names.read_text().splitlines(True):
        word = line.split()
        if line.startswith("#define musa") and len(word) > 1 and hashlib.sha256(word[1].encode()).digest()[0] * 100 // 256 < share:
            gone += 1
        else:
            out.append(line)
    names.write_text("".join(out))
    return gone


def compile_unit(unit, port, flags, empty):
    """clang's messages about a unit, once all its headers are there."""
    for _ in range(200):
        done = run(*CLANG, *flags, unit.relative_to(port), cwd=port, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}, timeout=120)
        text = done.stderr.decode("utf-8", "replace")
        lacking = re.search(r"fatal error: '([^']+)' file not found", text)
        if not lacking:
            return text
        header = empty / lacking[1]
        if ".." in lacking[1] or header.exists():
            return text
        header.parent.mkdir(parents=True, exist_ok=True)
        header.touch()
    return text


def true_line(lines, line):
    """The number behind a line; of one without, what the marked lines around it agree on."""
    shifts = []
    for step in (-1, 1):
        at = line
        while lines and 1 <= at <= len(lines) and abs(at - line) < 60:
            mark = MARK.search(lines[at - 1])
            if mark:
                shifts.append(int(mark[1]) - at)
                break
            at += step
    return line + shifts[0] if len(shifts) == 2 and shifts[0] == shifts[1] else None


def aligned(port: bytes, original: bytes) -> dict[int, int]:
    """The lines of the original that lines of the port are, but for the names of the platform."""
    names = re.compile(rb"cuda|musa|\b(?:cu|mu|nc|mc)(?=[a-zA-Z])")
    sides = [[names.sub(b"", line.lower()).strip() for line in text.split(b"\n")] for text in (port, original)]
    blocks = difflib.SequenceMatcher(None, *sides, autojunk=False).get_matching_blocks()
    return {a + at + 1: b + at + 1 for a, b, size in blocks for at in range(size)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("torchada", "tree", "scratch"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--cuda", type=pathlib.Path, required=True)
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--files", default="**/*.mu")
    parser.add_argument("--most", type=int, default=60)
    parser.add_argument("--again", action="store_true", help="count what an earlier run left in SCRATCH")
    parser.add_argument("--share", type=int, default=10)
    args = parser.parse_args()
    scratch, args.torchada = args.scratch.resolve(), args.torchada.resolve()
    tree, copy, port, marks = (scratch / name for name in ("tree", "copy", "port", "marks"))
    if not args.again:
        build(args, scratch, tree, copy, port, marks)
    return count_right(args, scratch, tree, port, marks)


def build(args, scratch, tree, copy, port, marks):
    """Port the tree and its marked copy, and compile the port."""
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    ignored = shutil.ignore_patterns(".git")
    shutil.copytree(args.tree, tree, ignore=ignored, symlinks=True)
    shutil.copytree(args.tree, copy, ignore=ignored, symlinks=True)
    for path in copy.rglob("*"):
        if path.suffix in SOURCES and path.is_file() and not path.is_symlink():
            path.write_bytes(marked(path.read_bytes()))
    for source, to in ((tree, port), (copy, marks)):
        done = run(args.torchada, "port", source, "-o", to, "--no-cache", "--quiet", "--no-stub")
        if done.returncode > 1:
            sys.exit(done.stderr.decode())
    shim, cuda, empty = scratch / "shim", scratch / "cuda", scratch / "empty"
    run(args.torchada, "shim", shim)
    gone = plant(shim, args.share)
    (cuda / "bin").mkdir(parents=True)
    (cuda / "nvvm/libdevice").mkdir(parents=True)
    (cuda / "nvvm/libdevice/libdevice.10.bc").touch()
    (cuda / "include").symlink_to(args.cuda.resolve())
    empty.mkdir()
    for name in ("texture_fetch_functions.h", "curand_mtgp32_kernel.h"):
        (empty / name).touch()
    flags = [f"--cuda-path={cuda}", *args.flag, "-isystem", shim, "-isystem", args.cuda.resolve(), "-isystem", empty]
    units = sorted(port.glob(args.files))[: args.most]
    with ThreadPoolExecutor(2) as pool:
        texts = list(pool.map(lambda unit: compile_unit(unit, port, flags, empty), units))
    (scratch / "build.log").write_text("".join(texts))
    print(f"{len(units)} units, {gone} names taken away")


def count_right(args, scratch, tree, port, marks) -> int:
    """Hold the answers against the marks."""
    log = scratch / "build.log"
    done = run(args.torchada, "explain-log", log, "--port", port, "--format", "json")
    report = json.loads(done.stdout)
    manifest = json.loads((port / ".torchada/manifest.json").read_text())
    source_of = {row["path"]: row.get("source") for row in manifest["files"] if isinstance(row["path"], str)}
    # Each place that clang names in a file of the port, as its own line has it.
    places = set()
    for path, line, column in re.findall(r"^([^\s:]+):(\d+):(\d+): (?:fatal )?error: ", log.read_text(), re.M):
        full = pathlib.Path(path) if path.startswith("/") else port / path
        full = pathlib.Path(str(full.resolve()))
        if full.is_relative_to(port):
            places.add((str(full.relative_to(port)), int(line), int(column)))
    answers = {}
    for finding, row in zip(report["findings"], report["log"]):
        answers.setdefault((row["path"], row["line"], row["column"]), []).append((finding, row))
    lines, blocks, count = {}, {}, dict(right=0, wrong=0, unanswered=0, unknown=0)
    by_lines = 0
    words = dict(same=0, edit=0, other=0)
    for path, line, column in sorted(places):
        if path not in lines:
            plain, shown = (port / path).read_bytes(), (marks / path).read_bytes() if (marks / path).exists() else b""
            lines[path] = shown.split(b"\n") if MARK.sub(b"", shown) == plain.replace(b" \\\n", b"\\\n") or re.sub(rb"\s+", b"", MARK.sub(b"", shown)) == re.sub(rb"\s+", b"", plain) else None
        marked_lines = lines[path]
        found = answers.get((path, line, column))
        truth = true_line(marked_lines, line)
        if truth is None and source_of.get(path):
            if path not in blocks:
                blocks[path] = aligned((port / path).read_bytes(), (tree / source_of[path]).read_bytes())
            truth = blocks[path].get(line)
            by_lines += truth is not None
        if not found:
            count["unanswered"] += 1
            print(f"unanswered {path}:{line}:{column}", file=sys.stderr)
            continue
        if truth is None:
            count["unknown"] += 1
            continue
        finding, _ = found[0]
        is_right = finding["line"] == truth and finding["path"] == source_of.get(path)
        count["right" if is_right else "wrong"] += 1
        if not is_right:
            print(f"wrong {path}:{line}:{column} is {finding['path']}:{finding['line']}, not {truth}: {finding['message']}", file=sys.stderr)
        now = (port / path).read_bytes().split(b"\n")[line - 1][column - 1:]
        then = (tree / finding["path"]).read_bytes().split(b"\n")[finding["line"] - 1].decode("utf-8", "replace")[finding["column"] - 1:].encode()
        word = re.compile(rb"\w*")
        if word.match(now)[0] == word.match(then)[0]:
            words["same"] += 1
        elif "renamed from" in finding["message"] or "the port" in finding["message"] or "assembly" in finding["message"]:
            words["edit"] += 1
        else:
            words["other"] += 1
    known = count["right"] + count["wrong"] + count["unanswered"]
    print(f"{len(places)} places in the port, {sum(map(len, answers.values()))} messages")
    print(f"{by_lines} of them known by comparing lines")
    print(f"line: {count}, {100 * count['right'] / max(known, 1):.2f} % of {known} right")
    print(f"word at the place: {words}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
