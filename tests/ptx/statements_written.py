"""Statements that read or write memory, or in which threads meet: instructions, text, constraints of results and of operands.

`OP` is the instruction, `p` in constraints an address of global memory. Predicates `p` and `q` are declared where a text
has them.
"""

from __future__ import annotations


def condition(name: str, place: str) -> str:
    """What sets a predicate from a float. Compilers turn conditions on integers round, or make arithmetic of them."""
    return f"setp.gt.f32 {name}, {place}, 0f3F800000;"


PREDICATE = "selp.u32 %0, 1, 0, p;"
FROM = condition("p", "%1") + " "
WIDTHS = {"16": "h", "32": "r", "64": "l"}

WRITTEN: list[tuple[str, str, str, str]] = [
    ("fns.b32", "OP %0, %1, %2, %3;", "r", "rrr"),
    ("rcp.approx.ftz.f64 rsqrt.approx.f64 rsqrt.approx.ftz.f64", "OP %0, %1;", "d", "d"),
    ("isspacep.shared isspacep.shared::cta isspacep.global isspacep.local", f"OP p, %1; {PREDICATE}", "r", "l"),
    ("lop3.and.b32 lop3.or.b32", condition("q", "%5") + " OP %0|p, %2, %3, %4, 0x96, q; selp.u32 %1, 1, 0, p;", "rr",
     "rrrf"),
    # Moves.
    ("mov.b16 mov.u16 mov.s16 mov.f16 mov.bf16", "OP %0, %1;", "h", "h"),
    ("mov.b32 mov.u32 mov.s32 mov.f16x2 mov.bf16x2", "OP %0, %1;", "r", "r"),
    ("mov.b64 mov.u64 mov.s64", "OP %0, %1;", "l", "l"),
    ("mov.f32 mov.b32", "OP %0, %1;", "f", "f"),
    ("mov.f64 mov.b64", "OP %0, %1;", "d", "d"),
    ("mov.b32", "OP %0, %1;", "r", "f"),
    ("mov.b64", "OP %0, %1;", "l", "d"),
    ("mov.b32", "OP %0, {%1, %2};", "r", "hh"),
    ("mov.b32", "OP {%0, %1}, %2;", "hh", "r"),
    ("mov.b64", "OP %0, {%1, %2};", "l", "rr"),
    ("mov.b64", "OP {%0, %1}, %2;", "rr", "l"),
    ("mov.pred", condition("q", "%1") + f" OP p, q; {PREDICATE}", "r", "f"),
    # Fences, barriers and what ends threads. `fence.acquire` and `fence.release` are for sm_90: the assembler takes them for
    # older ones, and makes something that is no instruction.
    ("membar.cta membar.gl membar.sys fence.sc.cta fence.acq_rel.cta fence.sc.gpu fence.acq_rel.gpu fence.sc.sys "
     "fence.acq_rel.sys fence.acq_rel.cluster", "OP;", "", ""),
    ("bar.sync barrier.sync barrier.sync.aligned barrier.cta.sync barrier.cta.sync.aligned bar.cta.sync", "OP 0;", "", ""),
    ("bar.sync barrier.sync barrier.cta.sync", "OP 1, 64;", "", ""),
    ("bar.sync", "OP %0;", "", "r"),
    ("bar.sync", "OP %0, %1;", "", "rr"),
    ("bar.arrive barrier.arrive barrier.arrive.aligned bar.cta.arrive", "OP 1, 64;", "", ""),
    ("bar.red.popc.u32 barrier.red.popc.aligned.u32 bar.cta.red.popc.u32 barrier.cta.red.popc.aligned.u32",
     f"{FROM}OP %0, 0, p;", "r", "f"),
    ("bar.red.and.pred bar.red.or.pred barrier.cta.red.or.aligned.pred", f"{FROM}OP q, 0, p; selp.u32 %0, 1, 0, q;", "r", "f"),
    ("bar.warp.sync", "OP %0;", "", "r"),
    ("bar.warp.sync", "OP 0xffffffff;", "", ""),
    ("trap brkpt exit ret ret.uni griddepcontrol.wait griddepcontrol.launch_dependents", "OP;", "", ""),
    ("pmevent", "OP 1;", "", ""),
    ("pmevent.mask", "OP 3;", "", ""),
    ("nanosleep.u32", "OP %0;", "", "r"),
    ("nanosleep.u32", "OP 100;", "", ""),
    ("setmaxnreg.inc.sync.aligned.u32", "OP 128;", "", ""),
    # Lanes of a warp.
    ("vote.sync.ballot.b32 vote.ballot.sync.b32", f"{FROM}OP %0, p, %2;", "r", "fr"),
    ("vote.sync.all.pred vote.sync.any.pred vote.sync.uni.pred vote.all.sync.pred vote.any.sync.pred vote.uni.sync.pred",
     f"{FROM}OP q, p, %2; selp.u32 %0, 1, 0, q;", "r", "fr"),
    ("vote.ballot.b32", f"{FROM}OP %0, p;", "r", "f"),
    ("vote.all.pred vote.any.pred vote.uni.pred", f"{FROM}OP q, p; selp.u32 %0, 1, 0, q;", "r", "f"),
    ("activemask.b32", "OP %0;", "r", ""),
    ("shfl.sync.up.b32 shfl.sync.down.b32 shfl.sync.bfly.b32 shfl.sync.idx.b32", "OP %0, %1, %2, %3, %4;", "r", "rrrr"),
    ("shfl.sync.up.b32", "OP %0, %1, %2, 0, 0xffffffff;", "r", "rr"),
    ("shfl.sync.down.b32 shfl.sync.bfly.b32 shfl.sync.idx.b32", "OP %0, %1, %2, 0x1f, 0xffffffff;", "r", "rr"),
    ("shfl.sync.up.b32 shfl.sync.down.b32 shfl.sync.bfly.b32 shfl.sync.idx.b32",
     "OP %0|p, %2, %3, %4, %5; selp.u32 %1, 1, 0, p;", "rr", "rrrr"),
    ("shfl.up.b32 shfl.down.b32 shfl.bfly.b32 shfl.idx.b32", "OP %0, %1, %2, %3;", "r", "rrr"),
    ("redux.sync.add.u32 redux.sync.add.s32 redux.sync.min.u32 redux.sync.min.s32 redux.sync.max.u32 redux.sync.max.s32 "
     "redux.sync.and.b32 redux.sync.or.b32 redux.sync.xor.b32 match.any.sync.b32", "OP %0, %1, %2;", "r", "rr"),
    ("redux.sync.min.f32 redux.sync.max.abs.NaN.f32", "OP %0, %1, %2;", "f", "fr"),
    ("match.any.sync.b64", "OP %0, %1, %2;", "r", "lr"),
    ("match.all.sync.b32", "OP %0|p, %2, %3; selp.u32 %1, 1, 0, p;", "rr", "rr"),
    ("match.all.sync.b64", "OP %0|p, %2, %3; selp.u32 %1, 1, 0, p;", "rr", "lr"),
    ("elect.sync", "OP %0|p, %2; selp.u32 %1, 1, 0, p;", "rr", "r"),
    # Addresses.
    ("cvta.to.global.u64 cvta.to.local.u64 cvta.to.const.u64 cvta.global.u64 cvta.local.u64 cvta.const.u64 cvta.to.shared.u64 "
     "cvta.to.shared::cta.u64 cvta.shared.u64 cvta.shared::cta.u64", "OP %0, %1;", "l", "l"),
    ("createpolicy.fractional.L2::evict_last.b64", "OP %0, 1.0;", "l", ""),
    ("createpolicy.range.global.L2::evict_first.b64", "OP %0, [%1], 128, 256;", "l", "p"),
    ("createpolicy.cvt.L2.b64", "OP %0, %1;", "l", "l"),
    # Copies and hints.
    ("prefetch.global.L1 prefetch.global.L2 prefetch.global.L2::evict_last applypriority.global.L2::evict_normal "
     "discard.global.L2 prefetchu.L1", "OP [%0];", "", "p"),
    ("cp.async.ca.shared.global cp.async.ca.shared::cta.global", "OP [%0], [%1], 4;", "", "rp"),
    ("cp.async.ca.shared.global cp.async.cg.shared.global cp.async.cg.shared.global.L2::128B", "OP [%0], [%1], 16;", "", "rp"),
    ("cp.async.cg.shared.global", "OP [%0], [%1], 16, %2;", "", "rpr"),
    ("cp.async.commit_group cp.async.wait_all", "OP;", "", ""),
    ("cp.async.wait_group", "OP 0;", "", ""),
    # Matrices.
    ("ldmatrix.sync.aligned.m8n8.x4.shared.b16 ldmatrix.sync.aligned.x4.m8n8.shared.b16", "OP {%0, %1, %2, %3}, [%4];",
     "rrrr", "r"),
    ("stmatrix.sync.aligned.m8n8.x2.shared.b16", "OP [%0], {%1, %2};", "", "rrr"),
    ("movmatrix.sync.aligned.m8n8.trans.b16", "OP %0, %1;", "r", "r"),
    ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
     "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
     "OP {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};", "ffff", "rrrrrrffff"),
    ("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
     "OP {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};", "ffff", "rrrrrrffff"),
    ("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32.satfinite "
     "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32",
     "OP {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};", "rrrr", "rrrrrrrrrr"),
    ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "OP {%0, %1}, {%2}, {%3}, {%4, %5};", "dd", "dddd"),
]


def memory() -> None:
    """Loads, stores and atomic instructions, by space, type and whatever else they say."""
    spaces = (("", "p"), (".global", "p"), (".shared", "r"))
    kinds = [("u8", "h"), ("s8", "h"), ("b8", "h"), ("f32", "f"), ("f64", "d")]
    kinds += [(letter + width, WIDTHS[width]) for letter in "usb" for width in WIDTHS]
    for space, address in spaces:
        for kind, constraint in kinds:
            WRITTEN.append((f"ld{space}.{kind}", "OP %0, [%1];", constraint, address))
            WRITTEN.append((f"st{space}.{kind}", "OP [%0], %1;", "", address + constraint))
        for kind, constraint in (("u32", "r"), ("f32", "f"), ("u64", "l"), ("f64", "d"), ("b16", "h")):
            WRITTEN.append((f"ld{space}.v2.{kind}", "OP {%0, %1}, [%2];", constraint * 2, address))
            WRITTEN.append((f"st{space}.v2.{kind}", "OP [%0], {%1, %2};", "", address + constraint * 2))
        for kind, constraint in (("u32", "r"), ("f32", "f"), ("b16", "h")):
            WRITTEN.append((f"ld{space}.v4.{kind}", "OP {%0, %1, %2, %3}, [%4];", constraint * 4, address))
            WRITTEN.append((f"st{space}.v4.{kind}", "OP [%0], {%1, %2, %3, %4};", "", address + constraint * 4))
        WRITTEN.append((f"ld.volatile{space}.u32", "OP %0, [%1];", "r", address))
        WRITTEN.append((f"st.volatile{space}.u32", "OP [%0], %1;", "", address + "r"))
    for hint in (
        "global.ca", "global.cg", "global.cs", "global.lu", "global.cv", "global.nc", "global.L1::no_allocate",
        "global.nc.L1::no_allocate", "global.nc.L1::no_allocate.L2::128B", "global.L2::128B",
    ):
        WRITTEN.append((f"ld.{hint}.u32", "OP %0, [%1];", "r", "p"))
        WRITTEN.append((f"ld.{hint}.v4.f32", "OP {%0, %1, %2, %3}, [%4];", "ffff", "p"))
    for hint in ("global.wb", "global.cg", "global.cs", "global.wt", "global.L1::no_allocate"):
        WRITTEN.append((f"st.{hint}.u32", "OP [%0], %1;", "", "pr"))
        WRITTEN.append((f"st.{hint}.v4.f32", "OP [%0], {%1, %2, %3, %4};", "", "pffff"))
    WRITTEN.append(("ldu.global.u32", "OP %0, [%1];", "r", "p"))
    for scope in ("cta", "gpu", "sys"):
        for order in ("relaxed", "acquire"):
            WRITTEN.append((f"ld.{order}.{scope}.global.u32", "OP %0, [%1];", "r", "p"))
        for order in ("relaxed", "release"):
            WRITTEN.append((f"st.{order}.{scope}.global.u32", "OP [%0], %1;", "", "pr"))
    whole = [(f"{how}.u{width}", WIDTHS[width]) for how in ("add", "min", "max") for width in ("32", "64")]
    whole += [(f"{how}.s{width}", WIDTHS[width]) for how in ("min", "max") for width in ("32", "64")]
    whole += [(f"{how}.b{width}", WIDTHS[width]) for how in ("and", "or", "xor") for width in ("32", "64")]
    whole += [("add.s32", "r"), ("inc.u32", "r"), ("dec.u32", "r"), ("add.f32", "f"), ("add.f64", "d"),
              ("add.noftz.f16x2", "r")]
    for space, address in spaces:
        for how, constraint in whole:
            WRITTEN.append((f"atom{space}.{how}", "OP %0, [%1], %2;", constraint, address + constraint))
            WRITTEN.append((f"red{space}.{how}", "OP [%0], %1;", "", address + constraint))
        for width in ("32", "64"):
            constraint = WIDTHS[width]
            WRITTEN.append((f"atom{space}.exch.b{width}", "OP %0, [%1], %2;", constraint, address + constraint))
            WRITTEN.append((f"atom{space}.cas.b{width}", "OP %0, [%1], %2, %3;", constraint, address + constraint * 2))
    for order in ("relaxed", "acquire", "release", "acq_rel"):
        for scope in ("cta", "gpu", "sys"):
            WRITTEN.append((f"atom.{order}.{scope}.global.add.u32", "OP %0, [%1], %2;", "r", "pr"))
            if order in ("relaxed", "release"):
                WRITTEN.append((f"red.{order}.{scope}.global.add.u32", "OP [%0], %1;", "", "pr"))


memory()
