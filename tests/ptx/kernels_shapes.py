"""Kernels for what is written around instructions: declarations, constants, addresses, comments, shapes of branches."""

from case import CASES, case, doubles, floats, source, words


def shapes() -> None:
    numbers = words(*range(1, 9))
    case("vectors_of_registers", 16, 48, """
        .reg .v4 .f32 v, w;
        .reg .v2 .u32 pair;
        .reg .v4 .u32 place;
        .reg .f32 sum;
        .reg .b128 wide, copy;
        .reg .b64 low, high;
        ld.global.v4.f32 v, [in];
        add.f32 sum, v.x, v.w;
        mov.v4.f32 w, {sum, v.z, v.y, v.x};
        st.global.v4.f32 [out], w;
        mov.u32 pair.x, %tid.x;
        mov.u32 pair.y, 7;
        add.u32 pair.x, pair.x, pair.y;
        mov.v2.u32 pair, {pair.y, pair.x};
        st.global.v2.u32 [out+16], pair;
        mov.v4.u32 place, %ntid;
        add.u32 place.x, place.x, place.w;
        st.global.v2.u32 [out+24], {place.x, place.z};
        ld.global.b128 wide, [in];
        mov.b128 {low, high}, wide;
        mov.b128 copy, {high, low};
        st.global.b128 [out+32], copy;""", floats(1.5, 2.0, 3.0, 4.25, -1.0, 0.0, 5.0, 8.0))
    case("many_registers", 4, 8, """
        .reg .pred %p<2>;
        .reg .b32 %r<4>, %s;
        .reg .s32 $a, _b;
        ld.global.u32 %r0, [in];
        mov.u32 %r1, WARP_SZ;
        add.u32 %r2, %r0, WARP_SZ;
        setp.gt.u32 %p1, %r0, 4;
        selp.u32 %r3, %r1, %r2, %p1;
        mov.b32 %s, %r3;
        mov.s32 $a, -3;
        mov.s32 _b, $a;
        st.global.b32 [out], %s;
        st.global.s32 [out+4], _b;""", numbers)
    case("constants", 4, 64, """
        .reg .u32 a, b, c, d;
        .reg .s32 e, f;
        .reg .u64 g;
        .reg .f32 h, i;
        .reg .f64 j;
        mov.u32 a, (1<<3)|2;
        mov.u32 b, 0x1F + 017;
        mov.u32 c, 0b101 * 3;
        mov.u32 d, 12U;
        st.global.v4.u32 [out], {a, b, c, d};
        mov.s32 e, -(3*4)+2;
        mov.s32 f, 5 > 3 ? 7 : 9;
        mov.u32 a, (0xff & 0x3c) ^ 1;
        mov.u32 b, 3 == 3 && 2 != 1;
        st.global.v4.s32 [out+16], {e, f, a, b};
        mov.u64 g, ~0;
        st.global.u64 [out+32], g;
        mov.f32 h, 0f3F800000;
        add.f32 i, h, 0f40490FDB;
        st.global.v2.f32 [out+40], {h, i};
        mov.f64 j, 0d400921FB54442D18;
        mul.f64 j, j, 0d4000000000000000;
        st.global.f64 [out+48], j;
        mov.b32 a, 0f7F800000;
        mov.u32 b, 0xFFFFFFFF;
        st.global.v2.u32 [out+56], {a, b};""", words(0))
    case("comments_and_pragmas", 4, 8, """
        .pragma "nounroll";
        .reg .u32 a, b; // two registers: a; b
        ld.global.u32 a, [in]; /* the input; */
        /* not run:
        add.u32 a, a, 100; */
        add.u32 b, a, 1; // add.u32 b, b, 1;
        st.global.v2.u32 [out], {a, b};""", numbers)
    case("variables", 4, 40, """
        .shared .align 8 .b8 bytes[512];
        .shared .f32 grid[4][4];
        .shared .v2 .u32 both;
        .local .u64 own[2];
        .const .f32 table[4] = {1.5, 0f40000000, 3.0, -4.0};
        .const .align 8 .b8 letters[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        .const .u32 single = 5;
        .global .s32 rows[2][2] = {{1, -2}, {3, 4}};
        .global .u32 open[] = {10, 20, 30};
        .reg .u32 a, b, place, c;
        .reg .u64 at, wide, from;
        .reg .f32 x, y;
        .reg .s32 s;
        ld.global.u32 a, [in];
        mov.u32 place, bytes;
        shl.b32 b, t, 2;
        add.u32 place, place, b;
        st.shared.u32 [place], a;
        bar.sync 0;
        ld.shared.u32 b, [bytes+4];
        st.shared.f32 [grid+20], 0f3F800000;
        st.shared.v2.u32 [both], {3, 4};
        bar.sync 0;
        ld.shared.f32 x, [grid+(4*5)];
        ld.shared.u32 c, [both+4];
        st.global.u32 [out], b;
        st.global.f32 [out+4], x;
        st.global.u32 [out+8], c;
        mov.u64 at, own;
        st.local.u64 [own+8], 77;
        ld.local.u64 wide, [at+8];
        st.global.u32 [out+12], wide;
        cvta.local.u64 at, at;
        ld.u64 wide, [at+8];
        st.global.u64 [out+16], wide;
        and.b32 c, t, 3;
        mul.wide.u32 wide, c, 4;
        mov.u64 from, table;
        add.u64 from, from, wide;
        ld.const.f32 y, [from];
        st.global.f32 [out+24], y;
        ld.const.u64 wide, [letters];
        st.global.u32 [out+28], wide;
        ld.const.u32 c, [single];
        ld.global.s32 s, [rows+4];
        add.s32 s, s, c;
        st.global.s32 [out+32], s;
        ld.global.u32 c, [open+8];
        st.global.u32 [out+36], c;""", numbers)
    case("addresses", 16, 32, """
        .shared .align 8 .b8 space[256];
        .reg .u64 at, generic, window;
        .reg .u32 a, b, c, small, offset;
        .reg .pred p, q;
        add.u64 at, in, 8;
        ld.global.u32 a, [at+-8];
        ld.global.u32 b, [at+-4];
        ld.global.u32 c, [at + 0x4];
        st.global.u32 [out], a;
        st.global.u32 [out+4], b;
        st.global.u32 [out+8], c;
        shl.b32 offset, t, 2;
        mov.u32 small, space+4;
        add.u32 small, small, offset;
        st.shared.u32 [small], a;
        ld.shared.u32 b, [small];
        st.global.u32 [out+12], b;
        cvt.u64.u32 window, small;
        cvta.shared.u64 generic, window;
        ld.u32 c, [generic];
        st.global.u32 [out+16], c;
        cvta.to.shared.u64 window, generic;
        cvt.u32.u64 small, window;
        ld.shared.u32 c, [small];
        st.global.u32 [out+20], c;
        isspacep.shared p, generic;
        isspacep.global q, %0;
        selp.u32 a, 1, 0, p;
        selp.u32 b, 1, 0, q;
        cvta.to.global.u64 at, in;
        cvta.global.u64 at, at;
        ld.global.u32 c, [at];
        st.global.v2.u32 [out+24], {a, b};""", words(*range(100, 116)))
    case("branches_by_index", 4, 8, """
        .reg .u32 a, r, s;
        .reg .pred p;
        ld.global.u32 a, [in];
        mov.u32 s, 0;
        and.b32 r, a, 3;
        choices: .branchtargets NONE, ONE, TWO, ONE;
        brx.idx r, choices;
        NONE:
        mov.u32 s, 10;
        bra DONE;
        ONE:
        mov.u32 s, 20;
        TWO:
        add.u32 s, s, 5;
        setp.gt.u32 p, a, 5;
        @p brx.idx r, choices;
        DONE:
        st.global.v2.u32 [out], {r, s};""", words(0, 1, 2, 3, 4))
    case("leaving", 4, 8, """
        .reg .u32 a;
        .reg .pred p, q, r;
        ld.global.u32 a, [in];
        st.global.u32 [out], a;
        setp.eq.u32 p, a, 3;
        @p ret;
        setp.gt.u32 q, a, 6;
        @q exit;
        setp.eq.u32 r, a, 5;
        @!r bra GO;
        ret.uni;
        GO:
        st.global.u32 [out+4], 9;
        ret;""", numbers)
    case("loops_within_loops", 4, 12, """
        .reg .u32 a, i, j, sum, steps;
        .reg .pred p, q, r;
        ld.global.u32 a, [in];
        mov.u32 sum, 0;
        mov.u32 steps, 0;
        mov.u32 i, 0;
        $OUTER:
        setp.ge.u32 p, i, a;
        @p bra $END;
        mov.u32 j, 0;
        $INNER:
        add.u32 steps, steps, 1;
        mad.lo.u32 sum, i, j, sum;
        add.u32 j, j, 1;
        setp.eq.u32 q, sum, 11;
        @q bra $END;
        setp.gt.u32 r, j, i;
        @r bra $NEXT;
        bra.uni $INNER;
        $NEXT:
        add.u32 i, i, 1;
        bra $OUTER;
        $END:
        st.global.u32 [out], sum;
        st.global.u32 [out+4], i;
        st.global.u32 [out+8], steps;""", numbers)
    case("a_loop_with_two_entries", 4, 8, """
        .reg .u32 a, n, m;
        .reg .pred p, q, r;
        ld.global.u32 a, [in];
        mov.u32 n, 0;
        mov.u32 m, 0;
        setp.gt.u32 p, a, 4;
        @p bra MIDDLE;
        TOP:
        add.u32 n, n, 1;
        setp.gt.u32 q, n, 6;
        @q bra OUT;
        MIDDLE:
        add.u32 m, m, a;
        setp.lt.u32 r, m, 20;
        @r bra TOP;
        add.u32 n, n, 100;
        OUT:
        st.global.v2.u32 [out], {n, m};""", numbers)
    case("arms_that_share_an_end", 4, 4, """
        .reg .u32 a, b;
        .reg .pred p, q, r;
        ld.global.u32 a, [in];
        setp.eq.u32 p, a, 1;
        setp.eq.u32 q, a, 2;
        setp.lt.u32 r, a, 6;
        @p bra X;
        @q bra Y;
        @!r bra SHARED;
        mov.u32 b, 3;
        bra Z;
        X: mov.u32 b, 1;
        bra SHARED;
        Y: mov.u32 b, 2;
        bra Z;
        SHARED: add.u32 b, a, 50;
        Z:
        st.global.u32 [out], b;""", numbers)
    case("narrow_memory", 8, 64, """
        .reg .u32 a, b, c;
        .reg .s32 d, e;
        .reg .u64 f;
        .reg .s64 g, h;
        .reg .b16 i, j, k;
        ld.global.u8 a, [in];
        ld.global.s8 d, [in+1];
        ld.global.u16 b, [in+2];
        ld.global.s16 e, [in+4];
        ld.global.u8 f, [in+6];
        ld.global.s8 g, [in+7];
        ld.global.s16 h, [in+6];
        ld.global.b8 i, [in+3];
        ld.global.s8 j, [in+3];
        ld.global.u16 k, [in+6];
        st.global.u32 [out], a;
        st.global.s32 [out+4], d;
        st.global.u32 [out+8], b;
        st.global.s32 [out+12], e;
        st.global.u64 [out+16], f;
        st.global.s64 [out+24], g;
        st.global.s64 [out+32], h;
        st.global.b16 [out+40], i;
        st.global.b16 [out+42], j;
        st.global.b16 [out+44], k;
        st.global.u8 [out+46], h;
        st.global.u8 [out+47], a;
        ld.global.s32 g, [in+4];
        st.global.u16 [out+48], g;
        cvt.u32.u8 c, e;
        st.global.u32 [out+52], c;
        cvt.s32.s8 d, b;
        st.global.s32 [out+56], d;
        cvt.u16.u8 i, k;
        st.global.b16 [out+60], i;""", doubles(0x8081F07F80FF7F80, 0x0102030405060708, 0xFFFEFDFCFBFAF9F8))
    case("hints", 16, 32, """
        .reg .u32 a, b, c, d;
        .reg .u64 policy, other;
        .reg .f32 x, y;
        .reg .pred p;
        createpolicy.fractional.L2::evict_last.b64 policy, 0f3F800000;
        createpolicy.range.global.L2::evict_last.L2::evict_first.b64 other, [in], 16, 32;
        createpolicy.cvt.L2.b64 other, 0;
        prefetch.global.L2 [in];
        prefetchu.L1 [in];
        applypriority.global.L2::evict_normal [%0], 128;
        ldu.global.v2.u32 {a, b}, [in];
        ld.global.L1::no_allocate.L2::cache_hint.u32 c, [in+8], policy;
        ld.volatile.global.u32 d, [in+12];
        st.global.cs.v2.u32 [out], {a, b};
        st.volatile.global.u32 [out+8], c;
        st.global.L2::cache_hint.u32 [out+12], d, policy;
        membar.cta;
        fence.acq_rel.cta;
        fence.acquire.gpu;
        fence.release.cluster;
        membar.sys;
        ld.relaxed.cluster.global.u32 a, [in];
        ld.acquire.sys.global.u32 b, [in+4];
        st.release.cta.global.u32 [out+16], a;
        st.relaxed.cluster.global.u32 [out+20], b;
        ld.mmio.relaxed.sys.global.u32 c, [in+8];
        st.mmio.relaxed.sys.global.u32 [out+24], c;
        nanosleep.u32 20;
        pmevent 3;
        setp.ne.u32 p, a, a; @p brkpt;
        ld.global.nc.cg.u32 d, [in+12];
        st.global.wt.u32 [out+28], d;
        discard.global.L2 [%0], 128;""", words(*range(8)))
    case("places", 4, 40, """
        .reg .u32 a, b, c, d;
        .reg .v4 .u32 v;
        mov.u32 a, %laneid;
        mov.u32 b, %warpid;
        mov.u32 c, %ntid.x;
        mov.u32 d, %lanemask_lt;
        st.global.u32 [out], a;
        st.global.u32 [out+4], b;
        st.global.u32 [out+8], c;
        st.global.u32 [out+12], d;
        mov.u32 a, %lanemask_eq;
        mov.u32 b, %lanemask_le;
        mov.u32 c, %lanemask_gt;
        mov.u32 d, %lanemask_ge;
        st.global.u32 [out+16], a;
        st.global.u32 [out+20], b;
        st.global.u32 [out+24], c;
        st.global.u32 [out+28], d;
        mov.v4.u32 v, %ctaid;
        mov.u32 b, %nctaid.y;
        add.u32 a, v.x, b;
        mov.u32 b, %tid.z;
        st.global.v2.u32 [out+32], {a, b};""", words(*range(40)))
    # The interpreter has one scope; what this one has to write is worked out by hand.
    text = """
        .reg .u32 n, m;
        .reg .pred p;
        mov.u32 n, 0;
        mov.u32 m, 0;
        {
        L: add.u32 n, n, 2;
        setp.lt.u32 p, n, 5;
        @p bra L;
        @!p bra OUT;
        add.u32 n, n, 100;
        OUT:
        }
        {
        .reg .u32 n;
        mov.u32 n, 9;
        L: add.u32 m, m, n;
        setp.lt.u32 p, m, 20;
        @p bra L;
        bra OUT;
        add.u32 m, m, 100;
        OUT: add.u32 m, m, 1;
        }
        st.global.v2.u32 [%1], {n, m};"""
    name = "labels_of_scopes"
    CASES.append({"name": name, "source": source(name, text), "input": words(0).hex(), "output": words(6, 28).hex(),
                  "threads": 1})
