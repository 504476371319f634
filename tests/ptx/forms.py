"""Every form of the instructions from values to one value, with operands at the edges of their types and random ones.

Forms that take the same types share a kernel: each thread has operands of its own, and does every instruction to them.
"""

from __future__ import annotations

import random
import struct
from collections import defaultdict

from case import case
from exact import FORMATS
from machine import type_width

# How many threads, each with other operands, and how many forms a kernel has at most.
THREADS, MOST = 32, 48

FORMS: dict[tuple[str, ...], list[tuple[str, str, str]]] = defaultdict(list)


def add(opcode: str, target: str, *sources: str, tail: str = "") -> None:
    """A form that writes `target`. `tail` stands behind its operands. A source with a `!` behind it is never zero."""
    FORMS[sources].append((opcode, target, tail))


def edges(kind: str) -> list[int]:
    """Values of a type at which something changes."""
    if kind == "pred":
        return [0, 1]
    if kind == "amount":
        return [0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 255]
    if kind == "selector":
        return [0x3210, 0x7654, 0x0123, 0xBA98, 0xFEDC, 0x8F07, 0, 1, 2, 3]
    if kind == "e4m3x2" or kind == "e5m2x2":
        return [0x0080, 0x7F01, 0x7E7B, 0x7CFC, 0x0407, 0x3881, 0xFF00, 0x7D04]
    if kind == "ue8m0x2":
        return [0x00FF, 0x7F01, 0xFE80, 0x0100]
    if kind.endswith("x2"):
        part = kind.removesuffix("x2")
        values, bits = edges(part), type_width(part)
        return [a << bits | b for a, b in zip(values, values[3:] + values[:3])]
    if kind in FORMATS:
        exponent, mantissa = FORMATS[kind]
        one = ((1 << (exponent - 1)) - 1) << mantissa
        infinity = ((1 << exponent) - 1) << mantissa
        numbers = [0, 1, (1 << mantissa) - 1, 1 << mantissa, one, one + 1, one - 1, one + (1 << mantissa) + 3,
                   one + (3 << (mantissa - 1)), one - (1 << mantissa), infinity - 1, infinity,
                   infinity | 1 << (mantissa - 1)]
        sign = 1 << (exponent + mantissa)
        return numbers + [sign | number for number in numbers[:-1]]
    bits = type_width(kind)
    top = 1 << (bits - 1)
    return [0, 1, 2, 3, (1 << bits) - 1, (1 << bits) - 2, top, top - 1, top + 1, 0x5A, 1 << (bits // 2),
            (1 << (bits // 2)) - 1, 0x80, 0x7F, 0xFF80 & ((1 << bits) - 1)]


def values(kind: str, chance: random.Random) -> int:
    """An operand: more often at an edge than anywhere."""
    if kind.endswith("!"):
        return values(kind[:-1], chance) or 7
    if chance.random() < 0.7 or kind in ("pred", "amount"):
        return chance.choice(edges(kind))
    bits = {"selector": 16, "ue8m0x2": 16}.get(kind) or type_width(kind)
    if kind in ("e2m3x2", "e3m2x2"):
        return chance.getrandbits(bits) & 0x3F3F
    if kind.removesuffix("x2") in FORMATS and kind[0] != "e" and chance.random() < 0.6:
        return near(kind, chance)
    return chance.getrandbits(bits)


def near(kind: str, chance: random.Random) -> int:
    """A number of moderate size, with all its digits."""
    part = kind.removesuffix("x2")
    exponent, mantissa = FORMATS[part]
    bias = (1 << (exponent - 1)) - 1

    def one() -> int:
        sign = chance.getrandbits(1) << (exponent + mantissa)
        return sign | (bias + chance.randint(-4, 9)) << mantissa | chance.getrandbits(mantissa)

    return one() << type_width(part) | one() if kind.endswith("x2") else one()


def register(kind: str) -> str:
    """The type of a register that holds a type."""
    kind = kind.rstrip("!")
    if kind in ("pred", "f32", "f64"):
        return kind
    if kind in ("amount", "selector"):
        return "b32"
    if kind == "tf32":
        return "b32"
    if kind in ("b8", "e2m1x2"):
        return "b8"
    bits = 16 if kind == "ue8m0x2" else max(type_width(kind), 16)
    return f"b{bits}"


def forms(seed: int = 0) -> None:
    """Add the cases of all forms."""
    for sources, group in FORMS.items():
        near = sorted({form for form in group if is_approximate(form[0])})
        exact = sorted(set(group).difference(near))
        for start in range(0, len(exact), MOST):
            kernel(sources, exact[start : start + MOST], str(start // MOST), seed)
        if near:
            kernel(sources, near, "near", seed)


def is_approximate(opcode: str) -> bool:
    return ".approx" in opcode or ".full" in opcode


def kernel(sources: tuple[str, ...], group: list[tuple[str, str, str]], number: str, seed: int) -> None:
    name = "forms_" + "_".join(sources).replace("!", "_not_zero") + f"_{number}"
    chance = random.Random(f"{name} {seed}")
    lines, names = [], "abcd"
    for at, kind in enumerate(sources):
        register_type = register(kind)
        if kind == "pred":
            lines += [f".reg .pred {names[at]};", f".reg .u32 {names[at]}_word;",
                      f"ld.global.u32 {names[at]}_word, [in+{8 * at}];",
                      f"setp.ne.u32 {names[at]}, {names[at]}_word, 0;"]
        else:
            lines += [f".reg .{register_type} {names[at]};", f"ld.global.{register_type} {names[at]}, [in+{8 * at}];"]
    place = 0
    tolerance = 0.02 if number == "near" else None
    for at, (opcode, target, tail) in enumerate(group):
        register_type = register(target)
        result = f"d{at}"
        operands = ", ".join([result, *names[: len(sources)]])
        lines += [f".reg .{register_type} {result};", f"{opcode} {operands}{tail};"]
        if target == "pred":
            lines.append(f".reg .u32 {result}_word;")
            lines.append(f"selp.u32 {result}_word, 1, 0, {result};")
            result, register_type = f"{result}_word", "u32"
        if tolerance and target in ("f16", "bf16", "f16x2", "bf16x2"):
            # Only floats are compared with a tolerance.
            part = target.removesuffix("x2")
            halves = [f"{result}_{half}" for half in range(2)] if target.endswith("x2") else [result]
            if len(halves) > 1:
                lines += [f".reg .b16 {', '.join(halves)};", f"mov.b32 {{{', '.join(halves)}}}, {result};"]
            for half in halves:
                lines += [f".reg .f32 {half}_number;", f"cvt.f32.{part} {half}_number, {half};",
                          f"st.global.f32 [out+{place}], {half}_number;"]
                place += 4
            continue
        size = type_width(register_type) // 8
        place = -(-place // size) * size
        lines.append(f"st.global.{register_type} [out+{place}], {result};")
        place += size
    data = b""
    for _ in range(THREADS):
        for kind in sources:
            data += struct.pack("<Q", operand(kind, chance, tolerance is not None))
    more = {"tolerance": tolerance} if tolerance else {}
    case(name, 8 * len(sources), -(-place // 8) * 8, "\n".join(lines), data, THREADS, **more)


def operand(kind: str, chance: random.Random, moderate: bool) -> int:
    """What is approximated may differ where numbers are large or very small: those for it are of moderate size."""
    if not moderate:
        return values(kind, chance)
    value = near(kind, chance)
    sign = 1 << (type_width(kind.removesuffix("x2")) - 1)
    return value & ~(sign << 16 | sign if kind.endswith("x2") else sign)
