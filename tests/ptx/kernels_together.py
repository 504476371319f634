"""Kernels whose threads meet."""

from case import case, words


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
        vote.any.sync.pred q, p, 0xffffffff;
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
    case("local_memory", 4, 8, """
        .local .align 4 .b32 slots[8];
        .reg .u32 a, i, sum, one;
        .reg .u64 base, place;
        .reg .pred p;
        ld.global.u32 a, [in];
        mov.u64 base, slots;
        mov.u32 i, 0;
        FILL:
        mul.wide.u32 place, i, 4;
        add.u64 place, base, place;
        mul.lo.u32 one, i, a;
        st.local.u32 [place], one;
        add.u32 i, i, 1;
        setp.lt.u32 p, i, 8;
        @p bra FILL;
        and.b32 i, a, 7;
        mul.wide.u32 place, i, 4;
        add.u64 place, base, place;
        ld.local.u32 sum, [place];
        ld.local.u32 one, [base+28];
        st.global.v2.u32 [out], {sum, one};""", words(1, 2, 3, 12, 0xFFFFFFFF, 0x10000005))
    case("copies", 16, 16, """
        .shared .align 16 .b8 buffer[512];
        .reg .u32 place, other, a, b, c, d;
        mov.u32 place, buffer;
        mad.lo.u32 place, t, 16, place;
        cp.async.ca.shared.global [place], [in], 16;
        cp.async.commit_group;
        cp.async.wait_group 0;
        bar.sync 0;
        xor.b32 other, place, 16;
        ld.shared.v4.u32 {a, b, c, d}, [other];
        st.global.v4.u32 [out], {d, a, c, b};""", words(*range(100, 228)))
    case("orders", 4, 16, """
        .reg .u32 a, b, c, d;
        ld.relaxed.gpu.global.u32 a, [in];
        st.relaxed.gpu.global.u32 [out], a;
        fence.acq_rel.gpu;
        ld.acquire.gpu.global.u32 b, [out];
        st.release.sys.global.u32 [out+4], b;
        membar.gl;
        ld.volatile.global.u32 c, [out+4];
        st.volatile.global.u32 [out+8], c;
        fence.sc.sys;
        red.release.gpu.global.add.u32 [out+12], c;
        atom.acq_rel.gpu.global.exch.b32 d, [out], 5;
        red.relaxed.cta.global.max.u32 [out], d;""", numbers)
    case("turns", 4, 8, """
        .reg .u32 a, turn, next;
        .reg .u64 lock;
        .reg .pred p;
        ld.global.u32 a, [in];
        add.u64 lock, %1, 4;
        WAIT:
        ld.volatile.global.u32 turn, [lock];
        setp.ne.u32 p, turn, t;
        @p bra WAIT;
        membar.gl;
        mad.lo.u32 a, t, 3, a;
        st.global.u32 [out], a;
        add.u32 next, t, 1;
        membar.gl;
        st.volatile.global.u32 [lock], next;""", words(*range(50, 66)))
    case("half_of_a_warp", 4, 8, """
        .reg .u32 a, b, c;
        .reg .pred p, q;
        ld.global.u32 a, [in];
        mov.u32 b, 0;
        mov.u32 c, 0;
        setp.lt.u32 p, t, 16;
        @!p bra OTHERS;
        shfl.sync.bfly.b32 b, a, 1, 0x1f, 0xffff;
        setp.gt.s32 q, b, 0;
        vote.sync.ballot.b32 c, q, 0xffff;
        bra.uni END;
        OTHERS:
        redux.sync.max.u32 b, a, 0xffff0000;
        match.any.sync.b32 c, t, 0xffff0000;
        END:
        st.global.v2.u32 [out], {b, c};""", numbers[:128])
