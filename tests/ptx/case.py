"""A case: a kernel as a C++ file, its input, and what the interpreter says that it writes."""

from __future__ import annotations

import re
import struct

import machine
from operations import execute

# Where a thread reads its record of so many bytes, and where it writes one: `in` and `out` are registers.
HEAD = """
.reg .u64 in, out, record;
.reg .u32 t;
mov.u32 t, %tid.x;
mul.wide.u32 record, t, {read};
add.u64 in, %0, record;
mul.wide.u32 record, t, {write};
add.u64 out, %1, record;
"""

CASES: list[dict] = []


def case(name: str, read: int, write: int, body: str, data: bytes, threads: int | None = None, **more) -> None:
    """Add a case in which each thread reads `read` bytes, and writes `write`."""
    threads = threads or len(data) // read
    text = HEAD.format(read=read, write=write) + body
    program = machine.parse(text)
    output = machine.run(program, execute, data, write * threads, threads)
    CASES.append({
        "name": name,
        "source": source(name, text),
        "input": data.hex(),
        "output": output.hex(),
        "threads": threads,
        **more,
    })


def source(name: str, text: str) -> str:
    """A C++ file with the kernel as one asm statement."""
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    quoted = ['    "{\\n\\t"']
    for line in lines:
        line = re.sub(r"%(?![01]\b)", "%%", line).replace('"', '\\"')
        quoted.append(f'    "{line}\\n\\t"')
    quoted.append('    "}"')
    body = "\n".join(quoted)
    return (
        "#include <cuda_runtime.h>\n\n"
        f"__device__ void {name}(const void *in, void *out) {{\n"
        f'  asm volatile(\n{body}\n    :: "l"(in), "l"(out) : "memory");\n}}\n'
    )


def words(*values: int) -> bytes:
    return b"".join((value & 0xFFFFFFFF).to_bytes(4, "little") for value in values)


def doubles(*values: int) -> bytes:
    return b"".join((value & (1 << 64) - 1).to_bytes(8, "little") for value in values)


def floats(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)


NAN, INFINITY = float("nan"), float("inf")
EDGES = [0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x12345678, 0xDEADBEEF]
PAIRS = [word for a in EDGES for b in (1, 0xFFFFFFFF, 0x80000000) for word in (a, b)]
FLOATS = [0.0, -0.0, 1.0, -2.5, 1.5, 1e-40, 3.4e38, INFINITY, -INFINITY, NAN]
FLOAT_PAIRS = [number for a in FLOATS for b in (1.0, -0.0, 3e38) for number in (a, b)]
HALVES = [0x3C00, 0x8000, 0x0001, 0x7BFF, 0x7C00, 0xC000, 0x03FF, 0x3555]
