"""How long operators take on the device and on the CPU, by dtype and size."""

from __future__ import annotations

import argparse
import json
import math
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .. import measure
from ..verify import SHORT, catalog
from .errors import BenchError
from .shapes import SHAPES

#: What the letters behind a size mean.
UNITS = {"k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def run(chosen: argparse.Namespace) -> str:
    """The table or the JSON."""
    sizes = [_size(word) for word in chosen.sizes.split(",")]
    names = _names(chosen.names)
    import torch

    from ..verify import place

    warnings.simplefilter("ignore")
    try:
        device = place.device(chosen.device)
        known = catalog.load()
    except (place.NoDevice, catalog.CatalogError) as error:
        raise BenchError(str(error)) from error
    lookup = catalog.Names(catalog.describe(known))
    found = dict.fromkeys(each for name in names for each in lookup.find(name) or _unknown(name))
    dtypes = []
    for word in chosen.dtypes.split(","):
        dtype = getattr(torch, SHORT.get(word, word), None)
        if not isinstance(dtype, torch.dtype):
            raise BenchError(f"--dtypes: torch has no dtype {word}")
        dtypes.append(dtype)
    rows = [
        _row(known[name], dtype, size, device, chosen)
        for name in found
        for dtype in dtypes
        for size in (sizes if _has_sizes(known[name]) else [0])
    ]
    about = place.versions(device)
    if chosen.json:
        return json.dumps({"about": about, "unit": "ns", "rows": rows}, indent=1, ensure_ascii=False) + "\n"
    return table(about, rows)


def _size(word: str) -> int:
    number, unit = (word[:-1], UNITS[word[-1]]) if word[-1:] in UNITS else (word, 1)
    if not number.isdigit() or not int(number):
        raise BenchError(f"--sizes: {word!r} is no size: 4096, 16k and 1M are")
    return int(number) * unit


def _names(words: list[str]) -> list[str]:
    """The names that are given, and those of the files that are."""
    found: list[str] = []
    for word in words:
        if Path(word).is_file():
            try:
                found += catalog.read_names(Path(word).read_text(encoding="utf-8"))
            except (OSError, UnicodeDecodeError) as error:
                raise BenchError(f"{word}: {error}") from error
        else:
            found.append(word)
    return found


def _unknown(name: str) -> list[str]:
    raise BenchError(f"{name} is not in PyTorch's list of operators with samples, and no file")


def _kind(operator: Any) -> str:
    return type(operator).__name__


def _has_sizes(operator: Any) -> bool:
    return operator.name in SHAPES or _kind(operator) in ("UnaryUfuncInfo", "BinaryUfuncInfo", "ReductionOpInfo")


def _inputs(operator: Any, dtype: Any, size: int) -> tuple[list[Any], str]:
    """The arguments on the CPU, and what they are."""
    from torch.testing import make_tensor

    from ..verify import samples

    samples.seed_all(0)
    root = max(int(math.sqrt(size)), 1)
    make = lambda *shape, **more: make_tensor(shape, dtype=dtype, device="cpu", **more)  # noqa: E731
    words = SHAPES.get(operator.name)
    if words == ("=two",):
        made: list[Any] = [[make(size), make(size)]]
    elif words is not None:
        made = []
        for word in words:
            if word.startswith("="):
                made.append((root,) if word == "=row" else int(word[1:]))
            else:
                letters = {"N": size, "R": root, "P": max(int(math.sqrt(size / 256)), 3)}
                made.append(make(*(letters.get(part) or int(part) for part in word.split())))
    elif _kind(operator) == "UnaryUfuncInfo":
        low, high = operator.domain
        made = [make(size, low=low, high=high)]
    elif _kind(operator) == "BinaryUfuncInfo":
        made = [make(size, **operator.lhs_make_tensor_kwargs), make(size, **operator.rhs_make_tensor_kwargs)]
    elif _kind(operator) == "ReductionOpInfo":
        made = [make(root, root), 1]
    else:
        found = samples.make(operator, dtype, False, 0, 0)
        if not found:
            raise ValueError("it has no samples")
        largest = max(found, key=samples.elements)
        return [largest], samples.say(largest)
    return made, ", ".join(map(_word, made))


def _word(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_word, value)) + "]"
    return str(list(value.shape)) if hasattr(value, "shape") else str(value)


def _row(operator: Any, dtype: Any, size: int, device: str, chosen: argparse.Namespace) -> dict[str, Any]:
    """The figures of one operator with one dtype and one size."""
    name = str(dtype).split(".")[-1]
    row: dict[str, Any] = {"operator": operator.full_name, "dtype": name, "size": size, "inputs": ""}
    try:
        made, row["inputs"] = _inputs(operator, dtype, size)
        for where in (device, "cpu"):
            timing = _time(operator, made, where, chosen)
            key = "cpu" if where == "cpu" else "device"
            row[key] = round(timing.median, 1)
            row[f"{key}_spread"] = round(timing.spread, 3)
    except Exception as error:
        row["error"] = f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}"
    return row


def _time(operator: Any, made: list[Any], where: str, chosen: argparse.Namespace) -> measure.Timing:
    import torch

    from ..verify import samples

    call: Callable[[], object]
    if made and hasattr(made[0], "kwargs"):
        sample = samples.copy(made[0], where)
        call = lambda: operator.op(sample.input, *sample.args, **sample.kwargs)  # noqa: E731
    else:
        there = torch.utils._pytree.tree_map(
            lambda each: each.to(where) if isinstance(each, torch.Tensor) else each, made
        )
        call = lambda: operator.op(*there)  # noqa: E731
    with torch.no_grad():
        return measure.time_call(call, measure.waiter(where), chosen.blocks, chosen.seconds)


def table(about: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    """The rows as a Markdown table, in microseconds."""
    lines = [
        f"{about['device']} ({about['name']}) and the CPU; torch {about['torch']}, torch_musa {about['torch_musa'] or 'none'}",
        "",
        "| operator | dtype | inputs | device µs | spread | CPU µs | spread | device / CPU |",
        "| --- | --- | --- | --: | --: | --: | --: | --: |",
    ]
    for row in rows:
        head = f"| {row['operator']} | {row['dtype']} | {row['inputs']} |"
        if "error" in row:
            lines.append(f"{head} {row['error']} | | | | |")
            continue
        parts = [f"{row['device'] / 1e3:.1f}", f"{row['device_spread']:.0%}"]
        parts += [f"{row['cpu'] / 1e3:.1f}", f"{row['cpu_spread']:.0%}", f"{row['device'] / row['cpu']:.2f}"]
        lines.append(f"{head} {' | '.join(parts)} |")
    if about.get("try_out"):
        lines += ["", "This is the try-out, which answers on the CPU: it says nothing of a device."]
    lines += ["", "Medians; the spread is from the quickest to the slowest measurement, as a share of the median."]
    return "\n".join(lines) + "\n"
