"""Kernels on floating point numbers, and conversions."""

import struct

from case import FLOAT_PAIRS, HALVES, INFINITY, NAN, case, doubles, floats, words


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
        floats(0.25, 0.5, 3.0, 1.0, -1.0, 0.5, 1e-40, 1.0, 1e-40, 1e-40, 1e-20, 1e-20, 1e-40, 0.5))
    case("saturate_nan", 8, 8, two + """
        add.sat.f32 w, a, b;
        mul.sat.f32 x, a, b;
        st.global.v2.f32 [out], {w, x};""", floats(NAN, 1.0, INFINITY, 0.0, -INFINITY, 1.0))
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
    case("doubles_and_floats", 8, 40, """
        .reg .f64 a, b;
        .reg .f32 n, u, back;
        .reg .s32 i, j;
        .reg .u32 k;
        .reg .s64 l;
        .reg .pred p;
        ld.global.f64 a, [in];
        cvt.rn.f32.f64 n, a;
        cvt.rz.f32.f64 u, a;
        cvt.rzi.s32.f64 i, a;
        cvt.rni.u32.f64 k, a;
        cvt.rmi.s64.f64 l, a;
        cvt.f64.f32 b, n;
        setp.ltu.f64 p, a, 0d3FF0000000000000;
        selp.f32 back, n, 0f40000000, p;
        slct.s32.f32 j, 7, -7, n;
        neg.f64 b, b;
        st.global.f32 [out], n;
        st.global.f32 [out+4], u;
        st.global.s32 [out+8], i;
        st.global.u32 [out+12], k;
        st.global.s64 [out+16], l;
        st.global.f64 [out+24], b;
        st.global.f32 [out+32], back;
        st.global.s32 [out+36], j;""", struct.pack("<9d", 0.1, -0.0, 2.5, -1e10, 1e300, 1e-320, -INFINITY, 3e9, -1.5))
    case("signs", 8, 16, two + """
        neg.f32 w, a;
        abs.f32 x, a;
        copysign.f32 y, a, b;
        mov.b32 z, 0f3F800000;
        st.global.v4.f32 [out], {w, x, y, z};""", floats(1.0, 2.0, -0.0, 3.0, -INFINITY, 0.5, 0.0, -1.5))


def conversions() -> None:
    small = "\n".join(
        f"cvt.rn.satfinite.e2m1x2.f32 byte{at}, {first}, {second};"
        for at, (first, second) in enumerate(("ba", "ab", "aa", "bb")))
    case("four_bits_a_number", 8, 8, f"""
        .reg .f32 a, b;
        .reg .b8 byte0, byte1, byte2, byte3;
        .reg .b32 all, pair;
        ld.global.v2.f32 {{a, b}}, [in];
        {small}
        mov.b32 all, {{byte0, byte1, byte2, byte3}};
        cvt.rn.f16x2.e2m1x2 pair, byte1;
        st.global.v2.b32 [out], {{all, pair}};""",
        floats(*[sign * at / 16 for at in (4, 5, 12, 20, 28, 40, 56, 80, 96, 97, 112, 3.9) for sign in (1, -1)],
               INFINITY, -INFINITY, NAN, 0.25, 5.0, -1e-40))
    edges = [0.5, 1.5, 2.5, -0.5, -1.5, 3e9, -3e9, 1e20, -1e20, 255.5, -128.5, 127.5, NAN, INFINITY, -0.0, 1e-40]
    case("to_integers", 4, 48, """
        .reg .f32 a;
        .reg .s32 n, z, m, p, b, h;
        .reg .u32 u, c;
        .reg .s64 l;
        .reg .u64 k;
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
        st.global.v4.s32 [out], {n, z, m, p};
        st.global.s32 [out+16], b;
        st.global.u32 [out+20], u;
        st.global.u32 [out+24], c;
        st.global.s32 [out+28], h;
        st.global.s64 [out+32], l;
        st.global.u64 [out+40], k;""", floats(*edges))
    case("to_whole", 4, 16, """
        .reg .f32 a, n, z, m, p;
        ld.global.f32 a, [in];
        cvt.rni.f32.f32 n, a;
        cvt.rzi.f32.f32 z, a;
        cvt.rmi.f32.f32 m, a;
        cvt.rpi.f32.f32 p, a;
        st.global.v4.f32 [out], {n, z, m, p};""", floats(*[edge for edge in edges if edge == edge]))
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
    case("single_halves", 4, 20, """
        .reg .f16 a, b, s, m, f, n, g, x;
        .reg .b16 c;
        .reg .pred p;
        ld.global.v2.b16 {a, b}, [in];
        add.f16 s, a, b;
        mul.rn.f16 m, a, b;
        fma.rn.f16 f, a, b, a;
        min.f16 n, a, b;
        neg.f16 g, a;
        abs.f16 x, b;
        setp.gt.f16 p, a, b;
        selp.b16 c, a, b, p;
        st.global.b16 [out], s;
        st.global.b16 [out+2], m;
        st.global.b16 [out+4], f;
        st.global.b16 [out+6], n;
        st.global.b16 [out+8], g;
        st.global.b16 [out+10], x;
        st.global.b16 [out+12], c;""", words(*pairs))
    wide = [0x3F80, 0x8000, 0x0001, 0x7F7F, 0x7F80, 0xC000, 0x3DCD, 0x7FFF]
    wides = [(a << 16 | b) for a, b in zip(wide, wide[1:] + wide[:1])]
    case("pairs_of_bfloats", 8, 16, """
        .reg .b32 a, b, f, r, n, m;
        ld.global.v2.b32 {a, b}, [in];
        fma.rn.bf16x2 f, a, b, a;
        fma.rn.relu.bf16x2 r, a, b, b;
        min.bf16x2 n, a, b;
        max.NaN.bf16x2 m, a, b;
        st.global.v4.b32 [out], {f, r, n, m};""",
        words(*[word for at, a in enumerate(wides) for word in (a, wides[at - 3])]))
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
