"""PyTorch's own list of operators with samples, `op_db`: importing it, and finding operators in it by name."""

from __future__ import annotations

import importlib.util
import re
import sys
import types
import unittest
from collections.abc import Iterable
from typing import Any

from . import known


class CatalogError(Exception):
    """The list can't be had; the text says what to do."""


def load() -> dict[str, Any]:
    """Each operator of the installed torch by its full name, sorted. Takes two seconds."""
    if importlib.util.find_spec("numpy") is None:
        raise CatalogError("PyTorch's operator samples are made with NumPy, which is not installed: pip install numpy")
    _stand_in_for_expecttest()
    try:
        from torch.testing._internal import common_methods_invocations as invocations
    except ImportError as error:
        wanted = f": pip install {error.name}" if isinstance(error, ModuleNotFoundError) and error.name else ""
        raise CatalogError(f"PyTorch's operator samples can't be imported: {error}{wanted}") from error
    # Random operators would get the same seed at each call, so that nothing could be learnt of their distribution.
    invocations.wrapper_set_seed = lambda call, *arguments, **named: call(*arguments, **named)
    return {each.full_name: each for each in sorted(invocations.op_db, key=lambda each: each.full_name)}


def _stand_in_for_expecttest() -> None:
    """Let `torch.testing` be imported without a package that only the classes of its tests need."""
    if "expecttest" in sys.modules or importlib.util.find_spec("expecttest") is not None:
        return
    module = types.ModuleType("expecttest")
    module.TestCase = unittest.TestCase  # type: ignore[attr-defined]
    module.assert_expected_inline = lambda *_, **__: None  # type: ignore[attr-defined]
    sys.modules["expecttest"] = module


def describe(operators: dict[str, Any]) -> list[dict[str, Any]]:
    """What the process that shares out the work has to know of each operator."""
    return [
        {
            "name": name,
            "names": sorted({operator.name, operator.aten_name, *(alias.name for alias in operator.aliases)}),
            "dtypes": [str(dtype).split(".")[-1] for dtype in dtypes(operator)],
        }
        for name, operator in operators.items()
    ]


def dtypes(operator: Any) -> list[Any]:
    """The dtypes that CUDA's kernels take, in an order of their own: what a program written for CUDA may use."""
    import torch

    order = [torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.complex64, torch.complex128]
    order += [torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool, torch.complex32]
    have = operator.supported_dtypes("cuda")
    return [dtype for dtype in order if dtype in have] + sorted(have - set(order), key=str)


class Names:
    """Finds operators by whatever name people and tools use for them."""

    def __init__(self, catalog: Iterable[dict[str, Any]]) -> None:
        self._by_name: dict[str, list[str]] = {}
        for entry in catalog:
            for name in {entry["name"], *entry["names"]}:
                self._by_name.setdefault(name, []).append(entry["name"])

    def find(self, name: str) -> list[str]:
        """The full names of the operators that a name means: `aten::add.Tensor`, `torch.nn.ReLU`, `add_`."""
        for spelling in _spellings(name):
            found = self._by_name.get(spelling)
            if found:
                return found
        return []


def _spellings(name: str) -> list[str]:
    """What `op_db` may call it, the likeliest first."""
    if name.startswith("aten::"):
        plain = name[len("aten::") :].split(".")[0]
    else:
        plain = re.sub(r"^torch\.(?:Tensor\.)?", "", name)
        if plain.startswith("ops.aten."):
            plain = plain.split(".")[2]
    found = [plain, plain.rstrip("_")]
    found += [re.sub(r"_(?:backward|forward)$", "", plain.strip("_")), plain.strip("_")]
    found += [f"nn.functional.{each}" for each in list(found)]
    found += [each.replace("F.", "nn.functional.", 1) for each in (plain, plain.rstrip("_")) if each.startswith("F.")]
    for prefix in ("linalg", "fft", "special"):
        if plain.startswith(prefix + "_"):
            found.append(plain.replace("_", ".", 1))
    if plain.startswith("nn.") and plain[3:4].isupper():
        module = plain[3:]
        snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", module).lower()
        spelled = [each for each in (known.MODULES.get(module), snake, module.lower()) if each]
        found += [f"nn.functional.{each}" for each in spelled] + spelled
    return found


def read_names(text: str) -> list[str]:
    """The names of a file: one a line, or the first word of a line; `#` starts a comment."""
    names = (line.split("#", 1)[0].split() for line in text.splitlines())
    return list(dict.fromkeys(words[0] for words in names if words))
