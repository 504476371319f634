"""An interpreter of PTX: parses a kernel, and runs the threads of one block until each has returned.

Written from the text of the PTX ISA, to say what a kernel has to write. It shares nothing with the translator.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

INPUT, OUTPUT, FIXED, SHARED, LOCAL = 0x1_0000_0000, 0x2_0000_0000, 0x3_0000_0000, 0x400, 0x8000_0000


@dataclass
class Instruction:
    """One instruction: `@p add.u32 a, b, c;`."""

    opcode: str
    modifiers: list[str]
    operands: list[str]
    # The predicate, and whether it has to be false.
    guard: tuple[str, bool] | None = None


@dataclass
class Program:
    """The instructions of a kernel, and its variables."""

    instructions: list[Instruction] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    # The width of each register in bits.
    registers: dict[str, int] = field(default_factory=dict)
    addresses: dict[str, int] = field(default_factory=dict)
    shared_size: int = 0
    local_size: int = 0
    # The parts of each vector of registers, and what variables in constant and global memory have to begin with.
    vectors: dict[str, list[str]] = field(default_factory=dict)
    fixed: bytearray = field(default_factory=bytearray)
    targets: dict[str, list[str]] = field(default_factory=dict)


def type_width(kind: str) -> int:
    """The bits of a fundamental type."""
    if kind == "pred":
        return 1
    if small := re.fullmatch(r"e(\d)m(\d)(x2)?", kind):
        # A number of six bits has a byte.
        bits = 4 if int(small[1]) + int(small[2]) < 4 else 8
        return 2 * bits if small[3] else bits
    if kind.endswith("x2"):
        return 2 * type_width(kind.removesuffix("x2"))
    if kind == "tf32":
        return 32
    return int(re.search(r"\d+", kind)[0])


def split_operands(text: str) -> list[str]:
    """Operands at commas outside of braces and brackets."""
    parts, depth, start = [], 0, 0
    for at, one in enumerate(text):
        depth += (one in "{[(") - (one in "}])")
        if one == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [part for part in (*parts, text[start:].strip()) if part]


def literal(text: str) -> int:
    """An integer constant, which may be hexadecimal, octal or binary, or an expression of such."""
    digits = text.rstrip("U")
    if re.fullmatch(r"-?(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)", digits):
        return int(digits, 8 if re.fullmatch(r"-?0[0-7]+", digits) else 0)
    choice = re.fullmatch(r"(.*)\?(.*):(.*)", text)
    if choice:
        condition, yes, no = choice.groups()
        return literal(yes if literal(condition.strip()) else no)
    if not re.fullmatch(r"[0-9a-fA-FxX+*/%&|^~<>=!() -]+", text):
        raise ValueError(text)
    text = re.sub(r"\b0(?=[0-7])", "0o", text)
    words = text.replace("&&", " and ").replace("||", " or ").replace("/", "//")
    return int(eval(re.sub(r"!(?!=)", " not ", words).strip(), {"__builtins__": {}}))


def declare(program: Program, text: str) -> None:
    """Read `.reg .u32 a, b`, `.reg .v2 .f32 c` or `.shared .align 4 .b32 buffer[32]`."""
    text, _, values = text.partition("=")
    words = text.split()
    kinds = [word[1:] for word in words if word.startswith(".")]
    if kinds[0] == "reg":
        count = int(kinds[1][1]) if kinds[1] in ("v2", "v4") else 2 if kinds[1] == "b128" else 1
        width = 64 if kinds[1] == "b128" else type_width(kinds[-1])
        for name in split_operands(text.split("." + kinds[-1], 1)[1]):
            many = re.fullmatch(r"([\w%$]+)<(\d+)>", name)
            names = [f"{many[1]}{at}" for at in range(int(many[2]))] if many else [name]
            for one in names:
                parts = [f"{one}.{part}" for part in "xyzw"[:count]] if count > 1 else [one]
                program.registers.update(dict.fromkeys(parts, width))
                if count > 1:
                    program.vectors[one] = parts
        return
    found = re.search(r"([\w$]+)((?:\[\d*\])*)\s*$", text)
    name, sizes = found[1], [int(size) for size in re.findall(r"\d+", found[2])]
    kind = kinds[-1]
    numbers = [constant(kind, value) for value in re.findall(r"[^{},\s]+", values)]
    count = len(numbers) if "[]" in found[2] else 1
    for size in sizes:
        count *= size
    size = type_width(kind) // 8 * count
    if kinds[0] == "shared":
        program.addresses[name] = SHARED + program.shared_size
        program.shared_size += (size + 15) // 16 * 16
    elif kinds[0] == "local":
        program.addresses[name] = LOCAL + program.local_size
        program.local_size += (size + 15) // 16 * 16
    else:
        program.addresses[name] = FIXED + len(program.fixed)
        data = b"".join(number.to_bytes(type_width(kind) // 8, "little") for number in numbers)
        program.fixed += data.ljust((size + 15) // 16 * 16, b"\0")


def constant(kind: str, text: str) -> int:
    """The bits of a value in a type."""
    if bits := re.fullmatch(r"0[fFdD]([0-9a-fA-F]+)", text):
        return int(bits[1], 16)
    if kind == "f32":
        return int.from_bytes(struct.pack("<f", float(text)), "little")
    return literal(text) & ((1 << type_width(kind)) - 1)


def label_of(program: Program) -> str:
    """The label that was read last."""
    return list(program.labels)[-1]


def parse(text: str) -> Program:
    """The program that a text is. Braces that open a scope stand alone on their lines."""
    program = Program()
    text = re.sub(r"/\*.*?\*/|//[^\n]*|^\s*\.loc\s[^\n]*", "", text, flags=re.S | re.M)
    for statement in re.sub(r"^\s*[{}]\s*$", "", text, flags=re.M).split(";"):
        statement = statement.strip()
        while label := re.match(r"([\w$]+):\s*", statement):
            program.labels[label[1]] = len(program.instructions)
            statement = statement[label.end() :]
        if not statement or statement.startswith(".pragma"):
            continue
        if statement.startswith(".branchtargets"):
            program.targets[label_of(program)] = split_operands(statement.split(None, 1)[1])
            continue
        if statement.startswith("."):
            declare(program, statement)
            continue
        guard = None
        if guarded := re.match(r"@(!?)([\w%$]+)\s+", statement):
            guard = (guarded[2], guarded[1] == "!")
            statement = statement[guarded.end() :]
        head, _, rest = statement.partition(" ")
        opcode, *modifiers = head.split(".")
        program.instructions.append(Instruction(opcode, modifiers, split_operands(rest), guard))
    return program


class Memory:
    """The memory of a block: what addresses stand for."""

    def __init__(self, program: Program, data: bytes, size: int) -> None:
        self.parts = {
            INPUT: bytearray(data),
            OUTPUT: bytearray(size),
            FIXED: bytearray(program.fixed),
            SHARED: bytearray(program.shared_size),
        }

    def _find(self, address: int, size: int, local: bytearray) -> tuple[bytearray, int]:
        for start, part in (*self.parts.items(), (LOCAL, local)):
            if start <= address and address + size <= start + len(part):
                return part, address - start
        raise IndexError(hex(address))

    def load(self, address: int, size: int, local: bytearray) -> int:
        part, at = self._find(address, size, local)
        return int.from_bytes(part[at : at + size], "little")

    def store(self, address: int, size: int, value: int, local: bytearray) -> None:
        part, at = self._find(address, size, local)
        part[at : at + size] = (value & ((1 << (8 * size)) - 1)).to_bytes(size, "little")


@dataclass
class Wait:
    """What a thread waits for: its warp (with a mask and what it brings) or a barrier (with what it brings)."""

    warp: bool
    mask: int
    value: object


class Thread:
    """A thread: its registers, and where it is."""

    def __init__(self, program: Program, memory: Memory, index: int, block: int) -> None:
        self.program, self.memory, self.index, self.block = program, memory, index, block
        self.values = dict.fromkeys(program.registers, 0)
        self.local = bytearray(program.local_size)
        self.carry = 0

    def read(self, operand: str, bits: int = 64) -> int:
        """The bits of an operand."""
        if operand in self.values:
            return self.values[operand] & ((1 << bits) - 1)
        lane = self.index % 32
        special = {
            "%0": INPUT,
            "%1": OUTPUT,
            "%tid.x": self.index,
            "%ntid.x": self.block,
            **{f"%{name}.{part}": 0 for name in ("tid", "ctaid") for part in "yz"},
            **{f"%{name}.{part}": 1 for name in ("ntid", "nctaid") for part in "yz"},
            "%ctaid.x": 0,
            "%nctaid.x": 1,
            "%warpid": self.index // 32,
            "%laneid": lane,
            "%lanemask_eq": 1 << lane,
            "%lanemask_lt": (1 << lane) - 1,
            "%lanemask_le": (2 << lane) - 1,
            "%lanemask_gt": ~((2 << lane) - 1),
            "%lanemask_ge": ~((1 << lane) - 1),
            "WARP_SZ": 32,
            **self.program.addresses,
        }
        if operand in special:
            return special[operand] & ((1 << min(bits, 32 if "mask" in operand else 64)) - 1)
        if bits_of_float := re.fullmatch(r"0[fFdD]([0-9a-fA-F]+)", operand):
            return int(bits_of_float[1], 16)
        if symbol := re.fullmatch(r"([\w$]+)\s*\+\s*(\d+)", operand):
            if symbol[1] in self.program.addresses:
                return self.program.addresses[symbol[1]] + int(symbol[2])
        if operand.startswith("!"):
            return int(not self.read(operand[1:], 1))
        return literal(operand) & ((1 << bits) - 1)

    def elements(self, operand: str) -> list[str]:
        """The parts of a vector."""
        if operand in self.program.vectors:
            return self.program.vectors[operand]
        if operand in ("%tid", "%ntid", "%ctaid", "%nctaid"):
            return [f"{operand}.{part}" for part in "xyz"] + ["0"]
        return split_operands(operand.strip("{}"))

    def write(self, operand: str, value: int) -> None:
        if operand != "_":
            self.values[operand] = value & ((1 << self.program.registers[operand]) - 1)

    def address(self, operand: str) -> int:
        """The address in `[register+offset]`."""
        base, offset = re.fullmatch(r"\[([\w%.$]+)(?:\+?(-?[\w()*]+))?\]", operand.replace(" ", "")).groups()
        return self.read(base) + (literal(offset) if offset else 0)

    def run(self, execute) -> Iterator[Wait]:
        """Run until the thread returns; give back what it waits for, each time."""
        at = 0
        while at < len(self.program.instructions):
            one = self.program.instructions[at]
            at += 1
            if one.guard and bool(self.read(one.guard[0])) == one.guard[1]:
                continue
            if one.opcode in ("exit", "ret"):
                return
            if one.opcode == "brx":
                labels = self.program.targets[one.operands[1]]
                at = self.program.labels[labels[self.read(one.operands[0])]]
                continue
            if one.opcode == "bra":
                at = self.program.labels[one.operands[0]]
                continue
            yield from execute(self, one)


def run(program: Program, execute, data: bytes, size: int, count: int) -> bytes:
    """Run a block of `count` threads, and give back what it wrote."""
    memory = Memory(program, data, size)
    threads = [Thread(program, memory, index, count) for index in range(count)]
    steps = {thread.index: thread.run(execute) for thread in threads}
    waits: dict[int, Wait] = {}

    def go_on(index: int, answer: object) -> None:
        try:
            waits[index] = steps[index].send(answer)
        except StopIteration:
            waits.pop(index, None)
            del steps[index]

    for index in range(count):
        go_on(index, None)
    while steps:
        moved = False
        for index in sorted(steps):
            wait = waits[index]
            if wait.warp:
                warp = index // 32 * 32
                group = [warp + lane for lane in range(32) if wait.mask >> lane & 1 and warp + lane in steps]
            else:
                group = sorted(steps)
            if any((waits[one].warp, waits[one].mask) != (wait.warp, wait.mask) for one in group):
                continue
            brought = {one: waits[one].value for one in group}
            for one in group:
                go_on(one, brought)
            moved = True
            break
        if not moved:
            raise RuntimeError("the threads wait for each other")
    return bytes(memory.parts[OUTPUT])
