"""Kernels on integers and predicates."""

from case import EDGES, FLOAT_PAIRS, NAN, PAIRS, case, doubles, floats, words


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
    case("short_words", 4, 28, """
        .reg .s16 a, b, s, l, h, n;
        .reg .u16 u;
        .reg .s32 w;
        .reg .u32 v, m;
        ld.global.v2.s16 {a, b}, [in];
        add.s16 s, a, b;
        mul.lo.s16 l, a, b;
        mul.hi.s16 h, a, b;
        min.s16 n, a, b;
        shr.u16 u, a, 3;
        mul.wide.s16 w, a, b;
        mul.wide.u16 v, a, b;
        mad.wide.u16 m, a, b, v;
        st.global.v4.s16 [out], {s, l, h, n};
        st.global.u16 [out+8], u;
        st.global.s32 [out+12], w;
        st.global.u32 [out+16], v;
        st.global.u32 [out+20], m;
        shr.s16 s, a, 20;
        st.global.s16 [out+24], s;""", words(0x00020001, 0xFFFFFFFF, 0x80008000, 0x7FFF8000, 0x12349ABC, 0x00FF7FFF))
    case("carry_chain", 24, 32, """
        .reg .u32 a, b, c, d, e, f, x0, x1, x2, lo, hi, last;
        ld.global.v2.u32 {a, b}, [in];
        ld.global.v2.u32 {c, d}, [in+8];
        ld.global.v2.u32 {e, f}, [in+16];
        add.cc.u32 x0, a, d;
        addc.cc.u32 x1, b, e;
        addc.u32 x2, c, f;
        mad.lo.cc.u32 lo, a, b, d;
        madc.hi.u32 hi, a, b, e;
        sub.cc.u32 last, a, b;
        subc.cc.u32 last, c, d;
        subc.u32 last, e, f;
        st.global.v4.u32 [out], {x0, x1, x2, lo};
        st.global.v2.u32 [out+16], {hi, last};""",
        words(0xFFFFFFFF, 0xFFFFFFFF, 0, 1, 0, 0, 1, 2, 3, 4, 5, 6, 0x80000000, 0x80000000, 7, 0x80000000, 0x7FFFFFFF, 0))
    case("masks_and_packs", 8, 16, two + """
        .reg .u32 m, w, p, q;
        bmsk.clamp.b32 m, a, b;
        bmsk.wrap.b32 w, a, b;
        cvt.pack.sat.s8.s32.b32 p, a, b, m;
        cvt.pack.sat.u16.s32 q, a, b;
        st.global.v4.u32 [out], {m, w, p, q};""",
        words(0, 0, 4, 8, 28, 8, 32, 1, 3, 40, 200, -200, 127, -128, 100000, 65535))


def predicates() -> None:
    case("greatest_divisor", 8, 8, """
        .reg .u32 a, b, rest, steps;
        .reg .pred done, swap;
        ld.global.v2.u32 {a, b}, [in];
        mov.u32 steps, 0;
        setp.ge.u32 swap, a, b;
        @swap bra BEGIN;
        mov.u32 rest, a;
        mov.u32 a, b;
        mov.u32 b, rest;
        add.u32 steps, steps, 100;
        bra.uni BEGIN;
        BEGIN:
        setp.eq.u32 done, b, 0;
        @done bra END;
        rem.u32 rest, a, b;
        mov.u32 a, b;
        mov.u32 b, rest;
        add.u32 steps, steps, 1;
        bra.uni BEGIN;
        END:
        st.global.v2.u32 [out], {a, steps};""", words(12, 18, 18, 12, 7, 0, 0, 7, 1071, 462, 17, 17))
    case("logic_of_predicates", 8, 4, """
        .reg .s32 a, b;
        .reg .u32 all, one;
        .reg .pred p, q, r, s, n;
        ld.global.v2.s32 {a, b}, [in];
        setp.gt.s32 p, a, 0;
        setp.gt.s32 q, b, 0;
        and.pred r, p, q;
        xor.pred s, p, q;
        not.pred n, p;
        selp.u32 all, 1, 0, r;
        selp.u32 one, 2, 0, s;
        or.b32 all, all, one;
        @n add.u32 all, all, 4;
        setp.ne.or.s32 r, a, b, n;
        @r add.u32 all, all, 8;
        setp.lt.xor.s32 r, a, b, !q;
        @!r add.u32 all, all, 16;
        st.global.u32 [out], all;""", words(1, 1, -1, 1, 1, -1, -1, -1, 0, 5, 5, 0, 3, 2))
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
