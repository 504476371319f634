"""The forms of instructions from values to one value, as the ISA lists them."""

from forms import add, forms
from machine import type_width

INTEGERS = [sign + bits for sign in "us" for bits in ("16", "32", "64")]
UNORDERED = "equ neu ltu leu gtu geu num nan".split()
ORDERED = "eq ne lt le gt ge".split()
MODES = ["rn", "rz", "rm", "rp"]


def integers() -> None:
    for kind in INTEGERS:
        for name in ("add", "sub", "min", "max", "mul.lo", "mul.hi"):
            add(f"{name}.{kind}", kind, kind, kind)
        for name in ("mad.lo", "mad.hi", "sad"):
            add(f"{name}.{kind}", kind, kind, kind, kind)
        for name in ("div", "rem"):
            add(f"{name}.{kind}", kind, kind, f"{kind}!")
        if kind[1:] != "64":
            wide = kind[0] + str(int(kind[1:]) * 2)
            add(f"mul.wide.{kind}", wide, kind, kind)
            add(f"mad.wide.{kind}", wide, kind, kind, wide)
        if kind[0] == "s":
            add(f"abs.{kind}", kind, kind)
            add(f"neg.{kind}", kind, kind)
    for kind in ("u16x2", "s16x2"):
        for name in ("add", "min", "max"):
            add(f"{name}.{kind}", kind, "u32", "u32")
    for name in ("min", "max"):
        add(f"{name}.relu.s16x2", "u32", "u32", "u32")
        add(f"{name}.relu.s32", "s32", "s32", "s32")
    for name in ("add", "sub"):
        add(f"{name}.sat.s32", "s32", "s32", "s32")
    add("mad.hi.sat.s32", "s32", "s32", "s32", "s32")
    add("mad24.hi.sat.s32", "s32", "s32", "s32", "s32")
    for kind in ("u32", "s32"):
        for half in ("lo", "hi"):
            add(f"mul24.{half}.{kind}", kind, kind, kind)
            add(f"mad24.{half}.{kind}", kind, kind, kind, kind)
        for other in ("u32", "s32"):
            add(f"dp4a.{kind}.{other}", "u32", "u32", "u32", "u32")
            for half in ("lo", "hi"):
                add(f"dp2a.{half}.{kind}.{other}", "u32", "u32", "u32", "u32")
    for kind in ("u32", "s32", "b32", "u64", "s64", "b64"):
        for name in ("add.cc", "addc.cc", "addc", "sub.cc", "subc.cc", "subc"):
            add(f"{name}.{kind}", kind, kind.replace("b", "u"), kind.replace("b", "u"))
        if kind[0] != "b":
            for half in ("lo", "hi"):
                for name in (f"mad.{half}.cc", f"madc.{half}.cc", f"madc.{half}"):
                    add(f"{name}.{kind}", kind, kind, kind, kind)


def bits() -> None:
    for kind in ("b16", "b32", "b64", "pred"):
        for name in ("and", "or", "xor"):
            add(f"{name}.{kind}", kind, kind, kind)
        add(f"not.{kind}", kind, kind)
    for size in ("16", "32", "64"):
        add(f"cnot.b{size}", f"b{size}", f"b{size}")
        for name in ("shl.b", "shr.b", "shr.u", "shr.s"):
            add(f"{name}{size}", f"b{size}", f"b{size}", "amount")
    for kind in ("b32", "b64"):
        for name in ("popc", "clz"):
            add(f"{name}.{kind}", "u32", kind)
        add(f"brev.{kind}", kind, kind)
        add(f"bfi.{kind}", kind, kind, kind, "amount", "amount")
    for kind in ("u32", "s32", "u64", "s64"):
        add(f"bfe.{kind}", kind, kind, "amount", "amount")
        add(f"bfind.{kind}", "u32", kind)
        add(f"bfind.shiftamt.{kind}", "u32", kind)
    for mode in ("clamp", "wrap"):
        add(f"bmsk.{mode}.b32", "b32", "amount", "amount")
        for side in "lr":
            add(f"shf.{side}.{mode}.b32", "b32", "b32", "b32", "amount")
        for kind in ("u32", "s32"):
            add(f"szext.{mode}.{kind}", kind, kind, "amount")
    for table in ("0x1e", "0x96", "0xe8", "0x80", "0xca", "0x00", "0xff"):
        add("lop3.b32", "b32", "b32", "b32", "b32", tail=f", {table}")
    add("prmt.b32", "b32", "b32", "b32", "selector")
    for mode in ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
        add(f"prmt.b32.{mode}", "b32", "b32", "b32", "selector")


def floats() -> None:
    for mode in ("", *(f".{mode}" for mode in MODES)):
        for flush in ("", ".ftz"):
            for limit in ("", ".sat"):
                for name in ("add", "sub", "mul"):
                    add(f"{name}{mode}{flush}{limit}.f32", "f32", "f32", "f32")
                add(f"mad{mode}{flush}{limit}.f32", "f32", "f32", "f32", "f32")
                if mode:
                    add(f"fma{mode}{flush}{limit}.f32", "f32", "f32", "f32", "f32")
            for name in ("add", "sub", "mul"):
                add(f"{name}{mode}{flush}.f32x2", "f32x2", "f32x2", "f32x2")
            if mode:
                add(f"div{mode}{flush}.f32", "f32", "f32", "f32")
                for name in ("rcp", "sqrt"):
                    add(f"{name}{mode}{flush}.f32", "f32", "f32")
                add(f"fma{mode}{flush}.f32x2", "f32x2", "f32x2", "f32x2", "f32x2")
        for name in ("add", "sub", "mul"):
            add(f"{name}{mode}.f64", "f64", "f64", "f64")
        add(f"mad{mode}.f64", "f64", "f64", "f64", "f64")
        if mode:
            add(f"fma{mode}.f64", "f64", "f64", "f64", "f64")
            add(f"div{mode}.f64", "f64", "f64", "f64")
            for name in ("rcp", "sqrt"):
                add(f"{name}{mode}.f64", "f64", "f64")
        for part in ("f16", "bf16"):
            for limit in ("", ".sat"):
                for name in ("add", "sub"):
                    add(f"{name}{mode}{limit}.f32.{part}", "f32", part, "f32")
                if mode:
                    add(f"fma{mode}{limit}.f32.{part}", "f32", part, part, "f32")
    for flush in ("", ".ftz"):
        for name in ("abs", "neg"):
            add(f"{name}{flush}.f32", "f32", "f32")
        for name in ("min", "max"):
            for spread in ("", ".NaN"):
                add(f"{name}{flush}{spread}.f32", "f32", "f32", "f32", "f32")
                add(f"{name}{flush}{spread}.abs.f32", "f32", "f32", "f32", "f32")
                for sign in ("", ".xorsign.abs"):
                    for kind in ("f32", "f16", "f16x2", *(("bf16", "bf16x2") if not flush else ())):
                        add(f"{name}{flush}{spread}{sign}.{kind}", kind, kind, kind)
        for kind in ("f16", "f16x2"):
            for name in ("abs", "neg"):
                add(f"{name}{flush}.{kind}", kind, kind)
            for mode in ("", ".rn"):
                for limit in ("", ".sat"):
                    for name in ("add", "sub", "mul"):
                        add(f"{name}{mode}{flush}{limit}.{kind}", kind, kind, kind)
            for limit in ("", ".sat", ".relu"):
                add(f"fma.rn{flush}{limit}.{kind}", kind, kind, kind, kind)
    for kind in ("bf16", "bf16x2"):
        for name in ("abs", "neg"):
            add(f"{name}.{kind}", kind, kind)
        for mode in ("", ".rn"):
            for name in ("add", "sub", "mul"):
                add(f"{name}{mode}.{kind}", kind, kind, kind)
        for limit in ("", ".relu"):
            add(f"fma.rn{limit}.{kind}", kind, kind, kind, kind)
    for name in ("min", "max"):
        add(f"{name}.f64", "f64", "f64", "f64")
    for kind in ("f32", "f64"):
        add(f"copysign.{kind}", kind, kind, kind)
        for sort in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
            add(f"testp.{sort}.{kind}", "pred", kind)
    for name in ("abs", "neg"):
        add(f"{name}.f64", "f64", "f64")


def comparisons() -> None:
    for kind in [letter + size for letter in "bus" for size in ("16", "32", "64")]:
        names = {"b": ORDERED[:2], "s": ORDERED, "u": [*ORDERED, "lo", "ls", "hi", "hs"]}[kind[0]]
        for name in names:
            add(f"setp.{name}.{kind}", "pred", kind, kind)
            for target in ("u32", "s32", "f32"):
                add(f"set.{name}.{target}.{kind}", target, kind, kind)
        for join in ("and", "or", "xor"):
            add(f"setp.{names[-1]}.{join}.{kind}", "pred", kind, kind, "pred")
            add(f"set.{names[-1]}.{join}.u32.{kind}", "u32", kind, kind, "pred")
    for kind in ("f32", "f64", "f16", "bf16", "f16x2", "bf16x2"):
        targets = {
            "f32": ("u32", "f32"), "f64": ("s32", "f32"), "f16": ("u16", "s32", "f16"),
            "bf16": ("s16", "u32", "bf16"), "f16x2": ("u32", "f16x2"), "bf16x2": ("s32", "bf16x2"),
        }[kind]
        is_pair = kind.endswith("x2")
        for flush in ("", ".ftz") if kind in ("f32", "f16", "f16x2") else ("",):
            for name in ORDERED + UNORDERED:
                if not is_pair:
                    add(f"setp.{name}{flush}.{kind}", "pred", kind, kind)
                for target in targets:
                    add(f"set.{name}{flush}.{target}.{kind}", target, kind, kind)
            for join in ("and", "or", "xor"):
                for target in targets:
                    add(f"set.ltu.{join}{flush}.{target}.{kind}", target, kind, kind, "pred")
    for kind in [letter + size for letter in "bus" for size in ("16", "32", "64")] + ["f32", "f64"]:
        add(f"selp.{kind}", kind, kind, kind, "pred")
        add(f"slct.{kind}.s32", kind, kind, kind, "s32")
        add(f"slct.{kind}.f32", kind, kind, kind, "f32")
        add(f"slct.ftz.{kind}.f32", kind, kind, kind, "f32")


def conversions() -> None:
    narrow = [sign + size for sign in "us" for size in ("8", "16", "32", "64")]
    floats_of = ("f16", "bf16", "f32", "f64")
    for target in narrow:
        for source in narrow:
            for limit in ("", ".sat"):
                add(f"cvt{limit}.{target}.{source}", target, source)
        for source in floats_of:
            for mode in ("rni", "rzi", "rmi", "rpi"):
                for more in ("", ".sat", ".ftz", ".ftz.sat") if source == "f32" else ("", ".sat"):
                    add(f"cvt.{mode}{more}.{target}.{source}", target, source)
            for mode in MODES:
                for limit in ("", ".sat") if source != "bf16" else ("",):
                    add(f"cvt.{mode}{limit}.{source}.{target}", source, target)
    for target in floats_of:
        for source in floats_of:
            if target == source:
                for mode in ("", ".rni", ".rzi", ".rmi", ".rpi"):
                    for flush in ("", ".ftz") if target == "f32" else ("",):
                        for limit in ("", ".sat") if target != "bf16" else ("",):
                            if target in ("f32", "f64") or mode or limit:
                                add(f"cvt{mode}{flush}{limit}.{target}.{source}", target, source)
            elif target in ("f32", "f64") and (source in ("f16", "bf16") or target == "f64"):
                add(f"cvt.{target}.{source}", target, source)
            else:
                for mode in MODES:
                    for limit in ("", ".sat") if target != "bf16" else ("",):
                        add(f"cvt.{mode}{limit}.{target}.{source}", target, source)
    for target in ("f16", "bf16"):
        for mode in ("rn", "rz"):
            for limit in ("", ".relu", ".satfinite", ".relu.satfinite"):
                add(f"cvt.{mode}{limit}.{target}.f32", target, "f32")
                add(f"cvt.{mode}{limit}.{target}x2.f32", f"{target}x2", "f32", "f32")
    for mode in ("rn", "rz", "rna"):
        for limit in ("", ".satfinite") if mode == "rna" else ("", ".satfinite", ".relu", ".satfinite.relu"):
            add(f"cvt.{mode}{limit}.tf32.f32", "tf32", "f32")
    for part in ("e4m3x2", "e5m2x2"):
        for limit in ("", ".relu"):
            add(f"cvt.rn.satfinite{limit}.{part}.f32", "b16", "f32", "f32")
            for source in ("f16x2", "bf16x2"):
                add(f"cvt.rn.satfinite{limit}.{part}.{source}", "b16", source)
                add(f"cvt.rn{limit}.{source}.{part}", source, part)
    for part in ("e2m1x2", "e2m3x2", "e3m2x2"):
        for limit in ("", ".relu"):
            add(f"cvt.rn.satfinite{limit}.{part}.f32", f"b{type_width(part)}", "f32", "f32")
            for target in ("f16x2", "bf16x2"):
                add(f"cvt.rn{limit}.{target}.{part}", target, part)
    add("cvt.rn.bf16x2.ue8m0x2", "bf16x2", "ue8m0x2")
    for mode in ("rz", "rp"):
        for limit in ("", ".satfinite"):
            add(f"cvt.{mode}{limit}.ue8m0x2.f32", "b16", "f32", "f32")
            add(f"cvt.{mode}{limit}.ue8m0x2.bf16x2", "b16", "bf16x2")
    for kind in ("u16", "s16"):
        add(f"cvt.pack.sat.{kind}.s32", "b32", "s32", "s32")
    for kind in ("u8", "s8", "u4", "s4", "u2", "s2"):
        add(f"cvt.pack.sat.{kind}.s32.b32", "b32", "s32", "s32", "b32")


def video() -> None:
    kinds = [(target, a, b) for target in ("u32", "s32") for a in ("u32", "s32") for b in ("u32", "s32")]
    for name in ("vadd", "vsub", "vabsdiff", "vmin", "vmax"):
        for target, a, b in kinds:
            add(f"{name}.{target}.{a}.{b}", "u32", "u32", "u32")
            add(f"{name}.{target}.{a}.{b}.sat", "u32", "u32", "u32")
            for second in ("add", "min", "max"):
                add(f"{name}.{target}.{a}.{b}.sat.{second}", "u32", "u32", "u32", "u32")
            for count in "24":
                add(f"{name}{count}.{target}.{a}.{b}", "u32", "u32", "u32", "u32")
                add(f"{name}{count}.{target}.{a}.{b}.sat", "u32", "u32", "u32", "u32")
                add(f"{name}{count}.{target}.{a}.{b}.add", "u32", "u32", "u32", "u32")
    for target, a, b in kinds:
        for count in "24":
            add(f"vavrg{count}.{target}.{a}.{b}", "u32", "u32", "u32", "u32")
            add(f"vavrg{count}.{target}.{a}.{b}.sat.add", "u32", "u32", "u32", "u32")
        for more in ("", ".po", ".sat", ".shr7", ".sat.shr15", ".po.sat.shr7"):
            add(f"vmad.{target}.{a}.{b}{more}", "u32", "u32", "u32", "u32")
        for mode in ("clamp", "wrap"):
            for name in ("vshl", "vshr"):
                add(f"{name}.{target}.{a}.u32.{mode}", "u32", "u32", "amount")
                add(f"{name}.{target}.{a}.u32.sat.{mode}", "u32", "u32", "amount")
                for second in ("add", "min", "max"):
                    add(f"{name}.{target}.{a}.u32.{mode}.{second}", "u32", "u32", "amount", "u32")
    for a in ("u32", "s32"):
        for b in ("u32", "s32"):
            for name in ORDERED:
                add(f"vset.{a}.{b}.{name}", "u32", "u32", "u32")
                add(f"vset.{a}.{b}.{name}.add", "u32", "u32", "u32", "u32")
                for count in "24":
                    add(f"vset{count}.{a}.{b}.{name}", "u32", "u32", "u32", "u32")
                    add(f"vset{count}.{a}.{b}.{name}.add", "u32", "u32", "u32", "u32")


def approximations() -> None:
    for flush in ("", ".ftz"):
        for name in ("rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2"):
            add(f"{name}.approx{flush}.f32", "f32", "f32")
        for name in ("approx", "full"):
            add(f"div.{name}{flush}.f32", "f32", "f32", "f32")
    add("tanh.approx.f32", "f32", "f32")
    for kind in ("f16", "f16x2", "bf16", "bf16x2"):
        add(f"tanh.approx.{kind}", kind, kind)
        add(f"ex2.approx.{'ftz.' if kind[0] == 'b' else ''}{kind}", kind, kind)


def list_forms() -> None:
    for part in (integers, bits, floats, comparisons, conversions, video, approximations):
        part()


def every_form(seed: int = 0) -> None:
    list_forms()
    forms(seed)
