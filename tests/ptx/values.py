"""Values of types: what bits stand for, comparisons and conversions."""

from __future__ import annotations

from fractions import Fraction

import exact
from exact import FORMATS, decode, encode
from machine import Instruction, Thread, type_width

ROUNDING = {"rn", "rz", "rm", "rp", "rna"}
INTEGER_ROUNDING = {"rni", "rzi", "rmi", "rpi"}


def signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def integer(kind: str, value: int) -> int:
    """The value of bits in an integer type."""
    bits = type_width(kind)
    return signed(value, bits) if kind[0] == "s" else value & ((1 << bits) - 1)


def clamp(kind: str, value: int) -> int:
    bits = type_width(kind)
    least, most = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind[0] == "s" else (0, (1 << bits) - 1)
    return min(max(value, least), most)


def is_float(kind: str) -> bool:
    return kind.removesuffix("x2") in FORMATS


def compare(how: str, kind: str, a: int, b: int) -> bool:
    """A comparison; with a `u` before it, NaN makes one of floats true."""
    if is_float(kind):
        x, y = decode(kind, a), decode(kind, b)
        unordered = x.is_nan or y.is_nan
        if how in ("num", "nan"):
            return unordered == (how == "nan")
        if unordered:
            return how in ("equ", "neu", "ltu", "leu", "gtu", "geu")
        how = how.removesuffix("u") if how in ("equ", "neu", "ltu", "leu", "gtu", "geu") else how
        key = lambda n: Fraction(0) if n.magnitude == 0 else n.value if n.magnitude is not None else None
        low, high = Fraction(-(2**2000)), Fraction(2**2000)
        x, y = (key(n) if key(n) is not None else low if n.negative else high for n in (x, y))
    else:
        how = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}.get(how, how)
        x, y = integer(kind, a), integer(kind, b)
    return {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[how]


def convert(one: Instruction, thread: Thread) -> int:
    """cvt, without its forms of packed integers."""
    flags = set(one.modifiers)
    kinds = [flag for flag in one.modifiers if flag.removesuffix("x2") in FORMATS or flag[1:].isdigit()]
    if "ue8m0x2" in flags and one.modifiers[-1] != "ue8m0x2":
        return to_powers(one, thread, kinds[-1])
    if "ue8m0x2" in flags:
        exponents = thread.read(one.operands[1]).to_bytes(2, "big")
        powers = (exact.NOT_A_NUMBER if one == 255 else exact.of(exact.two(one - 127)) for one in exponents)
        high, low = (encode("bf16", power) for power in powers)
        return high << 16 | low
    target, source = kinds
    mode = next((flag for flag in one.modifiers if flag in ROUNDING | INTEGER_ROUNDING), "rn")
    values = [thread.read(operand) for operand in one.operands[1:]]
    if target == "tf32":
        number = decode("f32", values[0])
        return 0x7FFFFFFF if number.is_nan else narrow("tf32", number, mode, flags) << 13
    if target.endswith("x2") and source == "f32":
        # The first source becomes the upper part.
        part = target.removesuffix("x2")
        high, low = (narrow(part, decode("f32", value), mode, flags) for value in values)
        return high << type_width(target) // 2 | low
    if source.endswith("x2"):
        part, size = source.removesuffix("x2"), type_width(source) // 2
        parts = [decode(part, values[0] >> size * at & ((1 << exact.width(part)) - 1)) for at in range(2)]
        low, high = (narrow(target.removesuffix("x2"), number, mode, flags) for number in parts)
        return high << type_width(target) // 2 | low
    value = values[0] & ((1 << type_width(source)) - 1)
    if is_float(source):
        number = decode(source, value)
        if "ftz" in flags:
            number = exact.flush(source, number)
        if not is_float(target):
            return integer(target, exact.to_integer(source, number, target, mode))
        if mode in INTEGER_ROUNDING and number.magnitude is not None:
            whole = exact.rounded(number.magnitude, mode[:2], number.negative)
            number = exact.Number(number.negative, Fraction(whole))
        return narrow(target, number, mode[:2], flags)
    number = integer(source, value)
    if is_float(target):
        return narrow(target, exact.of(number), mode, flags)
    # What a narrower type holds is extended to the register, by the sign where the type has one.
    return clamp(target, number) if "sat" in flags else integer(target, number)


def to_powers(one: Instruction, thread: Thread, source: str) -> int:
    """Two numbers as powers of two: by their magnitudes, from the least power that a byte has to the greatest."""
    read = [thread.read(operand, 32) for operand in one.operands[1:]]
    if source == "bf16x2":
        read = [read[0] >> 16, read[0] & 0xFFFF]
    high, low = (power(decode(source.removesuffix("x2"), value), set(one.modifiers)) for value in read)
    return high << 8 | low


def power(number: exact.Number, flags: set[str]) -> int:
    if number.is_nan:
        return 255
    exponent = 255
    if number.magnitude is not None:
        exponent = next((at for at in range(255) if number.magnitude < exact.two(at - 126)), 255)
        if "rp" in flags and number.magnitude > exact.two(exponent - 127):
            exponent += 1
    return min(exponent, 254) if "satfinite" in flags else exponent


def narrow(kind: str, number: exact.Number, mode: str, flags: set[str]) -> int:
    if "sat" in flags:
        number = exact.saturate(number)
    if "relu" in flags and not number.is_nan:
        number = exact.of(0) if number.negative else number
    return encode(kind, number, mode, "satfinite" in flags)
