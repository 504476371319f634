"""Kernels whose lanes meet in ways that are seldom seen, and atomic instructions of every type."""

import struct

from case import case, floats, words


def warps() -> None:
    numbers = words(*[(at * 2654435761 + 12345) & 0xFFFFFFFF for at in range(64)])
    case("lanes_without_a_mask", 4, 44, """
        .reg .u32 a, b, c;
        .reg .pred p, q;
        ld.global.u32 a, [in];
        shfl.up.b32 b, a, 1, 0;
        st.global.u32 [out], b;
        shfl.down.b32 b|p, a, 3, 0x1f;
        selp.u32 c, 1, 0, p;
        st.global.u32 [out+4], b;
        st.global.u32 [out+8], c;
        shfl.bfly.b32 b, a, 5, 0x1f;
        st.global.u32 [out+12], b;
        shfl.idx.b32 b|p, a, 9, 0x1807;
        selp.u32 c, 1, 0, p;
        st.global.u32 [out+16], b;
        st.global.u32 [out+20], c;
        setp.gt.s32 p, a, 0;
        vote.ballot.b32 b, p;
        st.global.u32 [out+24], b;
        vote.all.pred q, p;
        selp.u32 c, 1, 0, q;
        st.global.u32 [out+28], c;
        vote.any.pred q, !p;
        selp.u32 c, 1, 0, q;
        st.global.u32 [out+32], c;
        vote.uni.pred q, p;
        selp.u32 c, 1, 0, q;
        st.global.u32 [out+36], c;
        vote.sync.uni.pred q, p, 0xffffffff;
        selp.u32 c, 1, 0, q;
        st.global.u32 [out+40], c;""", numbers)
    case("segments", 4, 32, """
        .reg .u32 a, b, c, control;
        .reg .pred p;
        ld.global.u32 a, [in];
        shfl.sync.up.b32 b|p, a, 2, 0x1800, -1;
        selp.u32 c, 1, 0, p;
        st.global.v2.u32 [out], {b, c};
        shfl.sync.down.b32 b|p, a, 2, 0x1807, -1;
        selp.u32 c, 1, 0, p;
        st.global.v2.u32 [out+8], {b, c};
        shfl.sync.bfly.b32 b|p, a, 12, 0x1c03, -1;
        selp.u32 c, 1, 0, p;
        st.global.v2.u32 [out+16], {b, c};
        and.b32 control, t, 0;
        or.b32 control, control, 0x100f;
        shfl.sync.idx.b32 b|p, a, 37, control, 0xffffffff;
        selp.u32 c, 1, 0, p;
        st.global.v2.u32 [out+24], {b, c};""", numbers)
    case("reductions_of_a_warp", 4, 68, """
        .reg .u32 a, b, small;
        .reg .u64 wide;
        .reg .f32 x, y;
        .reg .pred p;
        ld.global.u32 a, [in];
        redux.sync.and.b32 b, a, 0xffffffff;
        st.global.u32 [out], b;
        redux.sync.or.b32 b, a, 0xffffffff;
        st.global.u32 [out+4], b;
        redux.sync.xor.b32 b, a, 0xffffffff;
        st.global.u32 [out+8], b;
        redux.sync.add.s32 b, a, 0xffffffff;
        st.global.u32 [out+12], b;
        redux.sync.min.s32 b, a, 0xffffffff;
        st.global.u32 [out+16], b;
        redux.sync.max.u32 b, a, 0xffffffff;
        st.global.u32 [out+20], b;
        and.b32 small, a, 3;
        match.any.sync.b32 b, small, 0xffffffff;
        st.global.u32 [out+24], b;
        cvt.u64.u32 wide, small;
        match.any.sync.b64 b, wide, 0xffffffff;
        st.global.u32 [out+28], b;
        match.all.sync.b32 b|p, small, 0xffffffff;
        selp.u32 small, 1, 0, p;
        st.global.u32 [out+32], b;
        st.global.u32 [out+36], small;
        match.all.sync.b64 b|p, 5, 0xffffffff;
        st.global.u32 [out+40], b;
        elect.sync b|p, 0xffffffff;
        selp.u32 small, 1, 0, p;
        st.global.u32 [out+44], b;
        st.global.u32 [out+48], small;
        cvt.rn.f32.s32 x, a;
        redux.sync.min.f32 y, x, 0xffffffff;
        st.global.f32 [out+52], y;
        redux.sync.max.abs.f32 y, x, 0xffffffff;
        st.global.f32 [out+56], y;
        redux.sync.max.abs.NaN.f32 y, x, 0xffffffff;
        st.global.f32 [out+60], y;
        bar.warp.sync 0xffffffff;
        activemask.b32 b;
        st.global.u32 [out+64], b;""", numbers)
    reductions = [f"{how}.{kind}" for how, kind in (
        ("add", "u32"), ("add", "s32"), ("min", "u32"), ("min", "s32"), ("max", "u32"), ("max", "s32"), ("and", "b32"),
        ("or", "b32"), ("xor", "b32"))]
    reductions += [f"{how}{part}.f32" for how in ("min", "max") for part in ("", ".abs", ".NaN", ".abs.NaN")]
    parts = ["0x49249249", "0xb6db6db6"]
    reduced = ["\n".join(
        f"redux.sync.{form} {'y, x' if 'f32' in form else 'b, a'}, {mask};\n"
        f"st.global.b32 [out+{4 * at}], {'y' if 'f32' in form else 'b'};"
        for at, form in enumerate(reductions)) for mask in parts]
    case("reductions_of_parts", 4, 4 * len(reductions), f"""
        .reg .u32 a, b, third;
        .reg .f32 x, y;
        .reg .pred p;
        ld.global.u32 a, [in];
        ld.global.f32 x, [in];
        rem.u32 third, t, 32;
        rem.u32 third, third, 3;
        setp.eq.u32 p, third, 0;
        @!p bra OTHERS;
        {reduced[0]}
        bra.uni END;
        OTHERS:
        {reduced[1]}
        END:""", numbers[:120] + words(0x7FC00000, 0x80000000) + numbers[120:248] + words(0))
    case("one_lane_and_two", 4, 12, """
        .reg .u32 a, b, mask;
        .reg .f32 x, y;
        ld.global.u32 a, [in];
        ld.global.f32 x, [in];
        shl.b32 mask, 1, t;
        redux.sync.add.s32 b, a, mask;
        redux.sync.min.f32 y, x, mask;
        st.global.u32 [out], b;
        st.global.f32 [out+4], y;
        and.b32 b, t, 0x1e;
        shl.b32 mask, 3, b;
        redux.sync.max.s32 b, a, mask;
        st.global.u32 [out+8], b;""", numbers[:120] + words(0x7FC00001, 0x80000000))
    case("named_barriers", 4, 32, """
        .reg .u32 a, b, id;
        .reg .pred p, q;
        ld.global.u32 a, [in];
        setp.gt.s32 p, a, 0;
        bar.sync 1;
        bar.cta.sync 2;
        barrier.sync 3;
        barrier.sync.aligned 4;
        barrier.cta.sync 5;
        barrier.cta.sync.aligned 6;
        mov.u32 id, 7;
        bar.sync id;
        mov.u32 id, %warpid;
        add.u32 id, id, 8;
        bar.sync id, 32;
        bar.arrive 14, 32;
        barrier.cta.arrive.aligned 15, 32;
        bar.red.popc.u32 b, 1, p;
        st.global.u32 [out], b;
        bar.cta.red.popc.u32 b, 2, !p;
        st.global.u32 [out+4], b;
        barrier.red.popc.aligned.u32 b, 3, p;
        st.global.u32 [out+8], b;
        barrier.cta.red.and.pred q, 4, p;
        selp.u32 b, 1, 0, q;
        st.global.u32 [out+12], b;
        bar.red.or.pred q, 0, p;
        selp.u32 b, 1, 0, q;
        st.global.u32 [out+16], b;
        bar.red.popc.u32 b, 9, 32, p;
        st.global.u32 [out+20], b;
        bar.red.or.pred q, 9, 32, !p;
        selp.u32 b, 1, 0, q;
        st.global.v2.u32 [out+24], {b, 5};""", numbers)
    pairs = []
    for kind, size, names in (
        ("u32", 4, "add min max inc dec"), ("s32", 4, "add min max"), ("b32", 4, "and or xor exch"),
        ("u64", 8, "add min max"), ("s64", 8, "min max"), ("b64", 8, "and or xor exch"),
    ):
        for name in names.split():
            pairs.append((kind, size, name))
    body = [".reg .u64 wide, at, own;", ".reg .u32 small, old;", ".reg .u64 before;",
            "ld.global.u64 wide, [in];", "cvt.u32.u64 small, wide;"]
    place = 0
    for at, (kind, size, name) in enumerate(pairs):
        value, old = ("small", "old") if size == 4 else ("wide", "before")
        body += [f"st.global.b{size * 8} [out+{place}], {0x0102030480000005 if size == 8 else 0x80000005};",
                 f"atom.global.{name}.{kind} {old}, [out+{place}], {value};",
                 f"st.global.b{size * 8} [out+{place + 8}], {old};"]
        if name != "exch":
            body.append(f"red.global.{name}.{kind} [out+{place}], {value};")
        place += 16
    body += [f"st.global.b32 [out+{place}], 7;", f"atom.global.cas.b32 old, [out+{place}], 7, small;",
             f"st.global.u32 [out+{place + 4}], old;", f"st.global.b64 [out+{place + 8}], 9;",
             f"atom.global.cas.b64 before, [out+{place + 8}], 9, wide;", f"st.global.u64 [out+{place + 16}], before;"]
    place += 24
    body += [".reg .b16 half, was;", "cvt.u16.u64 half, wide;", f"st.global.b32 [out+{place}], 0x00070008;",
             f"atom.global.cas.b16 was, [out+{place + 2}], 7, half;", f"st.global.b16 [out+{place + 4}], was;",
             f"atom.global.cas.b16 was, [out+{place}], 7, half;", f"st.global.b16 [out+{place + 6}], was;"]
    place += 8
    case("every_atomic", 8, place, "\n".join(body), words(1, 2, 0xFFFFFFFF, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 0, 0))
    case("atomics_of_vectors", 16, 64, """
        .reg .f32 a, b, c, d, e, f;
        .reg .b32 pair, old;
        .reg .b16 half, was;
        ld.global.v4.f32 {a, b, c, d}, [in];
        st.global.v4.f32 [out], {a, b, c, d};
        atom.global.v2.f32.add {e, f}, [out], {c, d};
        st.global.v2.f32 [out+16], {e, f};
        red.global.add.v4.f32 [out], {a, b, c, d};
        mov.b32 pair, 0x3C004000;
        mov.b16 half, 0x3C00;
        st.global.b32 [out+24], pair;
        atom.global.add.noftz.f16x2 old, [out+24], pair;
        st.global.b32 [out+28], old;
        st.global.b16 [out+32], half;
        atom.global.add.noftz.f16 was, [out+32], half;
        st.global.b16 [out+34], was;
        st.global.v2.b32 [out+40], {pair, old};
        red.global.v2.f16x2.add.noftz [out+40], {pair, pair};
        atom.acq_rel.gpu.global.add.f32 e, [out], 0f3F800000;
        atom.relaxed.cluster.global.add.f32 f, [out+4], 0f3F800000;
        st.global.v2.f32 [out+48], {e, f};""", floats(1.0, 2.5, -3.0, 0.25, 7.0, 8.0, 1e10, -1.0))
    case("cut_copies", 16, 32, """
        .shared .align 16 .b8 space[1024];
        .reg .u32 to, a, b, c, d, offset;
        .reg .pred p;
        shl.b32 offset, t, 4;
        mov.u32 to, space;
        add.u32 to, to, offset;
        cp.async.ca.shared.global [to], [in], 16, 8;
        cp.async.commit_group;
        cp.async.wait_all;
        ld.shared.v4.u32 {a, b, c, d}, [to];
        st.global.v4.u32 [out], {a, b, c, d};
        cp.async.cg.shared.global.L2::128B [to], [in], 16;
        cp.async.commit_group;
        cp.async.wait_group 0;
        ld.shared.v4.u32 {a, b, c, d}, [to];
        st.global.v4.u32 [out+16], {a, b, c, d};""", words(*range(1, 17)))
    case("logic_with_a_predicate", 12, 24, """
        .reg .u32 a, b, c, d, e;
        .reg .pred p, q, r;
        ld.global.u32 a, [in];
        ld.global.u32 b, [in+4];
        ld.global.u32 c, [in+8];
        setp.gt.u32 q, a, 1;
        lop3.and.b32 d|p, a, b, c, 0x80, q;
        selp.u32 e, 1, 0, p;
        st.global.v2.u32 [out], {d, e};
        lop3.or.b32 _|p, a, b, c, 0x96, !q;
        selp.u32 e, 1, 0, p;
        st.global.u32 [out+8], e;
        fns.b32 d, a, 0, 2;
        fns.b32 e, a, 31, -1;
        st.global.u32 [out+12], d;
        st.global.u32 [out+16], e;""",
        words(0, 0, 0, 7, 7, 7, 1, 2, 4, 0xF0F0F0F0, 0xFFFFFFFF, 0x80000001, 0xAAAAAAAA, 1, 0x10))
    case("approximate_doubles", 8, 16, """
        .reg .f64 a, b;
        .reg .f32 x, y;
        ld.global.f64 a, [in];
        rcp.approx.ftz.f64 b, a;
        cvt.rn.f32.f64 x, b;
        rsqrt.approx.f64 b, a;
        cvt.rn.f32.f64 y, b;
        st.global.f32 [out], x;
        st.global.f32 [out+4], y;""", struct.pack("<4d", 1.0, 2.0, 3.5, 100.0),
        tolerance=0.0001)
