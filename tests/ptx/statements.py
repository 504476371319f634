"""A statement for each form of an instruction, in kernels of its own: what `examples/sass-check` compiles.

`python3 statements.py` prints a JSON object for each on a line: the instruction that it is about, and kernels that have it.
Forms from values to a value are those of `kernels_forms.py`; `statements_written.py` has the others.
"""

from __future__ import annotations

import json
import re

from forms import FORMS, register
from kernels_forms import list_forms
from statements_written import WRITTEN, condition

# The C++ type of an operand by its constraint; `p` is an address, whose constraint is `l`.
TYPES = {
    "h": "unsigned short", "r": "unsigned int", "l": "unsigned long long", "f": "float", "d": "double", "p": "void *",
}
LETTERS = {"b16": "h", "b32": "r", "b64": "l", "f32": "f", "f64": "d", "pred": "f"}

# Where a kernel has the operands from: its parameters in their order or the other way round, or memory. A compiler sorts the
# operands of `a + b` by where they come from, and knows of parameters that they are addresses of global memory. What is the
# same with any of them is the same for all operands.
CONTEXTS = ["parameters", "reversed", "memory"]

STATEMENTS: list[dict] = []


def statement(opcode: str, text: str, outputs: str, inputs: str) -> None:
    """Add a statement. Predicates `p` and `q` of its text are declared."""
    predicates = [f".reg .pred {name};" for name in "pq" if re.search(rf"(?<![\w%.]){name}\b", text)]
    text = " ".join([*predicates, text]).strip()
    kernels = []
    for context in CONTEXTS[: 3 if inputs else 1]:
        name = f"statement_{len(STATEMENTS)}_{context}"
        kernels.append({"name": name, "source": kernel(name, text, outputs, inputs, context)})
    STATEMENTS.append({"opcode": opcode, "kernels": kernels})


def kernel(name: str, text: str, outputs: str, inputs: str, context: str) -> str:
    """A kernel around a statement."""
    parameters = [f"{TYPES[letter]} *to{at}" for at, letter in enumerate(outputs)]
    if context == "memory":
        sources = [f"const {TYPES[letter]} *from{at}" for at, letter in enumerate(inputs)]
        sources = [source.replace("const void *", "void *const ") for source in sources]
        operands = [f"*from{at}" for at in range(len(inputs))]
    else:
        sources = [f"{TYPES[letter]} a{at}" for at, letter in enumerate(inputs)]
        operands = [f"a{at}" for at in range(len(inputs))]
        if context == "reversed":
            sources.reverse()
    constraint = lambda letter: "l" if letter == "p" else letter
    written = ", ".join(f'"={constraint(letter)}"(d{at})' for at, letter in enumerate(outputs))
    read = ", ".join(f'"{constraint(letter)}"({operand})' for letter, operand in zip(inputs, operands, strict=True))
    lines = [f'extern "C" __global__ void {name}({", ".join(parameters + sources)}) {{']
    lines += [f"    {TYPES[letter]} d{at};" for at, letter in enumerate(outputs)]
    lines.append(f'    asm volatile("{{ {text} }}" : {written} : {read} : "memory");')
    lines += [f"    *to{at} = d{at};" for at in range(len(outputs))]
    return "\n".join([*lines, "}"]) + "\n"


def formed(opcode: str, target: str, sources: tuple[str, ...], tail: str) -> None:
    """Add the statement of a form from values to a value."""
    kinds = [source.rstrip("!") for source in sources]
    if "b8" in (register(kind) for kind in (target, *kinds)):
        # No operand of `asm` has eight bits.
        return
    outputs = "r" if target == "pred" else LETTERS[register(target)]
    inputs = "".join(LETTERS[register(kind)] for kind in kinds)
    lines, names = [], []
    for at, kind in enumerate(kinds):
        place = f"%{at + 1}"
        if kind == "pred":
            name = "pq"[names.count("p")]
            lines.append(condition(name, place))
            place = name
        names.append(place)
    result = "%0"
    if target == "pred":
        result = "d"
        lines.append(".reg .pred d;")
    # A carry that is read comes from somewhere, and one that is written goes somewhere.
    carry = "sub" if opcode.startswith("sub") else "add"
    if opcode.startswith(("addc", "subc", "madc")):
        first = len(inputs) + 1
        inputs += "rr"
        lines += [".reg .u32 unused;", f"{carry}.cc.u32 unused, %{first}, %{first + 1};"]
    lines.append(f"{opcode} {', '.join([result, *names])}{tail};")
    if target == "pred":
        lines.append("selp.u32 %0, 1, 0, d;")
    text = " ".join(lines)
    if ".cc." in opcode:
        outputs += "r"
        # One more output moves each input by one.
        text = re.sub(r"%([1-9])", lambda found: f"%{int(found[1]) + 1}", text) + f" {carry}c.u32 %1, 0, 0;"
    statement(opcode, text, outputs, inputs)


def main() -> None:
    """Print all statements."""
    list_forms()
    for sources, group in FORMS.items():
        for opcode, target, tail in group:
            formed(opcode, target, sources, tail)
    for opcodes, text, outputs, inputs in WRITTEN:
        for opcode in opcodes.split():
            statement(opcode, text.replace("OP", opcode), outputs, inputs)
    for one in STATEMENTS:
        print(json.dumps(one))


if __name__ == "__main__":
    main()
