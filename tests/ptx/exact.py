"""Numbers in binary floating point formats: exact fractions, rounded by the definition of IEEE 754."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

# Bits of exponent and of mantissa.
FORMATS = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "tf32": (8, 10), "f64": (11, 52), "e5m2": (5, 2), "e4m3": (4, 3),
           "e2m1": (2, 1), "e2m3": (2, 3), "e3m2": (3, 2)}
# Formats in which all bits stand for numbers.
ALL_NUMBERS = {"e2m1", "e2m3", "e3m2"}
# The NaN that instructions give back.
NAN = {"f16": 0x7FFF, "bf16": 0x7FFF, "f32": 0x7FFFFFFF, "tf32": 0x3FFFF, "f64": 0x7FF8000000000000, "e5m2": 0x7F, "e4m3": 0x7F,
       "e2m1": 0x7, "e2m3": 0x1F, "e3m2": 0x1F}


@dataclass(frozen=True)
class Number:
    """A magnitude with a sign. A magnitude of None stands for infinity."""

    negative: bool
    magnitude: Fraction | None
    is_nan: bool = False

    @property
    def value(self) -> Fraction:
        """What it is worth, where it is finite."""
        return -self.magnitude if self.negative else self.magnitude

    @property
    def is_infinite(self) -> bool:
        return self.magnitude is None and not self.is_nan

    def negated(self) -> Number:
        return Number(not self.negative, self.magnitude, self.is_nan)


NOT_A_NUMBER = Number(False, None, True)


def of(value: Fraction | int | float, negative_zero: bool = False) -> Number:
    """A number of a finite value."""
    value = Fraction(value)
    return Number(value < 0 or (value == 0 and negative_zero), abs(value))


def width(kind: str) -> int:
    exponent, mantissa = FORMATS[kind]
    return 1 + exponent + mantissa


def decode(kind: str, bits: int) -> Number:
    """The number that bits stand for."""
    exponent_bits, mantissa_bits = FORMATS[kind]
    negative = bool(bits >> (exponent_bits + mantissa_bits) & 1)
    exponent = bits >> mantissa_bits & ((1 << exponent_bits) - 1)
    mantissa = bits & ((1 << mantissa_bits) - 1)
    bias = (1 << (exponent_bits - 1)) - 1
    if kind == "e4m3":
        if exponent == 15 and mantissa == 7:
            return NOT_A_NUMBER
    elif exponent == (1 << exponent_bits) - 1 and kind not in ALL_NUMBERS:
        return Number(negative, None, mantissa != 0)
    if exponent == 0:
        return Number(negative, Fraction(mantissa) * two(1 - bias - mantissa_bits))
    return Number(negative, (mantissa + (1 << mantissa_bits)) * two(exponent - bias - mantissa_bits))


def two(power: int) -> Fraction:
    return Fraction(2) ** power


def rounded(value: Fraction, mode: str, negative: bool) -> int:
    """A magnitude as a whole number: rn and rna are to the nearest, with ties to even and away from zero."""
    floor = value.numerator // value.denominator
    rest = value - floor
    if mode == "rn":
        up = rest > Fraction(1, 2) or (rest == Fraction(1, 2) and floor % 2 == 1)
    elif mode == "rna":
        up = rest >= Fraction(1, 2)
    else:
        up = rest > 0 and (mode == "rp" and not negative or mode == "rm" and negative)
    return floor + up


def encode(kind: str, number: Number, mode: str = "rn", saturates: bool = False) -> int:
    """The bits of a number, rounded. One too large becomes infinity, or the largest where it saturates."""
    exponent_bits, mantissa_bits = FORMATS[kind]
    if number.is_nan:
        return NAN[kind]
    sign = int(number.negative) << (exponent_bits + mantissa_bits)
    infinity = ((1 << exponent_bits) - 1) << mantissa_bits
    largest = NAN[kind] if kind in ALL_NUMBERS else 0x7E if kind == "e4m3" else infinity - 1
    if number.is_infinite:
        return sign | (largest if saturates else 0x7F if kind == "e4m3" else infinity)
    if number.magnitude == 0:
        return sign
    bias = (1 << (exponent_bits - 1)) - 1
    value = number.magnitude
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    exponent = max(exponent - (value < two(exponent)), 1 - bias)
    units = rounded(value / two(exponent - mantissa_bits), mode, number.negative)
    # A carry out of the mantissa goes on into the exponent.
    bits = ((exponent - 1 + bias) << mantissa_bits) + units
    if bits > largest:
        inward = mode == "rz" or mode == "rp" and number.negative or mode == "rm" and not number.negative
        return sign | (largest if saturates or inward else 0x7F if kind == "e4m3" else infinity)
    return sign | bits


def flush(kind: str, number: Number) -> Number:
    """The number, with zero for one that is denormal in the format."""
    exponent_bits, _ = FORMATS[kind]
    smallest = two(2 - (1 << (exponent_bits - 1)))
    if number.magnitude is not None and number.magnitude < smallest:
        return Number(number.negative, Fraction(0))
    return number


def absolute(number: Number) -> Number:
    return Number(False, number.magnitude, number.is_nan)


def add(a: Number, b: Number, mode: str = "rn") -> Number:
    if a.is_nan or b.is_nan or (a.is_infinite and b.is_infinite and a.negative != b.negative):
        return NOT_A_NUMBER
    if a.is_infinite or b.is_infinite:
        return a if a.is_infinite else b
    total = a.value + b.value
    both = a.magnitude == 0 and b.magnitude == 0 and a.negative == b.negative
    return of(total, a.negative if both else mode == "rm")


def multiply(a: Number, b: Number) -> Number:
    negative = a.negative != b.negative
    if a.is_nan or b.is_nan:
        return NOT_A_NUMBER
    if a.is_infinite or b.is_infinite:
        return NOT_A_NUMBER if 0 in (a.magnitude, b.magnitude) else Number(negative, None)
    return Number(negative, a.magnitude * b.magnitude)


def divide(a: Number, b: Number) -> Number:
    negative = a.negative != b.negative
    if a.is_nan or b.is_nan or (a.is_infinite and b.is_infinite) or (a.magnitude == 0 and b.magnitude == 0):
        return NOT_A_NUMBER
    if a.is_infinite or b.magnitude == 0:
        return Number(negative, None)
    return Number(negative, Fraction(0) if b.is_infinite else a.magnitude / b.magnitude)


def square_root(a: Number) -> Number:
    """The root, to 200 bits: no root of a number in a format is so near the middle of two others."""
    if a.is_nan or a.is_infinite or a.magnitude == 0:
        return NOT_A_NUMBER if a.is_infinite and a.negative else a
    if a.negative:
        return NOT_A_NUMBER
    scale = 1 << 1300
    root = isqrt(a.magnitude.numerator * scale * scale // a.magnitude.denominator)
    return of(Fraction(root, scale))


def extreme(a: Number, b: Number, largest: bool, spreads: bool) -> Number:
    """The smaller or larger one; -0 is smaller than +0. One NaN counts only where it spreads."""
    if a.is_nan or b.is_nan:
        return NOT_A_NUMBER if spreads or (a.is_nan and b.is_nan) else b if a.is_nan else a

    def order(x: Number) -> tuple[int, Fraction, bool]:
        infinite = 0 if not x.is_infinite else -1 if x.negative else 1
        return (infinite, Fraction(0) if x.is_infinite else x.value, not x.negative)

    return max(a, b, key=order) if largest else min(a, b, key=order)


def saturate(a: Number) -> Number:
    """Between 0 and 1; NaN becomes +0."""
    if a.is_nan or a.negative:
        return of(0)
    return of(1) if a.is_infinite or a.magnitude > 1 else a


def to_integer(source: str, number: Number, kind: str, mode: str) -> int:
    """The bits of a number as an integer; mode as in cvt: rni, rzi, rmi, rpi."""
    bits = int(kind[1:])
    least, most = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind[0] == "s" else (0, (1 << bits) - 1)
    if number.is_nan:
        return 1 << (bits - 1) if source == "f64" or bits == 64 else 0
    if number.is_infinite:
        whole = least if number.negative else most
    else:
        whole = rounded(number.magnitude, mode[:2], number.negative) * (-1 if number.negative else 1)
    return min(max(whole, least), most) & ((1 << bits) - 1)
