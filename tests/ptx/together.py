"""Instructions by which threads meet: barriers, and those of a warp."""

from __future__ import annotations

from collections.abc import Iterator

import exact
from machine import Instruction, Thread, Wait

TOGETHER = {"bar", "barrier", "shfl", "vote", "match", "redux", "activemask", "elect"}


def execute(thread: Thread, one: Instruction, kind: str) -> Iterator[Wait]:
    """Wait for the others, and take what is wanted of what they brought."""
    if one.opcode in ("bar", "barrier"):
        yield from barrier(thread, one)
        return
    operands = one.operands
    lane, warp = thread.index % 32, thread.index // 32 * 32
    if one.opcode == "activemask":
        mask = 0xFFFFFFFF
    else:
        # Without a mask, all lanes that are there take part.
        has_mask = "sync" in one.modifiers
        mask = thread.read(operands[1 if one.opcode == "elect" else -1], 32) if has_mask else 0xFFFFFFFF
    if one.opcode == "vote":
        name = operands[1]
        value = bool(thread.read(name.lstrip("!"))) != name.startswith("!")
    elif one.opcode in ("shfl", "match", "redux"):
        value = thread.read(operands[1], 64 if kind.endswith("64") else 32)
    else:
        value = None
    brought = yield Wait(True, mask, value)
    lanes = {index - warp: what for index, what in brought.items()}
    bits = lambda wanted: sum(1 << at for at, what in lanes.items() if wanted(what))
    match one.opcode:
        case "activemask":
            thread.write(operands[0], bits(lambda _: True))
        case "elect":
            leader = min(lanes)
            target, _, predicate = operands[0].partition("|")
            thread.write(target, leader)
            thread.write(predicate, int(lane == leader))
        case "vote":
            vote(thread, one, list(lanes.values()), bits(bool))
        case "match" if "any" in one.modifiers:
            thread.write(operands[0], bits(lambda what: what == value))
        case "match":
            target, _, predicate = operands[0].partition("|")
            same = len(set(lanes.values())) == 1
            thread.write(target, bits(lambda _: True) if same else 0)
            if predicate:
                thread.write(predicate, int(same))
        case "redux":
            thread.write(operands[0], reduce(one, kind, list(lanes.values())))
        case "shfl":
            shuffle(thread, one, lane, lanes)


def barrier(thread: Thread, one: Instruction) -> Iterator[Wait]:
    if "warp" in one.modifiers:
        yield Wait(True, thread.read(one.operands[0], 32), None)
        return
    if "arrive" in one.modifiers:
        return
    counts = one.operands[1:] if "red" not in one.modifiers else one.operands[2:-1]
    is_warp = bool(counts) and thread.read(counts[0]) == 32
    if "red" not in one.modifiers:
        yield Wait(is_warp, 0xFFFFFFFF if is_warp else 0, None)
        return
    name = one.operands[-1]
    value = bool(thread.read(name.lstrip("!"))) != name.startswith("!")
    brought = yield Wait(is_warp, 0xFFFFFFFF if is_warp else 0, value)
    count = sum(brought.values())
    if "popc" in one.modifiers:
        thread.write(one.operands[0], count)
    else:
        thread.write(one.operands[0], int(count == len(brought) if "and" in one.modifiers else count > 0))


def vote(thread: Thread, one: Instruction, values: list[bool], ballot: int) -> None:
    if "ballot" in one.modifiers:
        thread.write(one.operands[0], ballot)
        return
    how = {"all": all(values), "any": any(values), "uni": len(set(values)) == 1}
    thread.write(one.operands[0], int(next(how[flag] for flag in one.modifiers if flag in how)))


def reduce(one: Instruction, kind: str, values: list[int]) -> int:
    if kind == "f32":
        numbers = [exact.decode(kind, value) for value in values]
        if "abs" in one.modifiers:
            numbers = [exact.absolute(number) for number in numbers]
        best = numbers[0]
        for number in numbers:
            best = exact.extreme(best, number, "max" in one.modifiers, "NaN" in one.modifiers)
        return exact.encode(kind, best)
    if kind == "s32":
        values = [value - (value >> 31 << 32) for value in values]
    result = values[0]
    for value in values[1:]:
        result = {
            "add": result + value,
            "min": min(result, value),
            "max": max(result, value),
            "and": result & value,
            "or": result | value,
            "xor": result ^ value,
        }[next(flag for flag in one.modifiers if flag in ("add", "min", "max", "and", "or", "xor"))]
    return result


def shuffle(thread: Thread, one: Instruction, lane: int, lanes: dict[int, int]) -> None:
    """As the ISA's pseudocode has it: a lane number, a clamp and a mask of segments."""
    target, _, predicate = one.operands[0].partition("|")
    by, control = thread.read(one.operands[2], 32) & 31, thread.read(one.operands[3], 32)
    segments, limit = control >> 8 & 31, control & 31
    most = (lane & segments) | (limit & ~segments)
    least = lane & segments
    mode = next(flag for flag in one.modifiers if flag in ("up", "down", "bfly", "idx"))
    source, valid = {
        "up": (lane - by, lane - by >= most),
        "down": (lane + by, lane + by <= most),
        "bfly": (lane ^ by, lane ^ by <= most),
        "idx": (least | (by & ~segments), (least | (by & ~segments)) <= most),
    }[mode]
    thread.write(target, lanes[source] if valid else lanes[lane])
    if predicate:
        thread.write(predicate, int(valid))
