"""Kernels that compare and branch."""

from case import FLOAT_PAIRS, NAN, PAIRS, case, floats, words


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
