"""Products of matrices, and what loads, stores and transposes their parts: computed on whole matrices.

The PTX ISA says where a lane keeps which element, in the sections "Matrix Fragments for mma.m16n8kX" and "ldmatrix".
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable

import exact
from case import CASES

LANES = [(lane >> 2, lane & 3) for lane in range(32)]


def half(number: float) -> int:
    """The bits of an f16."""
    return int.from_bytes(struct.pack("<e", number), "little")


def single(number: float) -> int:
    """The bits of an f32."""
    return int.from_bytes(struct.pack("<f", number), "little")


def bfloat(number: float) -> int:
    """The bits of a bf16, for numbers that it has."""
    return single(number) >> 16


def eighth(kind: str) -> Callable[[int], int]:
    """The bits of a number in a format of eight bits."""
    return lambda number: exact.encode(kind, exact.of(number))


def signed(number: int) -> int:
    """The bits of an s32."""
    return number & 0xFFFFFFFF


def add(name: str, lines: list[str], given: bytes, wanted: bytes) -> None:
    """Add a case: a kernel that has `in`, `out` and the number of its thread as `t`."""
    start = [
        ".reg .u64 in, out, at;",
        ".reg .u32 t;",
        "mov.u32 t, %%tid.x;",
        f"mul.wide.u32 at, t, {len(given) // 32};",
        "add.u64 in, %0, at;",
        f"mul.wide.u32 at, t, {len(wanted) // 32};",
        "add.u64 out, %1, at;",
    ]
    text = "".join(f'    "{line}\\n\\t"\n' for line in ["{", *start, *lines, "}"])
    source = (
        f"#include <cuda_runtime.h>\n\n__device__ void {name}(const void *in, void *out) {{\n"
        f'  asm volatile(\n{text}    :: "l"(in), "l"(out) : "memory");\n}}\n'
    )
    CASES.append({"name": name, "source": source, "input": given.hex(), "output": wanted.hex(), "threads": 32})


def words(numbers: list[int]) -> bytes:
    """Numbers as words of 32 bits."""
    return struct.pack(f"<{len(numbers)}I", *numbers)


def product(
    name: str, opcode: str, encode: Callable[[int], int], elements: int, registers: int, kind: str,
    encode_right: Callable[[int], int] | None = None,
) -> None:
    """A product of a 16 × k or an 8 × k and a k × 8 matrix, whose numbers are so small that every sum is exact."""
    depth = 4 * elements * registers
    rows = (0, 8) if "m16" in opcode else (0,)
    ranges = {"s8": (-128, 127), "u8": (0, 255), "s4": (-8, 7), "u4": (0, 15)}
    low_high = [ranges.get(part, (-4, 4)) for part in opcode.removesuffix(".satfinite").split(".")[-3:-1]]
    left = [[random.randint(*low_high[0]) for _ in range(depth)] for _ in range(16)]
    right = [[random.randint(*low_high[1]) for _ in range(8)] for _ in range(depth)]
    sums = [[random.randint(-9, 9) for _ in range(8)] for _ in range(16)]
    limit = lambda value: value
    if "satfinite" in opcode:
        sums = [[random.choice((2**31 - 5, 5 - 2**31)) for _ in range(8)] for _ in range(16)]
        limit = lambda value: min(max(value, -(2**31)), 2**31 - 1)
    packed = lambda values, encode=encode: sum(encode(value) << 32 // elements * at for at, value in enumerate(values))
    encode_sum = signed if kind == "s32" else single
    given, wanted = b"", b""
    for group, place in LANES:
        columns = [block * 4 * elements + place * elements for block in range(registers)]
        row = [packed(left[at][k : k + elements]) for k in columns for at in (group + one for one in rows)]
        row += [packed([right[k + one][group] for one in range(elements)], encode_right or encode) for k in columns]
        spots = [(at, 2 * place + one) for at in (group + below for below in rows) for one in (0, 1)]
        before = [sums[at][column] for at, column in spots]
        after = [
            limit(value + sum(left[at][k] * right[k][column] for k in range(depth)))
            for value, (at, column) in zip(before, spots, strict=True)
        ]
        if kind == "b32":
            pairs = lambda values: [half(values[at]) | half(values[at + 1]) << 16 for at in (0, 2)]
            row += pairs(before)
            given, wanted = given + words(row), wanted + words(pairs(after))
        else:
            row += [encode_sum(value) for value in before]
            given, wanted = given + words(row), wanted + words([encode_sum(value) for value in after])
    count = 2 if kind == "b32" else 2 * len(rows)
    lefts = len(rows) * registers
    names = lambda letter, number: [f"{letter}{at}" for at in range(number)]
    listed = lambda letter, number: "{" + ", ".join(names(letter, number)) + "}"
    lines = [f".reg .b32 a<{lefts}>, b<{registers}>;", f".reg .{kind} c<{count}>;"]
    parts = [("b32", one) for one in names("a", lefts) + names("b", registers)]
    parts += [(kind, one) for one in names("c", count)]
    lines += [f"ld.global.{part} {one}, [in+{4 * at}];" for at, (part, one) in enumerate(parts)]
    matrices = [listed("c", count), listed("a", lefts), listed("b", registers), listed("c", count)]
    lines.append(f"{opcode} {', '.join(matrices)};")
    lines += [f"st.global.{kind} [out+{4 * at}], {one};" for at, one in enumerate(names("c", count))]
    add(name, lines, given, wanted)


def sparse(name: str, opcode: str, encode: Callable[[int], int], depth: int, selector: int, kind: str) -> None:
    """A product with a 16 × k matrix of which each four elements that stand together have two zeroes."""
    kept = [[sorted(random.sample(range(4), 2)) for _ in range(depth // 4)] for _ in range(16)]
    left = [[0] * depth for _ in range(16)]
    for row, groups in zip(left, kept, strict=True):
        for at, pair in enumerate(groups):
            for one in pair:
                row[4 * at + one] = random.randint(-4, 4)
    right = [[random.randint(-4, 4) for _ in range(8)] for _ in range(depth)]
    sums = [[random.randint(-9, 9) for _ in range(8)] for _ in range(16)]
    pair_of = lambda low, high: encode(low) | encode(high) << 16
    # Two bits for each element that is there: 16 for a row and 16 columns.
    def places(row: int, block: int) -> int:
        pairs = kept[row][4 * block : 4 * block + 4]
        return sum(low << 4 * at | high << 4 * at + 2 for at, (low, high) in enumerate(pairs))

    blocks = depth // 16
    given, wanted = b"", b""
    for group, place in LANES:
        row = []
        for block in range(blocks):
            for at in (group, group + 8):
                row.append(pair_of(*(left[at][16 * block + 4 * place + one] for one in kept[at][4 * block + place])))
        row += [pair_of(right[k + 2 * place][group], right[k + 2 * place + 1][group]) for k in range(0, depth, 8)]
        # Only the lanes that the selector names have what counts.
        own = place - blocks * selector
        named = 0 <= own < blocks
        row.append(places(group, own) | places(group + 8, own) << 16 if named else random.getrandbits(32))
        spots = [(at, 2 * place + one) for at in (group, group + 8) for one in (0, 1)]
        before = [sums[at][column] for at, column in spots]
        after = [sums[at][column] + sum(left[at][k] * right[k][column] for k in range(depth)) for at, column in spots]
        packed = lambda values: [half(values[at]) | half(values[at + 1]) << 16 for at in (0, 2)]
        bits = packed if kind == "b32" else lambda values: [single(value) for value in values]
        given, wanted = given + words(row + bits(before)), wanted + words(bits(after))
    counts = {"a": 2 * blocks, "b": 2 * blocks, "e": 1, "c": 2 if kind == "b32" else 4}
    names = {letter: [f"{letter}{at}" for at in range(count)] for letter, count in counts.items()}
    listed = {letter: "{" + ", ".join(some) + "}" for letter, some in names.items()}
    lines = [f".reg .{kind if letter == 'c' else 'b32'} {letter}<{count}>;" for letter, count in counts.items()]
    every = [(letter, one) for letter, some in names.items() for one in some]
    lines += [f"ld.global.{kind if letter == 'c' else 'b32'} {one}, [in+{4 * at}];" for at, (letter, one) in enumerate(every)]
    lines.append(f"{opcode} {', '.join(listed[letter] for letter in 'cabc')}, e0, {selector};")
    lines += [f"st.global.{kind} [out+{4 * at}], {one};" for at, one in enumerate(names["c"])]
    add(name, lines, given, wanted)


def doubles(name: str, shape: str, rows: int, depth: int) -> None:
    """`mma` of doubles: 8 × 4 by 4 × 8, or 16 × k by k × 8."""
    left = [[random.randint(-9, 9) for _ in range(depth)] for _ in range(rows)]
    right = [[random.randint(-9, 9) for _ in range(8)] for _ in range(depth)]
    sums = [[random.randint(-9, 9) for _ in range(8)] for _ in range(rows)]
    given, wanted = b"", b""
    for group, place in LANES:
        row = [left[at][k + place] for k in range(0, depth, 4) for at in range(group, rows, 8)]
        row += [right[k + place][group] for k in range(0, depth, 4)]
        spots = [(at, 2 * place + one) for at in range(group, rows, 8) for one in (0, 1)]
        row += [sums[at][column] for at, column in spots]
        given += struct.pack(f"<{len(row)}d", *row)
        after = [sums[at][column] + sum(left[at][k] * right[k][column] for k in range(depth)) for at, column in spots]
        wanted += struct.pack(f"<{len(after)}d", *after)
    counts = {"a": rows * depth // 32, "b": depth // 4, "c": rows // 4}
    names = {letter: [f"{letter}{at}" for at in range(count)] for letter, count in counts.items()}
    listed = {letter: "{" + ", ".join(some) + "}" for letter, some in names.items()}
    lines = [".reg .f64 " + ", ".join(f"{letter}<{count}>" for letter, count in counts.items()) + ";"]
    every = [one for some in names.values() for one in some]
    lines += [f"ld.global.f64 {one}, [in+{8 * at}];" for at, one in enumerate(every)]
    matrices = [listed[letter] for letter in "cabc"]
    lines.append(f"mma.sync.aligned.{shape}.row.col.f64.f64.f64.f64 {', '.join(matrices)};")
    lines += [f"st.global.f64 [out+{8 * at}], {one};" for at, one in enumerate(names["c"])]
    add(name, lines, given, wanted)


def matrix() -> list[list[int]]:
    """An 8 × 8 matrix of 16-bit words."""
    return [[random.randint(0, 0xFFFF) for _ in range(8)] for _ in range(8)]


def part(rows: list[list[int]], lane: tuple[int, int], transposed: bool) -> bytes:
    """The two elements that a lane has."""
    group, place = lane
    pair = [(group, 2 * place), (group, 2 * place + 1)]
    return struct.pack("<2H", *(rows[column][row] if transposed else rows[row][column] for row, column in pair))


def fragments(name: str, transposed: bool, modifiers: str | None = None) -> None:
    """`ldmatrix` or `stmatrix` of four matrices in shared memory, a row for each lane."""
    four = [matrix() for _ in range(4)]
    in_rows = b"".join(struct.pack("<8H", *four[lane // 8][lane % 8]) for lane in range(32))
    in_lanes = b"".join(part(one, lane, transposed) for lane in LANES for one in four)
    suffix = ".trans" if transposed else ""
    loads = name.startswith("ldmatrix")
    opcode = f"{name.partition('_')[0]}.{modifiers or f'sync.aligned.m8n8.x4{suffix}.shared.b16'}"
    all_four = "{a0, a1, a2, a3}"
    lines = [
        ".reg .u32 base, row;",
        ".reg .b32 a<4>;",
        ".shared .align 16 .b8 tile[512];",
        "mov.u32 base, tile;",
        "mad.lo.u32 row, t, 16, base;",
        f"ld.global.v4.b32 {all_four}, [in];",
    ]
    if loads:
        lines += [f"st.shared.v4.b32 [row], {all_four};", "bar.sync 0;", f"{opcode} {all_four}, [row];"]
    else:
        lines += [f"{opcode} [row], {all_four};", "bar.sync 0;", f"ld.shared.v4.b32 {all_four}, [row];"]
    lines.append(f"st.global.v4.b32 [out], {all_four};")
    add(name, lines, *((in_rows, in_lanes) if loads else (in_lanes, in_rows)))


def transposition() -> None:
    """`movmatrix`."""
    one = matrix()
    given = b"".join(part(one, lane, False) for lane in LANES)
    wanted = b"".join(part(one, lane, True) for lane in LANES)
    opcode = "movmatrix.sync.aligned.m8n8.trans.b16"
    add("movmatrix", [".reg .b32 a;", "ld.global.b32 a, [in];", f"{opcode} a, a;", "st.global.b32 [out], a;"], given, wanted)


def matrices() -> None:
    """All cases of this file."""
    random.seed(1)
    shape = "mma.sync.aligned.m16n8k{}.row.col.{}"
    product("mma_f16", shape.format(16, "f32.f16.f16.f32"), half, 2, 2, "f32")
    product("mma_f16_short", shape.format(8, "f32.f16.f16.f32"), half, 2, 1, "f32")
    product("mma_f16_sums", shape.format(16, "f16.f16.f16.f16"), half, 2, 2, "b32")
    product("mma_bf16", shape.format(16, "f32.bf16.bf16.f32"), bfloat, 2, 2, "f32")
    product("mma_tf32", shape.format(8, "f32.tf32.tf32.f32"), single, 1, 2, "f32")
    product("mma_s8", shape.format(32, "s32.s8.s8.s32"), lambda value: value & 0xFF, 4, 2, "s32")
    product("mma_u8", shape.format(16, "s32.u8.u8.s32"), lambda value: value & 0xFF, 4, 1, "s32")
    byte, nibble = (lambda value: value & 0xFF), (lambda value: value & 15)
    for kinds in ("s8.u8", "u8.s8"):
        product(f"mma_{kinds[:2]}_{kinds[3:]}", shape.format(32, f"satfinite.s32.{kinds}.s32"), byte, 4, 2, "s32")
    product("mma_few_rows", "mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32", byte, 4, 1, "s32")
    product("mma_s4", shape.format(64, "s32.s4.u4.s32"), nibble, 8, 2, "s32")
    product("mma_u4", shape.format(32, "satfinite.s32.u4.u4.s32"), nibble, 8, 1, "s32")
    product("mma_few_rows_s4", "mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32", nibble, 8, 1, "s32")
    product("mma_e4m3", shape.format(32, "f32.e4m3.e4m3.f32"), eighth("e4m3"), 4, 2, "f32")
    product("mma_e5m2", shape.format(32, "f32.e5m2.e5m2.f32"), eighth("e5m2"), 4, 2, "f32")
    product("mma_e4m3_short", shape.format(16, "f32.e4m3.e5m2.f32"), eighth("e4m3"), 4, 1, "f32", eighth("e5m2"))
    product("mma_e5m2_sums", shape.format(32, "f16.e5m2.e5m2.f16"), eighth("e5m2"), 4, 2, "b32")
    product("mma_satfinite_behind", shape.format(16, "s32.s8.s8.s32.satfinite"), byte, 4, 1, "s32")
    product("mma_s4_satfinite_behind", shape.format(64, "s32.s4.s4.s32.satfinite"), nibble, 8, 2, "s32")
    thin, ordered = "mma.sp.sync.aligned.m16n8k{}.row.col.{}", "mma.sp::ordered_metadata.sync.aligned.m16n8k{}.row.col.{}"
    sparse("mma_sparse", ordered.format(32, "f32.f16.f16.f32"), half, 32, 0, "f32")
    sparse("mma_sparse_other_lanes", ordered.format(32, "f32.bf16.bf16.f32"), bfloat, 32, 1, "f32")
    sparse("mma_sparse_sums", thin.format(32, "f16.f16.f16.f16"), half, 32, 1, "b32")
    for selector in range(4):
        sparse(f"mma_sparse_short_{selector}", thin.format(16, "f32.f16.f16.f32"), half, 16, selector, "f32")
    doubles("mma_f64", "m8n8k4", 8, 4)
    for depth in (4, 8, 16):
        doubles(f"mma_f64_{depth}", f"m16n8k{depth}", 16, depth)
    for name in ("ldmatrix", "stmatrix"):
        fragments(name, False)
        fragments(f"{name}_transposed", True)
        fragments(f"{name}_in_another_order", True, "sync.aligned.x4.trans.m8n8.shared.b16")
    transposition()
