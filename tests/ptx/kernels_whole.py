"""Whole kernels, as people write them: loops, ladders of branches, work of a warp or a block, numbers in all formats."""

import random
import struct

from case import INFINITY, NAN, case, floats, words


def numbers(count: int) -> list[int]:
    """Random words."""
    return [random.getrandbits(32) for _ in range(count)]


def some(count: int) -> bytes:
    """Random words in memory."""
    return words(*numbers(count))


def halves(count: int) -> bytes:
    """Random numbers of 16 bits."""
    return struct.pack(f"<{count}e", *(random.uniform(-4, 4) for _ in range(count)))


def random_floats(count: int, low: float, high: float) -> bytes:
    """Random floats."""
    return floats(*(random.uniform(low, high) for _ in range(count)))


def random_doubles(count: int) -> bytes:
    """Random doubles."""
    return struct.pack(f"<{count}d", *(random.uniform(-1e10, 1e10) for _ in range(count)))



def branches() -> None:
    case("collatz", 4, 8, """
        .reg .pred p, odd; .reg .u32 n, steps, high, low;
        ld.global.u32 n, [in]; and.b32 n, n, 1023; add.u32 n, n, 1;
        mov.u32 steps, 0; mov.u32 high, n;
        LOOP: setp.le.u32 p, n, 1; @p bra DONE;
        and.b32 low, n, 1; setp.ne.u32 odd, low, 0;
        @odd bra ODD;
        shr.u32 n, n, 1; bra NEXT;
        ODD: mad.lo.u32 n, n, 3, 1;
        NEXT: max.u32 high, high, n; add.u32 steps, steps, 1; bra.uni LOOP;
        DONE: st.global.v2.u32 [out], {steps, high};""", some(32))
    case("ladder", 4, 4, """
        .reg .pred p; .reg .s32 a, r;
        ld.global.s32 a, [in]; rem.s32 a, a, 5;
        setp.ne.s32 p, a, 0; @p bra ONE; mov.s32 r, 100; bra END;
        ONE: setp.ne.s32 p, a, 1; @p bra TWO; mov.s32 r, 200; bra END;
        TWO: setp.ne.s32 p, a, -2; @p bra OTHER; mov.s32 r, 300; bra END;
        OTHER: add.s32 r, a, 1000; setp.lt.s32 p, a, 0; @!p bra END; neg.s32 r, r;
        END: st.global.s32 [out], r;""", some(32))
    case("crc", 8, 4, """
        .reg .u32 crc, word, i, m; .reg .pred p, q; .reg .u64 at2;
        mov.u32 crc, 0xffffffff; mov.u32 m, 0;
        OUTER: mul.wide.u32 at2, m, 1; add.u64 at2, at2, in; ld.global.u8 word, [at2];
        xor.b32 crc, crc, word; mov.u32 i, 8;
        INNER: and.b32 word, crc, 1; setp.eq.u32 p, word, 1; shr.b32 crc, crc, 1;
        @p xor.b32 crc, crc, 0xEDB88320; sub.u32 i, i, 1; setp.gt.u32 q, i, 0; @q bra INNER;
        add.u32 m, m, 1; setp.lt.u32 q, m, 8; @q bra OUTER;
        not.b32 crc, crc; st.global.u32 [out], crc;""", some(64))
    case("hexadecimal", 4, 8, """
        .reg .u32 w, i, d, s; .reg .pred p; .reg .u64 o; .reg .s32 sh;
        ld.global.u32 w, [in]; mov.u64 o, out; mov.s32 sh, 28;
        L: bfe.u32 d, w, sh, 4; setp.gt.u32 p, d, 9; selp.u32 s, 87, 48, p; add.u32 d, d, s;
        st.global.u8 [o], d; add.u64 o, o, 1; sub.s32 sh, sh, 4; setp.ge.s32 p, sh, 0; @p bra L;""", some(32))
    case("letters", 8, 4, """
        .reg .u32 c, n; .reg .u64 p; .reg .pred a, b, z; .reg .u32 i, r;
        mov.u64 p, in; mov.u32 n, 0; mov.u32 i, 0;
        L: ld.global.u8 c, [p]; setp.ge.u32 a, c, 0x41; setp.le.and.u32 a, c, 0x5a, a; setp.ge.u32 b, c, 0x61;
        setp.le.and.u32 b|z, c, 0x7a, b;
        setp.ne.or.u32 a, 0, 0, a; slct.u32.s32 r, 1, 2, -1; @a add.u32 n, n, 1; @b add.u32 n, n, 100;
        @z add.u32 n, n, 10000;
        add.u64 p, p, 1; add.u32 i, i, 1; setp.lt.u32 z, i, 8; @z bra L; mad.lo.u32 n, r, 1000000, n;
        st.global.u32 [out], n;""", b"Hello, W0123abcZ@[`{AZaz\xff\x80\x00\x7fA[az")
    case("insertion_sort", 16, 16, """
        .local .align 16 .u32 keep[4]; .reg .u32 i, j, a, b; .reg .u64 k, p, q2; .reg .pred c, d;
        .reg .u32 v<4>;
        mov.u64 k, keep; ld.global.v4.u32 {v0, v1, v2, v3}, [in]; st.local.v4.u32 [keep], {v0, v1, v2, v3};
        mov.u32 i, 1;
        OUT: mul.wide.u32 p, i, 4; add.u64 p, p, k; ld.local.u32 a, [p]; mov.u32 j, i;
        INN: setp.eq.u32 c, j, 0; @c bra PUT; ld.local.u32 b, [p+-4]; setp.le.u32 d, b, a; @d bra PUT;
        st.local.u32 [p], b; sub.u64 p, p, 4; sub.u32 j, j, 1; bra.uni INN;
        PUT: st.local.u32 [p], a; add.u32 i, i, 1; setp.lt.u32 c, i, 4; @c bra OUT;
        ld.local.v4.u32 {v0, v1, v2, v3}, [k]; st.global.v4.u32 [out], {v0, v1, v2, v3};""", some(64))
    case("branches_that_cross", 4, 4, """
        .reg .pred p, q; .reg .u32 a, r, i; ld.global.u32 a, [in]; mov.u32 r, 0; mov.u32 i, 0;
        setp.lt.u32 p, a, 0x80000000; @p bra INTO;
        TOP: add.u32 r, r, 3; and.b32 a, a, 0xffff; setp.gt.u32 q, a, 0x8000; @q bra SKIP; add.u32 r, r, 50;
        INTO: xor.b32 a, a, 0x5555;
        SKIP: add.u32 i, i, 1; setp.lt.u32 p, i, 4; @p bra TOP; add.u32 r, r, a; st.global.u32 [out], r;""", some(32))
    case("break_and_continue", 4, 8, """
        .reg .pred p, q; .reg .u32 a, i, s, d; ld.global.u32 a, [in]; and.b32 a, a, 63; mov.u32 i, 0;
        mov.u32 s, 0;
        L: setp.ge.u32 p, i, 20; @p bra E; add.u32 i, i, 1; rem.u32 d, i, 3; setp.eq.u32 q, d, 0; @q bra L;
        add.u32 s, s, i; setp.gt.u32 q, s, a; @q bra X; bra L;
        X: add.u32 s, s, 1000;
        E: st.global.v2.u32 [out], {s, i};""", some(32))


def of_integers() -> None:
    case("wide_product", 16, 32, """
        .reg .u64 a, b, l, h, x, y;
        ld.global.v2.u64 {a, b}, [in];
        mul.lo.u64 l, a, b; mul.hi.u64 h, a, b;
        mad.lo.cc.u64 x, a, b, l; madc.hi.u64 y, a, b, h;
        st.global.v2.u64 [out], {l, h}; st.global.v2.u64 [out+16], {x, y};""", some(64))
    case("differences_of_bytes", 16, 16, """
        .reg .u32 a, b, c, d, s, v; .reg .s32 x, y;
        ld.global.v4.u32 {a, b, c, d}, [in];
        vabsdiff4.u32.u32.u32.add s, a, b, c; vabsdiff4.u32.u32.u32.add s, c, d, s;
        mov.u32 v, 0; vabsdiff2.s32.s32.s32 v, a, b, v;
        dp4a.u32.s32 x, a, b, c; dp4a.s32.u32 y, c, d, x; dp2a.hi.s32.u32 y, a, c, y;
        st.global.v4.u32 [out], {s, v, x, y};""", some(64))
    case("rotations", 8, 32, """
        .reg .u32 a, b, c, d, s, e; .reg .u64 x, y; .reg .s32 g, h;
        ld.global.v2.u32 {a, b}, [in]; and.b32 s, b, 63;
        shf.l.wrap.b32 c, a, b, s; shf.r.clamp.b32 d, a, b, s; bfe.s32 g, a, s, 7; bfi.b32 e, a, b, 5, 9;
        brev.b32 h, a;
        st.global.v4.u32 [out], {c, d, g, e}; st.global.s32 [out+16], h; mov.b64 x, {a, b}; shr.s64 y, x, s;
        clz.b64 s, x; cvt.u32.u64 c, y; st.global.v2.u32 [out+24], {s, c}; st.global.u32 [out+20], 0;""", some(64))
    case("permutes", 12, 48, """
        .reg .u32 a, b, c, d;
        ld.global.u32 a, [in]; ld.global.u32 b, [in+4]; ld.global.u32 c, [in+8];
        prmt.b32 d, a, b, c; st.global.u32 [out+0], d;
        prmt.b32.f4e d, a, b, c; st.global.u32 [out+4], d;
        prmt.b32.b4e d, a, b, c; st.global.u32 [out+8], d;
        prmt.b32.rc8 d, a, b, c; st.global.u32 [out+12], d;
        prmt.b32.ecl d, a, b, c; st.global.u32 [out+16], d;
        prmt.b32.ecr d, a, b, c; st.global.u32 [out+20], d;
        prmt.b32.rc16 d, a, b, c; st.global.u32 [out+24], d;
        prmt.b32 d, a, b, 0x9a3c; st.global.u32 [out+28], d; prmt.b32 d, a, 0, 0x4321;
        st.global.u32 [out+32], d;""", some(48))
    case("saturations", 12, 24, """
        .reg .s32 a, b, c, d, e; .reg .f32 x, y, z, r; .reg .u32 u;
        ld.global.s32 a, [in]; ld.global.s32 b, [in+4]; ld.global.s32 c, [in+8];
        add.sat.s32 d, a, b; sub.sat.s32 e, c, a; st.global.v2.s32 [out], {d, e}; mad.hi.sat.s32 d, a, b, c;
        st.global.s32 [out+8], d;
        cvt.rn.f32.s32 x, a; mul.f32 x, x, 0f30000000; cvt.rn.f32.u32 y, b; mul.f32 y, y, 0f2F800000;
        fma.rn.sat.f32 r, x, y, x; st.global.f32 [out+12], r; add.sat.f32 r, x, y; st.global.f32 [out+16], r;
        cvt.pack.sat.s16.s32 u, a, b; st.global.u32 [out+20], u;""", some(48))
    case("integers_of_all_widths", 8, 64, """
        .reg .u64 a, b, c; .reg .s64 s; .reg .u16 h, k, m; .reg .s16 sh; .reg .u32 w; .reg .s32 v; .reg .u8 z;
        ld.global.u64 a, [in]; cvt.u16.u64 h, a; shr.u64 b, a, 16; cvt.u16.u64 k, b; mul.lo.u16 m, h, k;
        st.global.u16 [out], m; mul.hi.s16 sh, h, k; st.global.s16 [out+2], sh; mul.wide.s16 v, h, k;
        st.global.s32 [out+4], v; mad.lo.s16 sh, h, k, m; st.global.b16 [out+8], sh; max.s16 sh, h, k;
        st.global.b16 [out+10], sh; sad.u16 m, h, k, h; st.global.b16 [out+12], m; shl.b16 m, h, 3;
        st.global.b16 [out+14], m; shr.s16 sh, h, 3; st.global.b16 [out+16], sh; abs.s16 sh, h;
        st.global.b16 [out+18], sh;
        cvt.u8.u16 z, h; cvt.s32.s8 v, z; st.global.s32 [out+20], v; mul.wide.u32 b, 77, 88; add.u64 b, b, a;
        mul.hi.s64 s, a, b; st.global.s64 [out+24], s; rem.s64 s, a, 1000003; st.global.s64 [out+32], s;
        div.u64 c, a, 12345; st.global.u64 [out+40], c; min.s64 s, a, -5; st.global.s64 [out+48], s;
        popc.b64 w, a; st.global.u32 [out+56], w; bfind.s64 w, a; st.global.u32 [out+60], w;""", some(64))
    case("truth", 12, 12, """
        .reg .u32 a, b, c, r, s; .reg .pred p, q; ld.global.u32 a, [in]; ld.global.u32 b, [in+4];
        ld.global.u32 c, [in+8];
        lop3.b32 r, a, b, c, 0x1e; lop3.b32 s, r, b, c, 0xe8; st.global.u32 [out], r; st.global.u32 [out+4], s;
        setp.gt.u32 q, a, b; lop3.and.b32 r|p, a, b, c, 0x96, q; selp.u32 s, 5, 6, p; st.global.u32 [out+8], s;""", some(48))
    case("loads_of_all_widths", 64, 64, """
        .reg .u32 a<4>; .reg .s16 h<2>; .reg .f64 d<2>; .reg .b64 l<2>; .reg .s32 s; .reg .b8 b0, b1;
        .reg .u16 q;
        ld.global.cv.v4.u8 {a0, a1, a2, a3}, [in]; st.global.wt.v4.u32 [out], {a3, a2, a1, a0};
        ld.global.lu.v2.s16 {h0, h1}, [in+4]; st.global.cs.v2.s16 [out+16], {h1, h0};
        ld.global.nc.L1::no_allocate.v2.f64 {d0, d1}, [in+16]; st.global.cg.v2.f64 [out+32], {d1, d0};
        ld.global.s8 s, [in+9]; st.global.s32 [out+20], s; ld.global.ca.u16 q, [in+10];
        st.global.u16 [out+24], q; ld.global.b8 b0, [in+12]; st.global.b8 [out+26], b0;
        ld.volatile.global.v2.b64 {l0, l1}, [in+32]; st.relaxed.gpu.global.b64 [out+48], l1;
        st.volatile.global.u64 [out+56], l0;""", some(64))
    case("places_of_threads", 4, 32, """
        .reg .u32 a, b, c, d, l; .reg .v4 .u32 v; .reg .u64 x; .reg .pred p;
        mov.v4.u32 v, %ntid; mov.u32 a, %ctaid.x; mov.u32 b, %ntid.x; mad.lo.u32 a, a, b, t; mov.u32 b, %nctaid.y;
        mov.u32 c, %lanemask_lt; mov.u32 d, %warpid; mov.u32 l, %laneid; st.global.v4.u32 [out], {a, b, c, d};
        st.global.v4.u32 [out+16], {v.x, v.y, v.z, l};""", some(64))


def of_numbers() -> None:
    case("half_axpy", 16, 16, """
        .reg .b32 x<4>, a; .reg .f16 h, k; .reg .f32 f;
        ld.global.v4.b32 {x0, x1, x2, x3}, [in];
        mov.b32 {h, k}, x3; cvt.f32.f16 f, h; mul.f32 f, f, 0f3F000000; cvt.rn.f16.f32 h, f; mov.b32 a, {h, k};
        fma.rn.f16x2 x0, x0, a, x1; fma.rn.sat.f16x2 x1, x1, a, x2; mul.rn.f16x2 x2, x2, x0;
        max.NaN.f16x2 x3, x0, x2;
        st.global.v4.b32 [out], {x0, x1, x2, x3};""", halves(128))
    case("quantize", 16, 16, """
        .reg .f32 f<4>; .reg .s32 s<4>; .reg .u32 lo, hi, all; .reg .b16 h;
        ld.global.v4.f32 {f0, f1, f2, f3}, [in];
        cvt.rni.sat.s8.f32 s0, f0; cvt.rni.sat.s8.f32 s1, f1; cvt.rzi.sat.s8.f32 s2, f2;
        cvt.rpi.sat.s8.f32 s3, f3;
        prmt.b32 lo, s0, s1, 0x0040; prmt.b32 hi, s2, s3, 0x0040; prmt.b32 all, lo, hi, 0x5410;
        st.global.u32 [out], all;
        cvt.rni.sat.u8.f32 s0, f0; cvt.rmi.sat.u32.f32 s1, f1; cvt.rni.s32.f32 s2, f2;
        st.global.u32 [out+4], s0; st.global.u32 [out+8], s1; st.global.s32 [out+12], s2;""", floats(
        0.5, 1.5, 2.5, -0.5, 127.5, -128.5, 300.0, -300.0, 255.5, 254.5, 1e10, -1e10, NAN, INFINITY, -INFINITY, 0.0))
    case("dequantize_four_bits", 4, 16, """
        .reg .b32 q, h<4>, top, k1, k2;
        ld.global.b32 q, [in]; shr.u32 top, q, 8;
        lop3.b32 h0, q, 0x000f000f, 0x64006400, 0xEA; lop3.b32 h1, q, 0x00f000f0, 0x64006400, 0xEA;
        lop3.b32 h2, top, 0x000f000f, 0x64006400, 0xEA; lop3.b32 h3, top, 0x00f000f0, 0x64006400, 0xEA;
        mov.b32 top, 0x64086408; sub.f16x2 h0, h0, top; mov.b32 k1, 0x2c002c00; mov.b32 k2, 0xd480d480;
        fma.rn.f16x2 h1, h1, k1, k2; sub.f16x2 h2, h2, top; fma.rn.f16x2 h3, h3, k1, k2;
        st.global.v4.b32 [out], {h0, h1, h2, h3};""", some(32))
    case("eight_bits_there_and_back", 8, 16, """
        .reg .f32 a, b; .reg .b16 e, m, s; .reg .b32 w, x, y, z;
        ld.global.v2.f32 {a, b}, [in];
        cvt.rn.satfinite.e4m3x2.f32 e, a, b; cvt.rn.satfinite.relu.e5m2x2.f32 m, a, b;
        cvt.rn.f16x2.e4m3x2 w, e; cvt.rn.f16x2.e5m2x2 x, m; cvt.rn.satfinite.e5m2x2.f16x2 s, w;
        mov.b32 y, {e, m}; cvt.u32.u16 z, s;
        st.global.v4.b32 [out], {w, x, y, z};""", floats(
        0.0, -0.0, 1.0, -1.75, 448.0, 464.0, 465.0, -1e9, 57344.0, 61440.0, 6e-8, 1e-3, 0.015625, 0.001953125, NAN,
        INFINITY, 3.3, -7.7, 240.0, 17.0))
    case("sum_with_error", 32, 16, """
        .reg .f64 s, c, y, t1, v; .reg .u64 p; .reg .u32 i; .reg .pred q;
        mov.f64 s, 0d0000000000000000; mov.f64 c, 0d0000000000000000; mov.u64 p, in; mov.u32 i, 0;
        L: ld.global.f64 v, [p]; sub.f64 y, v, c; add.f64 t1, s, y; sub.rn.f64 c, t1, s; sub.f64 c, c, y;
        mov.f64 s, t1;
        add.u64 p, p, 8; add.u32 i, i, 1; setp.lt.u32 q, i, 4; @q bra L; st.global.v2.f64 [out], {s, c};""", random_doubles(16))
    case("comparisons_of_floats", 8, 4, """
        .reg .f32 a, b; .reg .pred p, q, r; .reg .u32 m;
        ld.global.v2.f32 {a, b}, [in]; mov.u32 m, 0;
        setp.eq.f32 p, a, b; @p or.b32 m, m, 1;
        setp.ne.f32 p, a, b; @p or.b32 m, m, 2;
        setp.lt.f32 p, a, b; @p or.b32 m, m, 4;
        setp.le.f32 p, a, b; @p or.b32 m, m, 8;
        setp.gt.f32 p, a, b; @p or.b32 m, m, 16;
        setp.ge.f32 p, a, b; @p or.b32 m, m, 32;
        setp.equ.f32 p, a, b; @p or.b32 m, m, 64;
        setp.neu.f32 p, a, b; @p or.b32 m, m, 128;
        setp.ltu.f32 p, a, b; @p or.b32 m, m, 256;
        setp.leu.f32 p, a, b; @p or.b32 m, m, 512;
        setp.gtu.f32 p, a, b; @p or.b32 m, m, 1024;
        setp.geu.f32 p, a, b; @p or.b32 m, m, 2048;
        setp.num.f32 p, a, b; @p or.b32 m, m, 4096;
        setp.nan.f32 p, a, b; @p or.b32 m, m, 8192;
        setp.lt.xor.ftz.f32 q|r, a, b, p; @q or.b32 m, m, 0x10000; @r or.b32 m, m, 0x20000;
        setp.gt.or.f32 q|r, a, b, !p; @q or.b32 m, m, 0x40000; @r or.b32 m, m, 0x80000; st.global.u32 [out], m;""", floats(
        *(x for a in (0.0, -0.0, 1.0, 1e-40, NAN, INFINITY) for b in (0.0, 2.0, NAN, -INFINITY) for x in (a, b))))
    case("roundings", 8, 64, """
        .reg .f64 d; .reg .s64 l; .reg .u64 u; .reg .s32 i; .reg .f32 f; .reg .u16 h; .reg .f16 k; .reg .b32 w;
        .reg .b16 e;
        ld.global.f64 d, [in];
        cvt.rzi.s64.f64 l, d; st.global.s64 [out], l; cvt.rmi.u64.f64 u, d; st.global.u64 [out+8], u;
        cvt.rpi.s32.f64 i, d; st.global.s32 [out+16], i; cvt.rp.f32.f64 f, d; st.global.f32 [out+20], f;
        cvt.rz.sat.f32.f64 f, d; st.global.f32 [out+24], f; cvt.rni.f64.f64 d, d; st.global.f64 [out+32], d;
        cvt.rm.f32.s64 f, l; st.global.f32 [out+28], f; cvt.rn.f16.f32 k, f; st.global.b16 [out+40], k;
        cvt.rna.tf32.f32 w, f; st.global.b32 [out+44], w;
        cvt.rn.bf16.f32 e, f; st.global.b16 [out+48], e; cvt.sat.u8.s32 w, i; st.global.b32 [out+52], w;
        cvt.rn.f16x2.f32 w, f, 0f40000000; st.global.b32 [out+56], w; cvt.rz.bf16x2.f32 w, f, f;
        st.global.b32 [out+60], w;""", struct.pack(
        "<12d", 0.5, 1.5, -2.5, 1e300, -1e300, 3.9999999, 2147483647.5, -0.0, NAN, 65519.9, 0.3, 9.3e18))
    case("bfloats", 8, 28, """
        .reg .b32 a, b, c; .reg .b16 l, h; .reg .f32 f;
        ld.global.v2.b32 {a, b}, [in];
        min.NaN.bf16x2 c, a, b; st.global.b32 [out], c; max.xorsign.abs.bf16x2 c, a, b;
        st.global.b32 [out+4], c; fma.rn.relu.bf16x2 c, a, b, a; st.global.b32 [out+8], c; neg.bf16x2 c, a;
        st.global.b32 [out+12], c; abs.bf16x2 c, b; st.global.b32 [out+16], c;
        mov.b32 {l, h}, a; cvt.f32.bf16 f, h; st.global.f32 [out+20], f; add.rn.bf16x2 c, a, b;
        st.global.b32 [out+24], c;""", words(*(number & 0xBFFFBFFF for number in numbers(32)), 0x7F807F80, 0xFF80FF80))
    case("approximations", 4, 32, """
        .reg .f32 x, y; ld.global.f32 x, [in];
        ex2.approx.ftz.f32 y, x; st.global.f32 [out], y; lg2.approx.f32 y, x; st.global.f32 [out+4], y;
        sin.approx.f32 y, x; st.global.f32 [out+8], y; cos.approx.f32 y, x; st.global.f32 [out+12], y;
        tanh.approx.f32 y, x; st.global.f32 [out+16], y; rsqrt.approx.f32 y, x; st.global.f32 [out+20], y;
        rcp.approx.ftz.f32 y, x; st.global.f32 [out+24], y; div.full.f32 y, x, 0f40400000;
        st.global.f32 [out+28], y;""", random_floats(16, 0.1, 3), tolerance=0.001)
    case("pairs_of_floats", 16, 24, """
        .reg .b64 a, b, c; ld.global.v2.b64 {a, b}, [in]; add.rn.f32x2 c, a, b; st.global.b64 [out], c;
        mul.rn.f32x2 c, a, b; st.global.b64 [out+8], c; fma.rn.f32x2 c, a, b, c; st.global.b64 [out+16], c;""", random_floats(32, -9, 9))


def of_many_threads() -> None:
    case("histogram", 4, 4, """
        .shared .align 4 .u32 bins[32];
        .reg .u32 a, place, old, mine, base; .reg .pred p;
        mov.u32 base, bins; mad.lo.u32 mine, t, 4, base; st.shared.u32 [mine], 0; bar.sync 0;
        ld.global.u32 a, [in]; and.b32 a, a, 7; mad.lo.u32 place, a, 4, base;
        atom.shared.inc.u32 old, [place], 0xffffffff; red.shared.max.u32 [place+32], t;
        red.shared.add.u32 [place+64], a;
        bar.sync 0; ld.shared.u32 a, [mine]; st.global.u32 [out], a;""", some(32))
    case("scan_of_a_block", 4, 4, """
        .shared .align 16 .b8 buffer[512];
        .reg .u32 a, b, place, base, step, other; .reg .pred p, q;
        ld.global.u32 a, [in]; mov.u32 base, buffer; mad.lo.u32 place, t, 4, base; st.shared.u32 [place], a;
        bar.sync 0;
        mov.u32 step, 1;
        L: setp.ge.u32 p, t, step; mov.u32 b, 0; shl.b32 other, step, 2; sub.u32 other, place, other;
        @p ld.shared.u32 b, [other]; bar.sync 0; add.u32 a, a, b; st.shared.u32 [place], a; bar.sync 0;
        shl.b32 step, step, 1; setp.lt.u32 q, step, 64; @q bra L;
        st.global.u32 [out], a;""", some(64))
    case("transpose", 16, 16, """
        .shared .align 16 .u32 grid[64];
        .reg .v4 .u32 v; .reg .u32 w<4>, base, place, q, r;
        ld.global.v4.u32 v, [in]; mov.u32 base, grid; mad.lo.u32 place, t, 16, base;
        st.shared.v4.u32 [place], v; bar.sync 0;
        shr.u32 q, t, 2; and.b32 r, t, 3; shl.b32 q, q, 6; shl.b32 r, r, 2; add.u32 q, q, base; add.u32 q, q, r;
        ld.shared.u32 w0, [q]; ld.shared.u32 w1, [q+16]; ld.shared.u32 w2, [q+32]; ld.shared.u32 w3, [q+48];
        st.global.v4.u32 [out], {w0, w1, w2, w3};""", words(*range(64)))
    case("leaders", 4, 12, """
        .reg .u32 a, m, l, n, f; .reg .pred p, q;
        ld.global.u32 a, [in]; and.b32 a, a, 3;
        match.any.sync.b32 m, a, 0xffffffff; bfind.u32 l, m; popc.b32 n, m; mov.u32 f, %laneid; setp.eq.u32 p, l, f;
        vote.sync.ballot.b32 f, p, 0xffffffff; shfl.sync.idx.b32 a|q, t, l, 0x1f, 0xffffffff;
        selp.u32 a, a, 999, q;
        st.global.u32 [out], n; st.global.u32 [out+4], f; st.global.u32 [out+8], a;""", some(64))
    case("largest_float", 4, 8, """
        .reg .f32 f, g, w; .reg .u32 old, want, got, top; .reg .pred p; .reg .u64 cell;
        mov.u64 cell, %1; ld.global.f32 f, [in];
        ld.relaxed.gpu.global.u32 old, [cell];
        L: mov.b32 g, old; max.f32 w, f, g; mov.b32 want, w; atom.global.cas.b32 got, [cell], old, want;
        setp.ne.u32 p, got, old; mov.u32 old, got; @p bra L;
        st.global.u32 [out+4], t;""", random_floats(64, 0, 100))
    case("warp_scan", 4, 8, """
        .reg .u32 a, b, k, lane; .reg .pred p, q;
        ld.global.u32 a, [in]; mov.u32 lane, %laneid; mov.u32 k, 1;
        L: shfl.sync.up.b32 b|p, a, k, 0, 0xffffffff; @p add.u32 a, a, b; shl.b32 k, k, 1; setp.lt.u32 q, k, 32;
        @q bra L;
        shfl.sync.down.b32 b|p, a, 3, 0x181f, 0xffffffff; @!p mov.u32 b, 0xdead; st.global.v2.u32 [out], {a, b};""", some(64))
    case("messages", 4, 4, """
        .reg .u32 a, flag, n; .reg .u64 cell, prev; .reg .pred p; .shared .align 4 .u32 flags[64];
        .reg .u32 base, me, before;
        ld.global.u32 a, [in]; mov.u32 base, flags; mad.lo.u32 me, t, 4, base; st.shared.u32 [me], 0;
        bar.sync 0;
        setp.eq.u32 p, t, 0; @p bra FIRST;
        sub.u32 before, me, 4;
        W: ld.acquire.cta.shared.u32 flag, [before]; setp.eq.u32 p, flag, 0; @p bra W;
        add.u32 a, a, flag;
        FIRST: or.b32 a, a, 1; st.release.cta.shared.u32 [me], a; st.global.u32 [out], a;""", words(*range(10, 74)))
    case("a_lock", 4, 4, """
        .shared .align 4 .u32 lock; .shared .align 4 .u32 total; .reg .u32 a, old, l, s; .reg .pred p;
        mov.u32 l, lock; mov.u32 s, total; setp.eq.u32 p, t, 0; @p st.shared.u32 [l], 0;
        @p st.shared.u32 [s], 7; bar.sync 0; ld.global.u32 a, [in];
        T: atom.acquire.cta.shared.cas.b32 old, [l], 0, 1; setp.ne.u32 p, old, 0; @p bra T;
        ld.volatile.shared.u32 old, [s]; add.u32 old, old, a; st.volatile.shared.u32 [s], old; membar.cta;
        atom.release.cta.shared.exch.b32 old, [l], 0;
        bar.sync 0; ld.shared.u32 a, [s]; st.global.u32 [out], a;""", words(*range(1, 33)))
    case("votes_of_parts", 4, 12, """
        .reg .u32 a, m, b; .reg .pred p, q, r;
        ld.global.u32 a, [in]; and.b32 b, a, 1; setp.ne.u32 p, b, 0; and.b32 m, t, 16; setp.ne.u32 q, m, 0;
        selp.u32 m, 0xffff0000, 0x0000ffff, q;
        @q bra HIGH; vote.sync.all.pred r, !p, 0xffff; selp.u32 b, 1, 2, r; vote.sync.uni.pred r, q, 0xffff;
        bra JOIN;
        HIGH: vote.sync.any.pred r, p, 0xffff0000; selp.u32 b, 3, 4, r; vote.sync.ballot.b32 a, r, 0xffff0000;
        JOIN: bar.warp.sync 0xffffffff; redux.sync.add.u32 m, b, m; st.global.u32 [out], b;
        st.global.u32 [out+4], m; st.global.u32 [out+8], a;""", some(32))
    case("atomics_of_halves", 8, 4, """
        .reg .b32 a, b, o; .reg .b64 cell; .reg .f32 f; .reg .b16 h; .reg .f64 d;
        ld.global.v2.b32 {a, b}, [in]; mov.u64 cell, %1;
        red.global.add.noftz.f16x2 [cell], a; red.global.add.noftz.bf16x2 [cell+4], b;
        red.global.add.f32 [cell+8], 0f3F800000; red.global.v2.f32.add [cell+16], {0f3F800000, 0f40000000};
        red.global.add.f64 [cell+24], 0d3FF0000000000000;
        mov.b16 h, 0x3C00; red.global.add.noftz.f16 [cell+12], h;""", words(*[0x3C003C00, 0x3F803F80] * 32))
    case("copies_of_tiles", 16, 32, """
        .shared .align 16 .b8 tile[1024]; .reg .u32 base, place, n, x<4>; .reg .pred p;
        mov.u32 base, tile; mad.lo.u32 place, t, 32, base; and.b32 n, t, 3; shl.b32 n, n, 2;
        setp.eq.u32 p, n, 8;
        cp.async.cg.shared.global [place], [in], 16; cp.async.ca.shared.global [place+16], [in], 16, n;
        cp.async.commit_group;
        cp.async.ca.shared.global.L2::128B [place+24], [in+8], 8, p; cp.async.commit_group;
        cp.async.wait_group 1; cp.async.wait_all; bar.sync 0;
        ld.shared.v4.u32 {x0, x1, x2, x3}, [place]; st.global.v4.u32 [out], {x0, x1, x2, x3};
        ld.shared.v4.u32 {x0, x1, x2, x3}, [place+16]; st.global.v4.u32 [out+16], {x0, x1, x2, x3};""", some(128))


def whole() -> None:
    """All cases of this file."""
    random.seed(5)
    branches()
    of_integers()
    of_numbers()
    of_many_threads()
