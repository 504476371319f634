"""Kernels on integers."""

from case import EDGES, PAIRS, case, doubles, words


def integers() -> None:
    two = ".reg .u32 a, b, c;\nld.global.v2.u32 {a, b}, [in];\n"
    case("add_sub_sat", 8, 16, two + """
        .reg .s32 w, x, y, z;
        add.s32 w, a, b;
        sub.s32 x, a, b;
        add.sat.s32 y, a, b;
        sub.sat.s32 z, a, b;
        st.global.v4.u32 [out], {w, x, y, z};""", words(*PAIRS))
    case("multiply", 8, 48, two + """
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
    case("short_words", 4, 32, """
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
    case("wide_edges", 20, 72, """
        .reg .u64 a, b, h, bits, put, back;
        .reg .s64 sh, q, r, right, low;
        .reg .u32 n, top;
        ld.global.u32 n, [in+16];
        ld.global.u32 top, [in+4];
        mov.b64 a, {n, top};
        ld.global.u32 top, [in+8];
        mov.b64 b, {top, n};
        mul.hi.s64 sh, a, b;
        mad.lo.u64 h, a, b, b;
        div.s64 q, a, b;
        rem.s64 r, a, b;
        shr.s64 right, a, n;
        bfe.u64 bits, a, 60, n;
        bfi.b64 put, a, b, n, 20;
        brev.b64 back, a;
        min.s64 low, a, b;
        bfind.u64 top, b;
        st.global.u64 [out], sh;
        st.global.u64 [out+8], h;
        st.global.u64 [out+16], q;
        st.global.u64 [out+24], r;
        st.global.u64 [out+32], right;
        st.global.u64 [out+40], bits;
        st.global.u64 [out+48], put;
        st.global.u64 [out+56], back;
        cvt.u64.u32 b, top;
        add.u64 low, low, b;
        st.global.u64 [out+64], low;""",
        words(0, 0x80000000, 5, 0, 3, 0, 0x12345678, 0xFFFFFFFF, 0, 70, 0, 0xFFFFFFFE, 9, 0, 63, 0, 1, 0, 0, 1))
    case("truncations", 4, 32, """
        .reg .u32 a, b, c, d;
        .reg .s32 e, f;
        .reg .u16 g, h;
        .reg .s64 l;
        ld.global.u32 a, [in];
        cvt.u8.u32 b, a;
        cvt.s8.s32 e, a;
        cvt.u16.u32 g, a;
        cvt.s32.s8 f, a;
        cvt.u32.u16 c, g;
        cvt.s64.s32 l, a;
        ld.global.u8 h, [in+3];
        st.global.u32 [out], b;
        st.global.s32 [out+4], e;
        st.global.u16 [out+8], g;
        st.global.u8 [out+10], a;
        st.global.s32 [out+12], f;
        st.global.u32 [out+16], c;
        st.global.u16 [out+20], h;
        st.global.s64 [out+24], l;""", words(0x80, 0x7F, 0xFFFFFF81, 0x12348000, 0xDEADBEEF, 0x80000000))
    case("same_registers", 16, 32, """
        .reg .u64 x, y;
        .reg .u32 a, b, c, d;
        .reg .pred p;
        ld.global.v4.u32 {a, b, c, d}, [in+-0];
        add.u32 a, a, b;
        sub.u32 a, b, a;
        mad.lo.u32 b, b, b, b;
        shf.l.wrap.b32 c, c, c, 0x8;
        xor.b32 c, c, 0xFF00FF00;
        and.b32 d, d, -16;
        setp.ne.u32 p, a, 017;
        @p ld.global.v2.u32 {a, d}, [in+8];
        @!p mov.u32 d, 0xABCDU;
        mov.b64 x, {a, b};
        mov.b64 {a, b}, x;
        prmt.b32 c, c, a, 0xD951;
        ld.global.v2.u64 {in, y}, [in];
        st.global.v4.u32 [out], {a, b, c, d};
        add.u64 y, y, in;
        st.global.u64 [out+16], y;""", words(1, 2, 3, 4, 0xFFFFFFF1, 0xFFFFFFFF, 0x80818283, 99, 0xFFFFFFF1, 0, 5, 255))
    case("scopes", 4, 8, """
        .reg .u32 a, b;
        ld.global.u32 a, [in];
        mov.u32 b, 1;
        .reg .pred p;
        setp.gt.u32 p, a, 3;
        @p bra MORE;
        mul.lo.u32 b, a, 7;
        bra OUT;
        MORE:
        add.u32 b, a, 100;
        OUT:
        @p mul.lo.u32 a, a, 2;
        st.global.v2.u32 [out], {a, b};""", words(1, 3, 4, 0xFFFFFFFF))
