#!/usr/bin/env python3
"""Run the cases on an NVIDIA GPU: each kernel as it was written, and the port of each.

    on_nvidia.py [--arch sm_90a] [--ports FOLDER] [--json FILE] CASES.jsonl…

It needs nvcc, a GPU, and nothing of this project: it compares what a kernel writes by the interpreter of `machine.py`
with what the GPU writes. `--sources FOLDER` writes the kernels as a tree instead; with `--ports FOLDER`, a port of that
tree made with `--ptx=emulate`, the C++ that the PTX was translated to runs as well, on headers that give MUSA's names to
CUDA's.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

#: MUSA's headers, of CUDA's.
HEADERS = {
    "musa_runtime.h": """#pragma once
#include <cuda_runtime.h>
#define __musa_exit() asm volatile("exit;")
#define SPECIAL(name) __device__ inline unsigned __get_##name() { \\
    unsigned value; asm volatile("mov.u32 %0, %%" #name ";" : "=r"(value)); return value; }
SPECIAL(laneid) SPECIAL(lanemask_lt) SPECIAL(lanemask_le) SPECIAL(lanemask_gt) SPECIAL(lanemask_ge)
""",
    "musa_fp16.h": "#pragma once\n#include <cuda_fp16.h>\n",
    "musa_bf16.h": "#pragma once\n#include <cuda_bf16.h>\n"
    "using __mt_bfloat16 = __nv_bfloat16;\nusing __mt_bfloat162 = __nv_bfloat162;\n",
    "musa_fp8.h": "#pragma once\n#include <cuda_fp8.h>\n",
}

#: The words of the NaN that arithmetic of one width gives; a GPU may give another.
ARITHMETIC_NANS = (bytes.fromhex("ffffff7f"), bytes.fromhex("0000f87f"))

#: Runs a kernel in one block: INPUT OUTPUT BYTES THREADS.
PROGRAM = r"""
#include "FILE"
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>
__global__ void run_case(const void *in, void *out) { NAME(in, out); }
int main(int, char **arguments) {
    std::ifstream file(arguments[1], std::ios::binary);
    std::vector<char> in((std::istreambuf_iterator<char>(file)), {});
    std::vector<char> out(std::atoi(arguments[3]));
    char *from, *to;
    cudaMalloc(&from, in.size() + 64);
    cudaMalloc(&to, out.size() + 64);
    cudaMemset(to, 0, out.size() + 64);
    cudaMemcpy(from, in.data(), in.size(), cudaMemcpyHostToDevice);
    run_case<<<1, std::atoi(arguments[4])>>>(from, to);
    if (cudaError_t error = cudaDeviceSynchronize()) {
        std::puts(cudaGetErrorString(error));
        return 1;
    }
    cudaMemcpy(out.data(), to, out.size(), cudaMemcpyDeviceToHost);
    std::ofstream(arguments[2], std::ios::binary).write(out.data(), out.size());
}
"""


def cases(files: list[Path]) -> dict[str, dict]:
    """The cases of all files by a name that no other has."""
    read = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    return {f"case_{at:04}_{case['name']}": case for at, case in enumerate(read)}


def is_near(case: dict, got: bytes) -> bool:
    """Whether a result is as near as the case asks, and a NaN where it asks for one that arithmetic gives."""
    wanted, tolerance = bytes.fromhex(case["output"]), case.get("tolerance")
    for at in range(0, len(wanted) - 3, 4):
        ours, theirs = wanted[at : at + 4], got[at : at + 4]
        if ours == theirs:
            continue
        a, b = struct.unpack("<2f", ours + theirs)
        if ours in ARITHMETIC_NANS and math.isnan(b):
            continue
        if tolerance is None or not abs(a - b) <= (tolerance if tolerance < 1 else 1e-6 * tolerance) * max(1, abs(a)):
            return False
    return True


def run(name: str, case: dict, file: Path, place: Path, arch: str) -> tuple[str, str]:
    """The verdict on one kernel, and the message about it."""
    stem = place / f"{file.parent.name}_{name}"
    source = stem.with_suffix(".cu")
    source.write_text(PROGRAM.replace("FILE", str(file.resolve())).replace("NAME", case["name"]))
    line = ["nvcc", "-std=c++17", f"-arch={arch}", "-w", "-I", str(place), "-o", str(stem), str(source)]
    built = subprocess.run(line, check=False, capture_output=True, text=True)
    if built.returncode != 0:
        printed = (built.stdout + built.stderr).strip()
        not_there = "requires .target" in printed or "not supported on .target" in printed
        return "not for this GPU" if not_there else "does not compile", printed[:300]
    given, written = stem.with_suffix(".in"), stem.with_suffix(".out")
    given.write_bytes(bytes.fromhex(case["input"]))
    wanted = bytes.fromhex(case["output"])
    arguments = [str(stem), str(given), str(written), str(len(wanted)), str(case.get("threads", 1))]
    try:
        done = subprocess.run(arguments, check=False, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "does not finish", ""
    if done.returncode != 0:
        return "does not run", done.stdout.strip()
    got = written.read_bytes()
    if got == wanted:
        return "same", ""
    if is_near(case, got):
        return "near", ""
    places = [at for at in range(0, len(wanted), 4) if got[at : at + 4] != wanted[at : at + 4]]
    first = [f"{at}: {got[at : at + 4].hex()} for {wanted[at : at + 4].hex()}" for at in places[:3]]
    return "differs", f"{len(places)} words of {len(wanted) // 4}; bytes from {'; '.join(first)}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the cases of inline PTX on an NVIDIA GPU.")
    parser.add_argument("files", nargs="+", type=Path, metavar="CASES.jsonl")
    parser.add_argument("--arch", default="sm_90a", help="what nvcc compiles for")
    parser.add_argument("--sources", type=Path, metavar="FOLDER", help="write the kernels there and stop")
    parser.add_argument("--ports", type=Path, metavar="FOLDER", help="a port of the tree that --sources wrote")
    chosen = parser.parse_args()
    found = cases(chosen.files)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        sources = chosen.sources or place / "sources"
        sources.mkdir(parents=True)
        for name, case in found.items():
            (sources / f"{name}.cu").write_text(case["source"])
        if chosen.sources:
            return 0
        for name, text in HEADERS.items():
            (place / name).write_text(text)
        jobs = [(name, case, sources / f"{name}.cu") for name, case in found.items()]
        if chosen.ports:
            jobs += [(name, case, chosen.ports / f"{name}.mu") for name, case in found.items()]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda job: run(*job, place, chosen.arch), jobs))
    for (name, _, file), (verdict, why) in zip(jobs, results):
        if verdict not in ("same", "near"):
            print(f"{file.suffix[1:]} {name}: {verdict}{': ' if why else ''}{why}")
    counts = Counter((file.suffix[1:], verdict) for (*_, file), (verdict, _) in zip(jobs, results))
    for (kind, verdict), count in sorted(counts.items()):
        print(f"{kind}\t{verdict}\t{count}")
    return int(any(verdict not in ("same", "near", "not for this GPU") for verdict, _ in results))


if __name__ == "__main__":
    sys.exit(main())
