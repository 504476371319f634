"""What each instruction of PTX does, by the text of the ISA."""

from __future__ import annotations

import math
from collections.abc import Iterator

import exact
import together
import video
from exact import FORMATS, decode, encode
from machine import Instruction, Thread, Wait, type_width
from values import ROUNDING, clamp, compare, convert, integer, is_float, signed

LOGIC = {"and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b}


def each_part(kind: str, values: list[int], work) -> int:
    """Do it for a number, or for both parts of a pair."""
    if not kind.endswith("x2"):
        return work(kind, values)
    part = kind.removesuffix("x2")
    bits = exact.width(part)
    ones = (1 << bits) - 1
    low = work(part, [value & ones for value in values])
    return work(part, [value >> bits & ones for value in values]) << bits | low


def arithmetic(one: Instruction, kind: str, values: list[int]) -> int:
    """Arithmetic of numbers: the exact result, rounded once."""
    flags = set(one.modifiers)
    mode = next((flag for flag in one.modifiers if flag in ROUNDING), "rn")
    kinds = [flag for flag in one.modifiers if flag in FORMATS]
    # `fma.rn.f32.f16`: all operands but the last one are narrower.
    narrow = kinds[1] if len(kinds) > 1 else kind
    numbers = [decode(narrow if at + 1 < len(values) else kind, value) for at, value in enumerate(values)]
    if "ftz" in flags:
        numbers = [exact.flush(kind, number) for number in numbers]
    a, b, c = (*numbers, None, None)[:3]
    match one.opcode:
        case "add":
            result = exact.add(a, b, mode)
        case "sub":
            result = exact.add(a, b.negated(), mode)
        case "mul":
            result = exact.multiply(a, b)
        case "fma" | "mad":
            result = exact.add(exact.multiply(a, b), c, mode)
        case "div":
            result = exact.divide(a, b)
        case "rcp":
            result = exact.divide(exact.of(1), a)
        case "sqrt":
            result = exact.square_root(a)
        case "rsqrt":
            result = exact.divide(exact.of(1), exact.square_root(a))
        case "min" | "max":
            sign = a.negative != b.negative
            if "abs" in flags:
                numbers = [exact.absolute(number) for number in numbers]
            result = numbers[0]
            for number in numbers[1:]:
                result = exact.extreme(result, number, one.opcode == "max", "NaN" in flags)
            if "xorsign" in flags:
                result = exact.Number(sign, result.magnitude, result.is_nan)
            if result.is_nan or "ftz" not in flags and "abs" not in flags:
                return encode(kind, result)
        case "neg" | "abs" if "ftz" not in flags or a.is_nan:
            sign = 1 << (exact.width(kind) - 1)
            return values[0] ^ sign if one.opcode == "neg" else values[0] & (sign - 1)
        case "neg":
            result = a.negated()
        case "abs":
            result = exact.absolute(a)
        case "ex2" | "lg2" | "sin" | "cos" | "tanh":
            result = function(one.opcode, a)
        case _:
            raise NotImplementedError(one.opcode)
    if "ftz" in flags:
        result = exact.flush(kind, decode(kind, encode(kind, result, mode)))
    if "sat" in flags:
        result = exact.saturate(result)
    if "relu" in flags and not result.is_nan:
        result = exact.of(0) if result.negative else result
    return encode(kind, result, mode)


def function(name: str, a: exact.Number) -> exact.Number:
    """A function that the device approximates, of a finite number."""
    x = float(a.value)
    if name == "lg2":
        return exact.Number(True, None) if x == 0 else exact.of(math.log2(x))
    functions = {"ex2": lambda x: 2.0**x, "sin": math.sin, "cos": math.cos, "tanh": math.tanh}
    return exact.of(functions[name](x), a.negative)


def bits_of(one: Instruction, kind: str, values: list[int]) -> int:
    """Instructions on bits and integers that give back one value."""
    bits = type_width(kind)
    mask = (1 << bits) - 1
    a, b, c, d = (*values, 0, 0, 0, 0)[:4]
    match one.opcode:
        case "not":
            return ~a
        case "cnot":
            return int(a == 0)
        case "and" | "or" | "xor":
            return LOGIC[one.opcode](a, b)
        case "shl":
            return a << b if b < bits else 0
        case "shr":
            return integer(kind if kind[0] == "s" else f"u{bits}", a) >> min(b, bits)
        case "popc":
            return a.bit_count()
        case "clz":
            return bits - a.bit_length()
        case "brev":
            return int(f"{a:0{bits}b}"[::-1], 2)
        case "bfind":
            value = ~a & mask if integer(kind, a) < 0 else a
            top = value.bit_length() - 1
            return 0xFFFFFFFF if top < 0 else bits - 1 - top if "shiftamt" in one.modifiers else top
        case "bfe":
            at, length = b & 0xFF, c & 0xFF
            if length == 0:
                return 0
            sign = a >> min(at + length - 1, bits - 1) & 1 if kind[0] == "s" else 0
            field = a >> at & ((1 << min(length, max(bits - at, 0))) - 1)
            have = min(length, max(bits - at, 0))
            return field | (mask << have if sign else 0)
        case "bfi":
            at, length = c & 0xFF, d & 0xFF
            field = ((1 << length) - 1) << at & mask
            return (b & ~field) | (a << at & field)
        case "lop3":
            return sum(
                (d >> ((a >> at & 1) << 2 | (b >> at & 1) << 1 | (c >> at & 1)) & 1) << at for at in range(bits)
            )
        case "prmt":
            return permute(one, a, b, c)
        case "shf":
            amount = c & 31 if "wrap" in one.modifiers else min(c, 32)
            both = b << 32 | a
            return (both << amount) >> 32 if "l" in one.modifiers else both >> amount
        case "sad":
            return abs(integer(kind, a) - integer(kind, b)) + integer(kind, c)
        case "szext":
            length = b & 31 if "wrap" in one.modifiers else min(b, 32)
            field = a & ((1 << length) - 1)
            return signed(field, length) if kind[0] == "s" and length else field
        case "fns":
            return nth_set(a, b, signed(c, 32))
        case "bmsk":
            at, length = (b0 & 31 if "wrap" in one.modifiers else min(b0, 32) for b0 in (a, b))
            return ((1 << length) - 1) << at
        case "min" | "max":
            pick = min if one.opcode == "min" else max
            chosen = pick(integer(kind, a), integer(kind, b))
            return max(chosen, 0) if "relu" in one.modifiers else chosen
        case "abs":
            return abs(integer(kind, a))
        case "neg":
            return -a
        case "div" | "rem":
            x, y = integer(kind, a), integer(kind, b)
            quotient = abs(x) // abs(y) * (-1 if (x < 0) != (y < 0) else 1)
            return quotient if one.opcode == "div" else x - quotient * y
    raise NotImplementedError(one.opcode)


def nth_set(mask: int, base: int, count: int) -> int:
    """fns: the place of the set bit that is so many away from a base."""
    places = [at for at in range(32) if mask >> at & 1]
    if count == 0:
        found = [at for at in places if at == base]
    elif count > 0:
        found = [at for at in places if at >= base][count - 1 : count]
    else:
        found = [at for at in reversed(places) if at <= base][-count - 1 : -count]
    return found[0] if found else 0xFFFFFFFF


def test(one: Instruction, kind: str, value: int) -> bool:
    """testp: what sort of number it is."""
    number = decode(kind, value)
    is_finite = number.magnitude is not None
    is_small = is_finite and exact.flush(kind, number).magnitude != number.magnitude
    return {
        "finite": is_finite,
        "infinite": number.is_infinite,
        "number": not number.is_nan,
        "notanumber": number.is_nan,
        # zeroes count among them, as the ISA says
        "normal": is_finite and not is_small,
        "subnormal": is_small,
    }[one.modifiers[0]]


def permute(one: Instruction, a: int, b: int, c: int) -> int:
    """prmt: by selectors of four bits, or by one of the named modes."""
    data = [(b << 32 | a) >> 8 * at & 0xFF for at in range(8)]
    mode = next((flag for flag in one.modifiers if flag != "b32"), None)
    at = c & 3
    selected = {
        "f4e": [at, at + 1, at + 2, at + 3],
        "b4e": [at, at - 1 & 7, at - 2 & 7, at - 3 & 7],
        "rc8": [at] * 4,
        "ecl": [max(at, place) for place in range(4)],
        "ecr": [min(at, place) for place in range(4)],
        "rc16": [(at & 1) * 2, (at & 1) * 2 + 1] * 2,
    }.get(mode)
    result = 0
    for place in range(4):
        selector = selected[place] if selected else c >> 4 * place & 15
        byte = data[selector & 7]
        if not selected and selector & 8:
            byte = 0xFF if byte & 0x80 else 0
        result |= byte << 8 * place
    return result


def product(one: Instruction, kind: str, values: list[int]) -> int:
    """mul and mad of integers: the low or high half, all of it, or 24 bits of each factor."""
    bits = type_width(kind)
    if one.opcode.endswith("24"):
        a, b = (signed(value, 24) if kind[0] == "s" else value & 0xFFFFFF for value in values[:2])
        total = a * b >> (16 if "hi" in one.modifiers else 0)
    else:
        a, b = (integer(kind, value) for value in values[:2])
        total = a * b >> (bits if "hi" in one.modifiers else 0)
    if len(values) > 2:
        total += integer(kind if "wide" not in one.modifiers else f"{kind[0]}{bits * 2}", values[2])
    return clamp(kind, total) if "sat" in one.modifiers else total


def dot(one: Instruction, values: list[int]) -> int:
    """dp4a and dp2a."""
    first, second = one.modifiers[-2:]
    a, b, c = values
    size, count = (8, 4) if one.opcode == "dp4a" else (16, 2)
    start = 2 if "hi" in one.modifiers else 0
    part = lambda kind, value, width: signed(value, width) if kind[0] == "s" else value & ((1 << width) - 1)
    return c + sum(part(first, a >> size * at, size) * part(second, b >> 8 * (start + at), 8) for at in range(count))


def atom(one: Instruction, kind: str, old: int, b: int, c: int) -> int:
    """What an atomic instruction leaves in memory."""
    name = next(flag for flag in one.modifiers if flag in ATOMIC)
    if name == "add" and is_float(kind):
        return each_part(kind, [old, b], lambda part, two: encode(part, exact.add(*(decode(part, v) for v in two))))
    x, y = (old, b) if kind[0] == "b" else (integer(kind, old), integer(kind, b))
    return {
        "add": x + y,
        "min": min(x, y),
        "max": max(x, y),
        "and": old & b,
        "or": old | b,
        "xor": old ^ b,
        "exch": b,
        "inc": 0 if old >= b else old + 1,
        "dec": b if old == 0 or old > b else old - 1,
        "cas": c if old == b else old,
    }[name]


def atom_vector(thread: Thread, one: Instruction, kind: str, bits: int, count: int) -> None:
    """Atomic instructions on each element of a vector."""
    targets = thread.elements(one.operands[0]) if one.opcode == "atom" else []
    place, values = one.operands[-2:]
    start = thread.address(place)
    for at, name in enumerate(thread.elements(values)):
        address = start + at * bits // 8
        old = thread.memory.load(address, bits // 8, thread.local)
        thread.memory.store(address, bits // 8, atom(one, kind, old, thread.read(name, bits), 0), thread.local)
        if targets:
            thread.write(targets[at], old)


ATOMIC = {"add", "min", "max", "and", "or", "xor", "exch", "inc", "dec", "cas"}
PRODUCTS = {"mul", "mad", "mul24", "mad24"}


def execute(thread: Thread, one: Instruction) -> Iterator[Wait]:
    """Do one instruction."""
    named = lambda flag: flag.removesuffix("x2")
    kinds = [flag for flag in one.modifiers if named(flag) in FORMATS or named(flag)[1:].isdigit()]
    kind = kinds[-1] if kinds else "b32"
    bits = 1 if "pred" in one.modifiers else type_width(kind)
    if one.opcode in together.TOGETHER:
        yield from together.execute(thread, one, kind)
        return
    if video.is_video(one):
        video.execute(thread, one)
        return
    match one.opcode:
        case "ld" | "ldu":
            bits = 64 if "b128" in one.modifiers else bits
            size, names = bits // 8, thread.elements(one.operands[0])
            start = thread.address(one.operands[1])
            values = [thread.memory.load(start + at * size, size, thread.local) for at in range(len(names))]
            for name, value in zip(names, values):
                thread.write(name, integer(kind, value))
        case "st":
            bits = 64 if "b128" in one.modifiers else bits
            size, names = bits // 8, thread.elements(one.operands[1])
            for at, name in enumerate(names):
                thread.memory.store(thread.address(one.operands[0]) + at * size, size, thread.read(name), thread.local)
        case "atom" | "red":
            if vector := next((flag for flag in one.modifiers if flag in ("v2", "v4", "v8")), None):
                atom_vector(thread, one, kind, bits, int(vector[1]))
                return
            place, *rest = one.operands if one.opcode == "red" else one.operands[1:]
            b, c = (*(thread.read(operand, bits) for operand in rest), 0)[:2]
            old = thread.memory.load(thread.address(place), bits // 8, thread.local)
            thread.memory.store(thread.address(place), bits // 8, atom(one, kind, old, b, c), thread.local)
            if one.opcode == "atom":
                thread.write(one.operands[0], old)
        case "mov":
            move(thread, one.operands)
        case "cvta":
            thread.write(one.operands[0], thread.read(one.operands[1]))
        case "cp":
            copy(thread, one)
        case "cvt" if "pack" in one.modifiers:
            thread.write(one.operands[0], pack(one, [thread.read(operand, 32) for operand in one.operands[1:]]))
        case "cvt":
            thread.write(one.operands[0], convert(one, thread))
        case "setp" | "set":
            set_predicate(thread, one, kind)
        case "selp":
            a, b, condition = one.operands[1:]
            thread.write(one.operands[0], thread.read(a if thread.read(condition) else b))
        case "slct":
            a, b, c = (thread.read(operand) for operand in one.operands[1:])
            if "ftz" in one.modifiers:
                c = encode(kind, exact.flush(kind, decode(kind, c & 0xFFFFFFFF)))
            # Where it is no number, the second one is taken.
            thread.write(one.operands[0], a if compare("ge", kind, c, 0) else b)
        case "copysign":
            a, b = (thread.read(operand, bits) for operand in one.operands[1:])
            sign = 1 << (bits - 1)
            thread.write(one.operands[0], (b & ~sign) | (a & sign))
        case "lop3" if "|" in one.operands[0]:
            values = [thread.read(operand, 32) for operand in one.operands[1:5]]
            target, _, predicate = one.operands[0].partition("|")
            result = bits_of(one, kind, values)
            thread.write(target, result)
            joined = LOGIC["or" if "or" in one.modifiers else "and"]
            thread.write(predicate, joined(int(result != 0), thread.read(one.operands[5], 1)))
        case "testp":
            thread.write(one.operands[0], int(test(one, kind, thread.read(one.operands[1], bits))))
        case "isspacep":
            space = {"global": (0x1_0000_0000, 0x3_0000_0000), "local": (0x8000_0000, 0x9000_0000),
                     "shared": (0x400, 0x8000_0000)}[one.modifiers[0].removesuffix("::cta")]
            thread.write(one.operands[0], int(space[0] <= thread.read(one.operands[1]) < space[1]))
        case "createpolicy":
            thread.write(one.operands[0], 0)
        case "dp4a" | "dp2a":
            thread.write(one.operands[0], dot(one, [thread.read(operand, 32) for operand in one.operands[1:]]))
        case "membar" | "fence" | "prefetch" | "prefetchu" | "applypriority" | "nanosleep" | "pmevent" | "brkpt" | "griddepcontrol" | "setmaxnreg" | "discard":
            pass
        case _:
            calculate(thread, one, kind, bits)


def copy(thread: Thread, one: Instruction) -> None:
    """cp.async copies at once: who reads it before it waited has no promise."""
    if "shared" in one.modifiers:
        size = thread.read(one.operands[2])
        given = min(thread.read(one.operands[3], 32), size) if len(one.operands) > 3 else size
        # A predicate says that the source is not read.
        if thread.program.registers.get(one.operands[-1]) == 1:
            given = 0 if given else size
        value = thread.memory.load(thread.address(one.operands[1]), given, thread.local)
        # What the source does not give is zero.
        thread.memory.store(thread.address(one.operands[0]), size, value, thread.local)


def pack(one: Instruction, values: list[int]) -> int:
    """cvt.pack: two saturated integers, with what a third one has below them shifted up."""
    kind = one.modifiers[2]
    bits = type_width(kind)
    high, low = (clamp(kind, integer(one.modifiers[3], value)) & ((1 << bits) - 1) for value in values[:2])
    return (values[2] << 2 * bits if len(values) > 2 else 0) | high << bits | low


def calculate(thread: Thread, one: Instruction, kind: str, bits: int) -> None:
    """Instructions from values to one value."""
    kinds = [flag for flag in one.modifiers if flag in FORMATS]
    if len(kinds) == 2:
        kind = kinds[0]
        bits = 32
    values = [thread.read(operand, 64 if "wide" in one.modifiers and at == 2 else bits)
              for at, operand in enumerate(one.operands[1:])]
    if kind in ("u16x2", "s16x2"):
        thread.write(one.operands[0], of_shorts(one, kind, values))
        return
    if one.opcode in ("shl", "shr", "shf", "bfe", "bfi", "bmsk", "szext"):
        # Amounts have 32 bits, whatever the type is.
        values = [thread.read(operand, 64) if at == 0 else thread.read(operand, max(32, bits))
                  for at, operand in enumerate(one.operands[1:])]
        values[0] &= (1 << bits) - 1
    if is_float(kind):
        result = each_part(kind, values, lambda part, parts: arithmetic(one, part, parts))
    elif one.opcode in ("add", "addc", "sub", "subc", "madc") or (one.opcode == "mad" and "cc" in one.modifiers):
        result = with_carry(thread, one, kind, values)
    elif one.opcode in PRODUCTS:
        result = product(one, kind, values)
    else:
        result = bits_of(one, kind, values)
    thread.write(one.operands[0], result)


def of_shorts(one: Instruction, kind: str, values: list[int]) -> int:
    """Sums and extremes of both halves."""
    part = kind[0] + "16"
    result = 0
    for at in (0, 16):
        a, b = (integer(part, value >> at & 0xFFFF) for value in values)
        value = {"add": a + b, "min": min(a, b), "max": max(a, b)}[one.opcode]
        value = max(value, 0) if "relu" in one.modifiers else value
        result |= (value & 0xFFFF) << at
    return result


def with_carry(thread: Thread, one: Instruction, kind: str, values: list[int]) -> int:
    """Sums and differences, which may take the carry flag and leave it."""
    bits = type_width(kind)
    mask = (1 << bits) - 1
    carry = thread.carry if one.opcode.endswith("c") else 0
    if one.opcode.startswith("mad"):
        a, b = (integer(kind, value) for value in values[:2])
        total = ((a * b >> (bits if "hi" in one.modifiers else 0)) & mask) + values[2] + carry
    elif one.opcode.startswith("sub"):
        total = values[0] - values[1] - carry
    else:
        total = values[0] + values[1] + carry
    if "sat" in one.modifiers:
        a, b = (integer(kind, value) for value in values[:2])
        return clamp(kind, a - b if one.opcode == "sub" else a + b)
    if "cc" in one.modifiers:
        # For a difference, the flag says that something is borrowed.
        thread.carry = int(total < 0 or total > mask)
    return total


def move(thread: Thread, operands: list[str]) -> None:
    """mov, which also packs a vector into a register, unpacks one, and moves vectors."""
    target, source = operands
    is_vector = [one.startswith("{") or one in thread.program.vectors or one in ("%tid", "%ntid", "%ctaid", "%nctaid")
                 for one in operands]
    if all(is_vector):
        values = [thread.read(name) for name in thread.elements(source)]
        for name, value in zip(thread.elements(target), values):
            thread.write(name, value)
    elif is_vector[1]:
        value = at = 0
        for name in thread.elements(source):
            value |= thread.read(name) << at
            at += thread.program.registers[name]
        thread.write(target, value)
    elif is_vector[0]:
        value = thread.read(source)
        for name in thread.elements(target):
            thread.write(name, value)
            value >>= thread.program.registers.get(name, 32)
    else:
        thread.write(target, thread.read(source))


def set_predicate(thread: Thread, one: Instruction, kind: str) -> None:
    """setp writes a predicate and what is joined with its opposite; set writes all ones, or 1.0. Of pairs, both parts
    are compared."""
    how = one.modifiers[0]
    join = next((flag for flag in one.modifiers if flag in LOGIC), None)
    target, a, b, *rest = one.operands
    bits = type_width(kind)
    values = [thread.read(operand, bits) for operand in (a, b)]
    is_pair = kind.endswith("x2")
    part = kind.removesuffix("x2")
    results = []
    for at in range(2 if is_pair else 1):
        parts = [value >> 16 * at & 0xFFFF if is_pair else value for value in values]
        if "ftz" in one.modifiers:
            parts = [encode(part, exact.flush(part, decode(part, value))) for value in parts]
        results.append(compare(how, part, *parts))
    if one.opcode == "setp" and not is_pair:
        results.append(not results[0])
    if join:
        negated = rest[0].startswith("!")
        other = bool(thread.read(rest[0].lstrip("!"))) != negated
        results = [LOGIC[join](result, other) for result in results]
    if one.opcode == "setp":
        for name, result in zip(target.split("|"), results):
            thread.write(name, int(result))
        return
    shape = one.modifiers[-2]
    true = {"f32": 0x3F800000, "f16": 0x3C00, "bf16": 0x3F80}.get(shape.removesuffix("x2"))
    if true is None:
        true = 0xFFFF if is_pair or shape.endswith("16") else 0xFFFFFFFF
    thread.write(target, sum(true << 16 * at for at, result in enumerate(results) if result))
