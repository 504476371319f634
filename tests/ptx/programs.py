"""Kernels of random instructions and branches, whose registers are sources and destinations at once."""

from __future__ import annotations

import random
import struct

from case import case
from forms import FORMS, is_approximate, register, values

# How many registers of each type a kernel has, and how many threads.
POOL = {"b16": 4, "b32": 6, "b64": 4, "f32": 4, "f64": 3, "pred": 4}
THREADS = 16
LETTERS = {"b16": "h", "b32": "r", "b64": "l", "f32": "f", "f64": "d", "pred": "p"}
# What depends on the sign of a NaN, which no arithmetic defines, or keeps the bits of one in an integer register.
UNSURE = ("copysign", "xorsign", "neg", "abs", "f32x2", "tf32")


def programs(seed: int, count: int = 24) -> None:
    """Add the kernels of a seed."""
    forms = [
        (opcode, target, sources, tail)
        for sources, group in FORMS.items()
        for opcode, target, tail in group
        if not is_approximate(opcode) and not any(word in opcode for word in UNSURE)
        and not any(source.endswith("!") for source in sources)
        and all(register(kind) in POOL for kind in (target, *sources))
    ]
    for number in range(count):
        program(random.Random(f"program {seed} {number}"), forms, f"program_{number}")


def program(chance: random.Random, forms: list, name: str) -> None:
    lines, data_of = [], []
    for kind, count in POOL.items():
        letter = LETTERS[kind]
        lines.append(f".reg .{kind} {', '.join(f'{letter}{at}' for at in range(count))};")
        for at in range(count):
            data_of.append(kind)
            place = 8 * (len(data_of) - 1)
            if kind == "pred":
                lines += [f"ld.global.u8 r0, [in+{place}];", f"setp.ne.u32 p{at}, r0, 0;"]
            else:
                lines.append(f"ld.global.{kind} {letter}{at}, [in+{place}];")
    # What takes a carry finds one.
    lines.append("add.cc.u32 r0, 0, 0;")
    # Each program reads a carry: one that only leaves a carry leaves it to another statement, and stays.
    lines.append("addc.u32 r0, 0, 0;")
    # The registers that predicates were loaded through have a value then.
    lines.append("ld.global.b32 r0, [in+32];")
    lines += [".reg .s32 fuel;", ".reg .pred spent;", "mov.s32 fuel, 12;"]
    blocks = chance.randint(1, 6)
    loops = chance.random() < 0.5
    for block in range(blocks):
        lines.append(f"B{block}:")
        if loops:
            lines += ["sub.s32 fuel, fuel, 1;", "setp.lt.s32 spent, fuel, 0;", "@spent bra END;"]
        for _ in range(chance.randint(2, 7)):
            lines.append(instruction(chance, forms))
        first = 0 if loops else block + 1
        target = "END" if first >= blocks else f"B{chance.randrange(first, blocks)}"
        how = chance.random()
        if how < 0.5:
            lines.append(f"{guard(chance)}bra {target};")
        elif how < 0.7:
            lines.append(f"bra {target};")
    lines.append("END:")
    place = 0
    for kind, count in POOL.items():
        for at in range(count):
            one = f"{LETTERS[kind]}{at}"
            if kind == "pred":
                lines += [f"selp.u32 r0, 1, 0, {one};", f"st.global.u8 [out+{place}], r0;"]
            elif kind in ("f32", "f64"):
                nan = "0f7FC00000" if kind == "f32" else "0d7FF8000000000000"
                lines += [f"testp.notanumber.{kind} spent, {one};", f"selp.{kind} {one}, {nan}, {one}, spent;",
                          f"st.global.{kind} [out+{place}], {one};"]
            else:
                lines.append(f"st.global.{kind} [out+{place}], {one};")
            place += 8
    data = b"".join(struct.pack("<Q", values(kind, chance)) for _ in range(THREADS) for kind in data_of)
    case(name, 8 * len(data_of), place, "\n".join(lines), data, THREADS)


def guard(chance: random.Random) -> str:
    return f"@{chance.choice(['', '!'])}p{chance.randrange(POOL['pred'])} "


def instruction(chance: random.Random, forms: list) -> str:
    opcode, target, sources, tail = chance.choice(forms)

    def one(kind: str) -> str:
        register_type = register(kind)
        return f"{LETTERS[register_type]}{chance.randrange(POOL[register_type])}"

    operands = ", ".join([one(target), *(operand(chance, kind, one(kind)) for kind in sources)])
    prefix = guard(chance) if chance.random() < 0.25 else ""
    return f"{prefix}{opcode} {operands}{tail};"


def operand(chance: random.Random, kind: str, name: str) -> str:
    """A register, or a constant where an integer may be one."""
    if kind in ("u32", "s32", "b32", "amount", "u64", "s64", "b64") and chance.random() < 0.2:
        return chance.choice(["0", "1", "-1", "7", "0x7fffffff", "31", "0xFFU"])
    return name
