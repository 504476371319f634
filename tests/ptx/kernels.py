"""The cases of cases.jsonl: kernels in PTX, and their inputs. `python3 kernels.py` writes the file anew, or another one.

What each has to write is what the interpreter beside this says.
"""

from __future__ import annotations

import json
import re
import struct
import sys
from pathlib import Path

import machine
from operations import execute

# Where a thread reads its record of so many bytes, and where it writes one: `in` and `out` are registers.
HEAD = """
.reg .u64 in, out, at;
.reg .u32 t;
mov.u32 t, %tid.x;
mul.wide.u32 at, t, {read};
add.u64 in, %0, at;
mul.wide.u32 at, t, {write};
add.u64 out, %1, at;
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
        line = re.sub(r"%(?![01]\b)", "%%", line)
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


def integers() -> None:
    two = ".reg .u32 a, b, c;\nld.global.v2.u32 {a, b}, [in];\n"
    case("add_sub_sat", 8, 16, two + """
        .reg .s32 w, x, y, z;
        add.s32 w, a, b;
        sub.s32 x, a, b;
        add.sat.s32 y, a, b;
        sub.sat.s32 z, a, b;
        st.global.v4.u32 [out], {w, x, y, z};""", words(*PAIRS))
    case("multiply", 8, 40, two + """
        .reg .u32 lo, hi, uhi, small, mad;
        .reg .s64 wide;
        .reg .u64 uwide;
        mul.lo.s32 lo, a, b;
        mul.hi.s32 hi, a, b;
        mul.hi.u32 uhi, a, b;
        mul24.lo.u32 small, a, b;
        mad.lo.s32 mad, a, b, lo;
        mul.wide.s32 wide, a, b;
        mad.wide.u32 uwide, a, b, wide;
        st.global.v4.u32 [out], {lo, hi, uhi, small};
        st.global.u32 [out+16], mad;
        st.global.u64 [out+24], wide;
        st.global.u64 [out+32], uwide;""", words(*PAIRS))
    case("carries", 16, 16, """
        .reg .u32 a, b, c, d, lo, hi, less, borrow;
        ld.global.v4.u32 {a, b, c, d}, [in];
        add.cc.u32 lo, a, c;
        addc.u32 hi, b, d;
        sub.cc.u32 less, a, c;
        subc.u32 borrow, b, d;
        st.global.v4.u32 [out], {lo, hi, less, borrow};""",
        words(0xFFFFFFFF, 0, 1, 0, 0, 1, 1, 0, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 5, 6, 7, 8))
    case("shifts", 8, 32, two + """
        .reg .u32 l, r, sl, sr, wl;
        .reg .s32 sra;
        .reg .u64 wide;
        shl.b32 l, a, b;
        shr.u32 r, a, b;
        shr.s32 sra, a, b;
        shf.l.clamp.b32 sl, a, r, b;
        shf.r.clamp.b32 sr, a, l, b;
        shf.l.wrap.b32 wl, a, a, b;
        cvt.u64.u32 wide, a;
        shl.b64 wide, wide, b;
        st.global.v4.u32 [out], {l, r, sra, sl};
        st.global.v2.u32 [out+16], {sr, wl};
        st.global.u64 [out+24], wide;""",
        words(*[word for a in EDGES for b in (0, 1, 31, 32, 33, 64, 255) for word in (a, b)]))
    case("fields", 12, 20, """
        .reg .u32 a, at, length, u, i, n, f, shift;
        .reg .s32 s;
        ld.global.u32 a, [in];
        ld.global.u32 at, [in+4];
        ld.global.u32 length, [in+8];
        bfe.u32 u, a, at, length;
        bfe.s32 s, a, at, length;
        bfi.b32 i, a, 0x55555555, at, length;
        bfind.u32 f, a;
        bfind.shiftamt.s32 shift, a;
        st.global.u32 [out], u;
        st.global.u32 [out+4], s;
        st.global.u32 [out+8], i;
        st.global.u32 [out+12], f;
        st.global.u32 [out+16], shift;""",
        words(*[word for a in EDGES for at, length in ((0, 32), (31, 1), (4, 8), (28, 8), (32, 4), (3, 0))
                for word in (a, at, length)]))
    case("bits", 8, 28, two + """
        .reg .u32 p, z, r, n, m, k, g;
        popc.b32 p, a;
        clz.b32 z, a;
        brev.b32 r, a;
        not.b32 n, a;
        lop3.b32 m, a, b, r, 0x96;
        lop3.b32 k, a, b, n, 0xE8;
        sad.s32 g, a, b, 7;
        st.global.u32 [out], p;
        st.global.u32 [out+4], z;
        st.global.u32 [out+8], r;
        st.global.u32 [out+12], n;
        st.global.u32 [out+16], m;
        st.global.u32 [out+20], k;
        st.global.u32 [out+24], g;""", words(*PAIRS))
    case("permute", 12, 16, """
        .reg .u32 a, b, s, p, f, e, h;
        ld.global.u32 a, [in];
        ld.global.u32 b, [in+4];
        ld.global.u32 s, [in+8];
        prmt.b32 p, a, b, s;
        prmt.b32.f4e f, a, b, s;
        prmt.b32.ecl e, a, b, s;
        prmt.b32.rc16 h, a, b, s;
        st.global.v4.u32 [out], {p, f, e, h};""",
        words(*[word for s in (0x3210, 0x7654, 0xFEDC, 0x0123, 0x8C0F, 0x15E2) for word in (0x80C0E0F0, 0x7F01FF00, s)]))
    case("dot", 12, 16, """
        .reg .u32 a, b, u, m;
        .reg .s32 c, s, h;
        ld.global.u32 a, [in];
        ld.global.u32 b, [in+4];
        ld.global.u32 c, [in+8];
        dp4a.s32.s32 s, a, b, c;
        dp4a.u32.u32 u, a, b, c;
        dp2a.hi.s32.s32 h, a, b, c;
        dp4a.u32.s32 m, a, b, c;
        st.global.v4.u32 [out], {s, u, h, m};""",
        words(0x80808080, 0x7F7F7F7F, 5, 0xFFFFFFFF, 0xFFFFFFFF, 0, 0x01020304, 0x05060708, 0xFFFFFFFF))
    case("wide_words", 16, 40, """
        .reg .u64 a, b, lo, hi, m, n;
        .reg .s64 s;
        .reg .u32 p, z;
        ld.global.v2.u64 {a, b}, [in];
        mul.lo.u64 lo, a, b;
        mul.hi.u64 hi, a, b;
        max.s64 s, a, b;
        xor.b64 n, a, b;
        popc.b64 p, n;
        clz.b64 z, a;
        st.global.u64 [out], lo;
        st.global.u64 [out+8], hi;
        st.global.u64 [out+16], s;
        st.global.u64 [out+24], n;
        st.global.v2.u32 [out+32], {p, z};""",
        doubles(1 << 63, 2, (1 << 64) - 1, (1 << 64) - 1, 0x0123456789ABCDEF, 0xFEDCBA9876543210, 1, 0))
    case("divide", 8, 16, two + """
        .reg .s32 q, r;
        .reg .u32 uq, ur;
        div.s32 q, a, b;
        rem.s32 r, a, b;
        div.u32 uq, a, b;
        rem.u32 ur, a, b;
        st.global.v4.u32 [out], {q, r, uq, ur};""", words(7, -2, -7, 2, -7, -2, 0xFFFFFFFF, 10, 0x80000000, 3, 5, 7))


def predicates() -> None:
    case("branches", 8, 8, """
        .reg .s32 a, b, sum, i;
        .reg .pred p, q;
        ld.global.v2.s32 {a, b}, [in];
        mov.s32 sum, 0;
        mov.s32 i, 0;
        setp.le.s32 p, b, 0;
        @p bra DONE;
        LOOP:
        add.s32 sum, sum, a;
        add.s32 i, i, 1;
        setp.lt.s32 q, i, b;
        @q bra LOOP;
        DONE:
        @!p st.global.s32 [out], sum;
        @p st.global.s32 [out], -1;
        st.global.s32 [out+4], i;""", words(3, 4, 5, 0, -7, 1, 1 << 30, 5, 9, -3))
    case("select", 8, 24, """
        .reg .s32 a, b, m, s, u, l;
        .reg .pred p, q, r;
        ld.global.v2.s32 {a, b}, [in];
        setp.lt.s32 p|q, a, b;
        selp.s32 m, a, b, p;
        setp.hi.and.u32 r, a, b, q;
        selp.s32 u, 1, 0, r;
        set.ge.u32.s32 s, a, b;
        slct.s32.s32 l, a, b, a;
        st.global.s32 [out], m;
        st.global.s32 [out+4], u;
        st.global.s32 [out+8], s;
        st.global.s32 [out+12], l;
        @q st.global.s32 [out+16], a;
        @!q st.global.s32 [out+20], b;""", words(*PAIRS))
    comparisons = ["eq", "ne", "lt", "ge", "equ", "neu", "ltu", "geu", "num", "nan"]
    body = ".reg .f32 a, b;\n.reg .u32 one, all;\n.reg .pred p;\nld.global.v2.f32 {a, b}, [in];\nmov.u32 all, 0;\n"
    for at, how in enumerate(comparisons):
        body += f"setp.{how}.f32 p, a, b;\nselp.u32 one, {1 << at}, 0, p;\nor.b32 all, all, one;\n"
    case("compare_floats", 8, 4, body + "st.global.u32 [out], all;", floats(*FLOAT_PAIRS, NAN, NAN, -0.0, 0.0))


def numbers() -> None:
    two = ".reg .f32 a, b, w, x, y, z;\nld.global.v2.f32 {a, b}, [in];\n"
    finite = [1.0, 3.0, -1e-30, 1e-30, 0.1, 0.2, 1.0, 2.0**-30, -1.0, -(2.0**-40), 16777217.0, 0.5, 1e30, 1e30]
    case("rounding", 8, 48, two + "".join(f"""
        add.{mode}.f32 w, a, b;
        mul.{mode}.f32 x, a, b;
        fma.{mode}.f32 y, a, b, a;
        st.global.f32 [out+{at}], w;
        st.global.f32 [out+{at + 4}], x;
        st.global.f32 [out+{at + 8}], y;""" for at, mode in ((0, "rn"), (12, "rz"), (24, "rm"), (36, "rp"))),
        floats(*finite))
    case("least_and_most", 8, 16, two + """
        min.f32 w, a, b;
        max.f32 x, a, b;
        min.NaN.f32 y, a, b;
        max.NaN.f32 z, a, b;
        st.global.v4.f32 [out], {w, x, y, z};""", floats(*FLOAT_PAIRS, NAN, NAN, 0.0, -0.0))
    case("saturate_and_flush", 8, 16, two + """
        add.sat.f32 w, a, b;
        mul.ftz.f32 x, a, b;
        fma.rn.ftz.sat.f32 y, a, b, b;
        add.ftz.f32 z, a, b;
        st.global.v4.f32 [out], {w, x, y, z};""",
        floats(0.25, 0.5, 3.0, 1.0, -1.0, 0.5, 1e-40, 1.0, 1e-40, 1e-40, 1e-20, 1e-20, 1e-40, 0.5, NAN, 1.0))
    case("exact_functions", 8, 16, two + """
        div.rn.f32 w, a, b;
        rcp.rn.f32 x, b;
        sqrt.rn.f32 y, a;
        sqrt.rz.f32 z, a;
        st.global.v4.f32 [out], {w, x, y, z};""", floats(2.0, 3.0, 1.0, 10.0, 1e-40, 7.0, 3e38, 1e-3, 0.0, -5.0, 81.0, 9.0))
    case("approximate", 8, 28, two + """
        .reg .f32 c, d, e;
        rcp.approx.ftz.f32 w, b;
        sqrt.approx.f32 x, a;
        rsqrt.approx.f32 y, a;
        ex2.approx.ftz.f32 z, b;
        lg2.approx.f32 c, a;
        sin.approx.f32 d, b;
        tanh.approx.f32 e, b;
        st.global.f32 [out], w;
        st.global.f32 [out+4], x;
        st.global.f32 [out+8], y;
        st.global.f32 [out+12], z;
        st.global.f32 [out+16], c;
        st.global.f32 [out+20], d;
        st.global.f32 [out+24], e;""",
        floats(2.0, 0.5, 0.3, -0.25, 100.0, 1.5, 7.0, -1.0, 1.0, 0.125), tolerance=0.001)
    case("doubles", 16, 40, """
        .reg .f64 a, b, s, p, f, q, m;
        ld.global.v2.f64 {a, b}, [in];
        add.rz.f64 s, a, b;
        mul.rn.f64 p, a, b;
        fma.rp.f64 f, a, b, a;
        div.rn.f64 q, a, b;
        max.f64 m, a, b;
        st.global.f64 [out], s;
        st.global.f64 [out+8], p;
        st.global.f64 [out+16], f;
        st.global.f64 [out+24], q;
        st.global.f64 [out+32], m;""", struct.pack("<6d", 1.0, 2.0**-80, 0.1, 3.0, -1e300, 1e-300))
    case("signs", 8, 16, two + """
        neg.f32 w, a;
        abs.f32 x, a;
        copysign.f32 y, a, b;
        mov.b32 z, 0f3F800000;
        st.global.v4.f32 [out], {w, x, y, z};""", floats(1.0, 2.0, -0.0, 3.0, -INFINITY, 0.5, 0.0, -1.5))


def conversions() -> None:
    edges = [0.5, 1.5, 2.5, -0.5, -1.5, 3e9, -3e9, 1e20, -1e20, 255.5, -128.5, 127.5, NAN, INFINITY, -0.0, 1e-40]
    case("to_integers", 4, 64, """
        .reg .f32 a;
        .reg .s32 n, z, m, p, b, h;
        .reg .u32 u, c;
        .reg .s64 l;
        .reg .u64 k;
        .reg .f32 whole, down;
        ld.global.f32 a, [in];
        cvt.rni.s32.f32 n, a;
        cvt.rzi.s32.f32 z, a;
        cvt.rmi.s32.f32 m, a;
        cvt.rpi.s32.f32 p, a;
        cvt.rni.sat.s8.f32 b, a;
        cvt.rzi.sat.s16.f32 h, a;
        cvt.rni.u32.f32 u, a;
        cvt.rni.sat.u8.f32 c, a;
        cvt.rzi.s64.f32 l, a;
        cvt.rzi.u64.f32 k, a;
        cvt.rni.f32.f32 whole, a;
        cvt.rmi.f32.f32 down, a;
        st.global.v4.s32 [out], {n, z, m, p};
        st.global.s8 [out+16], b;
        st.global.s16 [out+18], h;
        st.global.u32 [out+20], u;
        st.global.u8 [out+24], c;
        st.global.s64 [out+32], l;
        st.global.u64 [out+40], k;
        st.global.v2.f32 [out+48], {whole, down};""", floats(*edges))
    case("of_integers", 8, 32, """
        .reg .u64 a;
        .reg .u32 w;
        .reg .f32 s, u, z, p;
        .reg .f64 d;
        .reg .s32 c;
        .reg .u32 y;
        ld.global.u64 a, [in];
        cvt.u32.u64 w, a;
        cvt.rn.f32.s32 s, w;
        cvt.rz.f32.u32 u, w;
        cvt.rn.f32.s64 z, a;
        cvt.rp.f32.u64 p, a;
        cvt.rn.f64.u64 d, a;
        cvt.sat.s8.s32 c, w;
        cvt.sat.u16.s32 y, w;
        st.global.v4.f32 [out], {s, u, z, p};
        st.global.f64 [out+16], d;
        st.global.s32 [out+24], c;
        st.global.u32 [out+28], y;""",
        doubles(0, 1, 16777217, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, (1 << 53) + 1, (1 << 63) + 1, (1 << 64) - 1, 200))
    narrow = [1.0, 0.1, 65519.0, 65520.0, -1e5, 6e-8, 2.98e-8, 448.0, 464.0, 465.0, 57344.0, NAN, -0.0, -3.3, 1e-3, 240.0]
    case("narrow", 8, 28, """
        .reg .f32 a, b;
        .reg .b16 h, z, e, g;
        .reg .b32 pair, bpair, relu, he;
        .reg .f32 back;
        ld.global.v2.f32 {a, b}, [in];
        cvt.rn.f16.f32 h, a;
        cvt.rz.f16.f32 z, a;
        cvt.rn.f16x2.f32 pair, a, b;
        cvt.rn.bf16x2.f32 bpair, a, b;
        cvt.rn.relu.f16x2.f32 relu, a, b;
        cvt.rn.satfinite.e4m3x2.f32 e, a, b;
        cvt.rn.satfinite.e5m2x2.f32 g, a, b;
        cvt.rn.f16x2.e4m3x2 he, e;
        cvt.f32.f16 back, h;
        st.global.b16 [out], h;
        st.global.b16 [out+2], z;
        st.global.b32 [out+4], pair;
        st.global.b32 [out+8], bpair;
        st.global.b32 [out+12], relu;
        st.global.b16 [out+16], e;
        st.global.b16 [out+18], g;
        st.global.b32 [out+20], he;
        st.global.f32 [out+24], back;""",
        floats(*[number for a, b in zip(narrow, narrow[3:] + narrow[:3]) for number in (a, b)]))
    pairs = [(a << 16 | b) for a, b in zip(HALVES, HALVES[1:] + HALVES[:1])]
    case("pairs_of_halves", 12, 24, """
        .reg .b32 a, b, c, f, s, r, x, n, m;
        ld.global.b32 a, [in];
        ld.global.b32 b, [in+4];
        ld.global.b32 c, [in+8];
        fma.rn.f16x2 f, a, b, c;
        fma.rn.sat.f16x2 s, a, b, c;
        fma.rn.relu.f16x2 r, a, b, c;
        mul.f16x2 x, a, b;
        min.f16x2 n, a, b;
        max.NaN.f16x2 m, b, c;
        st.global.b32 [out], f;
        st.global.b32 [out+4], s;
        st.global.b32 [out+8], r;
        st.global.b32 [out+12], x;
        st.global.b32 [out+16], n;
        st.global.b32 [out+20], m;""",
        words(*[word for at, a in enumerate(pairs) for word in (a, pairs[at - 3], pairs[at - 5])]))
    case("vectors", 16, 16, """
        .reg .b32 a, b, c, d;
        .reg .b16 l, h;
        .reg .b64 both;
        ld.global.v4.b32 {a, b, c, d}, [in];
        mov.b32 {l, h}, a;
        mov.b32 a, {h, l};
        mov.b64 both, {d, c};
        st.global.b32 [out], a;
        st.global.b32 [out+4], b;
        st.global.b64 [out+8], both;""", words(0x11112222, 3, 4, 5, 0xFFFF0000, 6, 7, 8))
    case("narrow_loads", 4, 24, """
        .reg .s32 a, b;
        .reg .u32 c, d;
        .reg .s16 e, f;
        ld.global.s8 a, [in];
        ld.global.s16 b, [in+2];
        ld.global.nc.u8 c, [in+1];
        ld.global.cg.u16 d, [in];
        cvt.s16.s8 e, a;
        neg.s16 f, e;
        st.global.s32 [out], a;
        st.global.s32 [out+4], b;
        st.global.u32 [out+8], c;
        st.global.cs.u32 [out+12], d;
        st.global.s16 [out+16], e;
        st.global.wb.s16 [out+18], f;""", words(0x8000FF80, 0x7FFF017F))


def together() -> None:
    numbers = words(*[(at * 2654435761) & 0xFFFFFFFF for at in range(64)])
    case("atomics", 4, 4, """
        .reg .u32 a, old;
        .reg .u64 base;
        .reg .pred p;
        ld.global.u32 a, [in];
        mov.u64 base, %1;
        red.global.add.u32 [base], a;
        red.global.max.u32 [base+4], a;
        red.global.xor.b32 [base+8], a;
        atom.global.inc.u32 old, [base+12], 40;
        setp.lt.u32 p, t, 32;
        @p red.global.or.b32 [base+16], 0x10;
        atom.global.cas.b32 old, [base+20], 0, 77;
        red.global.add.f32 [base+24], 0f3F000000;
        red.global.min.s32 [base+28], a;""", numbers)
    case("shared_memory", 4, 8, """
        .shared .align 4 .b32 buffer[64];
        .reg .u32 a, b, place, other;
        .reg .u64 generic, offset;
        ld.global.u32 a, [in];
        mov.u32 place, buffer;
        mad.lo.u32 other, t, 4, place;
        st.shared.u32 [other], a;
        bar.sync 0;
        xor.b32 other, t, 33;
        mad.lo.u32 other, other, 4, place;
        ld.shared.u32 b, [other];
        st.global.u32 [out], b;
        cvt.u64.u32 offset, other;
        cvta.shared.u64 generic, offset;
        ld.u32 b, [generic];
        add.u32 b, b, 1;
        st.global.u32 [out+4], b;""", numbers)
    case("shuffles", 4, 24, """
        .reg .u32 a, i, u, d, x, lane, flags;
        .reg .pred p, q;
        ld.global.u32 a, [in];
        mov.u32 lane, %laneid;
        shfl.sync.idx.b32 i, a, 5, 0x181f, 0xffffffff;
        shfl.sync.up.b32 u|p, a, 3, 0, 0xffffffff;
        shfl.sync.down.b32 d|q, a, 2, 0x1c1f, 0xffffffff;
        shfl.sync.bfly.b32 x, a, 9, 0x1f, 0xffffffff;
        selp.u32 flags, 1, 0, p;
        @q or.b32 flags, flags, 2;
        st.global.u32 [out], i;
        st.global.u32 [out+4], u;
        st.global.u32 [out+8], d;
        st.global.u32 [out+12], x;
        st.global.u32 [out+16], flags;
        st.global.u32 [out+20], lane;""", numbers)
    case("votes", 4, 28, """
        .reg .u32 a, b, m, r, k, low, active;
        .reg .s32 least;
        .reg .pred p, q, e;
        ld.global.u32 a, [in];
        and.b32 low, a, 3;
        setp.eq.u32 p, low, 1;
        vote.sync.ballot.b32 b, p, 0xffffffff;
        vote.sync.any.pred q, p, 0xffffffff;
        vote.sync.all.pred e, !p, 0xffffffff;
        match.any.sync.b32 m, low, 0xffffffff;
        redux.sync.add.s32 r, a, 0xffffffff;
        redux.sync.min.s32 least, a, 0xffffffff;
        activemask.b32 active;
        selp.u32 k, 1, 0, q;
        @e add.u32 k, k, 2;
        st.global.u32 [out], b;
        st.global.u32 [out+4], m;
        st.global.u32 [out+8], r;
        st.global.u32 [out+12], least;
        st.global.u32 [out+16], k;
        st.global.u32 [out+20], active;
        mov.u32 active, %lanemask_lt;
        st.global.u32 [out+24], active;""", numbers)
    case("barriers", 4, 12, """
        .reg .u32 a, n, low;
        .reg .pred p, q, every;
        ld.global.u32 a, [in];
        setp.gt.s32 p, a, 0;
        barrier.red.popc.u32 n, 0, p;
        bar.red.or.pred q, 0, p;
        bar.red.and.pred every, 0, p;
        selp.u32 low, 1, 0, q;
        @every add.u32 low, low, 2;
        mov.u32 a, %ntid.x;
        st.global.u32 [out], n;
        st.global.u32 [out+4], low;
        st.global.u32 [out+8], a;""", numbers)
    case("early_exit", 4, 8, """
        .reg .u32 a, n;
        .reg .pred p;
        ld.global.u32 a, [in];
        st.global.u32 [out], a;
        setp.ge.u32 p, t, 40;
        @p exit;
        bar.sync 0;
        activemask.b32 n;
        st.global.u32 [out+4], n;""", numbers)


def main() -> None:
    """Write the cases."""
    for part in (integers, predicates, numbers, conversions, together):
        part()
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("cases.jsonl")
    file.write_text("".join(json.dumps(one) + "\n" for one in CASES))


if __name__ == "__main__":
    main()
