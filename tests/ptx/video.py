"""Video instructions, by the pseudocode of the ISA: parts of registers, a second operation, a merge."""

from __future__ import annotations

from machine import Instruction, Thread
from values import signed

SECOND = {"add", "min", "max"}
COMPARISONS = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def is_video(one: Instruction) -> bool:
    return one.opcode[0] == "v" and one.opcode != "vote"


def limits(is_signed: bool, bits: int) -> tuple[int, int]:
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed else (0, (1 << bits) - 1)


def selected(operand: str) -> tuple[str, str]:
    """A register, and the selector behind its dot."""
    name, _, selector = operand.partition(".")
    return name, selector


def part(selector: str) -> tuple[int, int]:
    """Where a part starts, and its width."""
    if not selector:
        return 0, 32
    width = 8 if selector[0] == "b" else 16
    return width * int(selector[1:]), width


def extract(thread: Thread, operand: str, is_signed: bool) -> int:
    name, selector = selected(operand)
    at, width = part(selector)
    value = thread.read(name, 32) >> at & ((1 << width) - 1)
    return signed(value, width) if is_signed else value


def basic(one: Instruction, a: int, b: int) -> int:
    """The first operation on two numbers."""
    match one.opcode.rstrip("24"):
        case "vadd":
            return a + b
        case "vsub":
            return a - b
        case "vabsdiff":
            return abs(a - b)
        case "vmin":
            return min(a, b)
        case "vmax":
            return max(a, b)
        case "vavrg":
            return (a + b + 1) >> 1 if a + b >= 0 else (a + b) >> 1
        case "vshl" | "vshr":
            amount = b & 31 if "wrap" in one.modifiers else min(b, 32)
            return a << amount if one.opcode == "vshl" else a >> amount
        case "vset":
            return int(next(COMPARISONS[flag] for flag in one.modifiers if flag in COMPARISONS)(a, b))
    raise NotImplementedError(one.opcode)


def execute(thread: Thread, one: Instruction) -> None:
    signs = [flag == "s32" for flag in one.modifiers if flag in ("u32", "s32")]
    if one.opcode.startswith("vset"):
        signs.insert(0, False)
    target, selector = selected(one.operands[0])
    if one.opcode == "vmad":
        thread.write(target, multiply(thread, one, signs))
    elif one.opcode[-1] in "24":
        thread.write(target, several(thread, one, signs, selector))
    else:
        thread.write(target, scalar(thread, one, signs, selector))


def scalar(thread: Thread, one: Instruction, signs: list[bool], selector: str) -> int:
    at, width = part(selector)
    a, b = (extract(thread, operand, sign) for operand, sign in zip(one.operands[1:3], signs[1:]))
    result = basic(one, a, b)
    if "sat" in one.modifiers:
        least, most = limits(signs[0], width)
        result = min(max(result, least), most)
    else:
        result = signed(result, 33)
    if len(one.operands) < 4:
        return result
    third = thread.read(one.operands[3], 32)
    if selector:
        ones = (1 << width) - 1
        return (third & ~(ones << at)) | (result & ones) << at
    third = signed(third, 32) if signs[0] else third
    how = next(flag for flag in one.modifiers if flag in SECOND)
    return {"add": result + third, "min": min(result, third), "max": max(result, third)}[how]


def multiply(thread: Thread, one: Instruction, signs: list[bool]) -> int:
    minus = [operand[0] == "-" and not operand[1].isdigit() for operand in one.operands[1:]]
    names = [operand[1:] if is_minus else operand for operand, is_minus in zip(one.operands[1:], minus)]
    a, b = (extract(thread, name, sign) for name, sign in zip(names, signs[1:]))
    is_signed = signs[1] or signs[2] or minus[0] != minus[1] or minus[2]
    third = thread.read(names[2], 32)
    third = signed(third, 32) if is_signed else third
    result = (-1 if minus[0] != minus[1] else 1) * a * b + (-third if minus[2] else third)
    result += "po" in one.modifiers
    result >>= 7 if "shr7" in one.modifiers else 15 if "shr15" in one.modifiers else 0
    if "sat" in one.modifiers:
        least, most = limits(is_signed, 32)
        result = min(max(result, least), most)
    return result


def several(thread: Thread, one: Instruction, signs: list[bool], selector: str) -> int:
    count = int(one.opcode[-1])
    width = 32 // count
    names = [selected(operand) for operand in one.operands[1:]]
    a, b, result = (thread.read(name, 32) for name, _ in names)
    both = b << 32 | a
    default = ["10", "32"] if count == 2 else ["3210", "7654"]
    choice = [(given[1:] or usual)[::-1] for (_, given), usual in zip(names, default)]
    mask = selector[1:] or default[0]
    ones = (1 << width) - 1
    for at in range(count):
        if str(at) not in mask:
            continue
        values = [both >> width * int(digits[at]) & ones for digits in choice]
        x, y = (signed(value, width) if sign else value for value, sign in zip(values, signs[1:]))
        value = basic(one, x, y)
        if "sat" in one.modifiers:
            least, most = limits(signs[0], width)
            value = min(max(value, least), most)
        if "add" in one.modifiers:
            result += value
        else:
            result = (result & ~(ones << width * at)) | (value & ones) << width * at
    return result
