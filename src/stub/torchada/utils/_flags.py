"""Options of nvcc, of the linker and of extensions, as MUSA's tools take them."""

from __future__ import annotations

import os
import re
import shlex
import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from .. import _libraries, _tables

#: Libraries of torch built for CUDA. torch_musa's builder names its own.
_OF_TORCH = frozenset({"c10_cuda", "torch_cuda", "torch_cuda_cpp", "torch_cuda_cu"})

#: What the keys of `extra_compile_args` are called.
_KEYS = {"nvcc": "mcc", "nvcc_dlink": "mcc_dlink"}

_TARGET = re.compile(r"(?:mp_)?(\d+)\Z")


def compiler_flags(flags: Iterable[str] | None) -> list[str]:
    """What mcc takes for options of nvcc.

    Options for GPU architectures go: `targets` has MUSA's. So do those that are known to be needless. An
    option of which no counterpart is known is left out with a warning, since mcc would stop at it.
    """
    return list(_translated(_split(flags)))


def _split(flags: Iterable[str] | None) -> Iterator[str]:
    for flag in flags or ():
        # `"-gencode arch=…"` in one string is two arguments to nvcc as torch calls it through a shell.
        first, _, rest = str(flag).strip().partition(" ")
        if rest and first in _tables.FLAGS_WITH_VALUES:
            yield first
            yield rest.strip()
        elif first:
            yield str(flag).strip()


def _translated(flags: Iterator[str]) -> Iterator[str]:
    left_out = []
    waiting = deque(flags)
    while waiting:
        flag = waiting.popleft()
        pair = f"{flag} {waiting[0]}" if waiting else ""
        if pair in _tables.COMPILER_FLAGS:
            waiting.popleft()
            yield from shlex.split(_tables.COMPILER_FLAGS[pair])
            continue
        if flag in _tables.COMPILER_FLAGS and flag not in _tables.FLAGS_WITH_VALUES:
            if _tables.COMPILER_FLAGS[flag]:
                yield from shlex.split(_tables.COMPILER_FLAGS[flag])
            continue
        name, equals, value = flag.partition("=")
        if name in _tables.FLAGS_WITH_VALUES:
            if not equals and waiting:
                value = waiting.popleft()
            both = f"{name} {value}"
            if name in _tables.HOST_FLAGS:
                for part in shlex.split(value):
                    yield from filter(None, part.split(","))
            elif both in _tables.COMPILER_FLAGS:
                yield from shlex.split(_tables.COMPILER_FLAGS[both])
            elif name == "-x":
                yield from (name, value)
            elif name not in _tables.COMPILER_FLAGS:
                left_out.append(both)
        elif flag in _tables.UNKNOWN_FLAGS:
            left_out.append(flag)
        elif equals and name in _tables.COMPILER_FLAGS:
            yield from shlex.split(_tables.COMPILER_FLAGS[name])
        else:
            yield flag
    if left_out:
        warnings.warn(
            f"torchada leaves out options of nvcc of which no counterpart of mcc's is known: {', '.join(left_out)}. "
            "Give mcc's own with the key 'mcc' of extra_compile_args.",
            RuntimeWarning,
            stacklevel=5,
        )


def compile_args(given: Any) -> dict[str, list[str]]:
    """`extra_compile_args` as torch_musa takes it: lists under "cxx" and "mcc"."""
    if not isinstance(given, dict):
        # A list is for both compilers.
        flags = [str(flag) for flag in given or ()]
        return {"cxx": flags, "mcc": compiler_flags(flags)}
    result: dict[str, list[str]] = {"cxx": [], "mcc": []}
    for key, flags in given.items():
        name = str(_KEYS.get(key, key))
        result.setdefault(name, []).extend(compiler_flags(flags) if key in _KEYS else [str(flag) for flag in flags])
    return result


def libraries(names: Iterable[str] | None) -> list[str]:
    """The libraries to link, without those that torch_musa's builder names itself."""
    return [_libraries.linked(name) for name in names or () if name not in _OF_TORCH]


def linker_flags(flags: Iterable[str] | None) -> list[str]:
    """Options of the linker; `-lcudart` and its kin are MUSA's."""
    result = []
    for flag in flags or ():
        flag = str(flag)
        name = flag[2:] if flag.startswith("-l") else None
        if name is None:
            result.append(flag)
        elif name not in _OF_TORCH:
            result.append("-l" + _libraries.linked(name))
    return result


def targets() -> list[str]:
    """The numbers of the architectures in `MTGPU_TARGET`: `mp_22` or `mp_22;mp_31`; none if it is not set."""
    numbers = []
    for name in re.split(r"[;,\s]+", os.environ.get("MTGPU_TARGET", "").strip()):
        matched = _TARGET.match(name)
        if matched:
            numbers.append(matched[1])
        elif name:
            raise ValueError(f"MTGPU_TARGET={name} names no architecture: it takes mp_NN, such as mp_31")
    return numbers


def include_dirs(flags: Iterable[str]) -> list[str]:
    """The folders that options of a compiler name for includes."""
    found = []
    words = iter(flags)
    for flag in words:
        for option in ("-isystem", "-I"):
            if flag.startswith(option):
                found.append(flag[len(option) :].strip() or next(words, ""))
                break
    return [path for path in found if path]


def target_flags(flags: Iterable[str]) -> list[str]:
    """What to add to mcc's options so that they name the architectures of `MTGPU_TARGET`."""
    if any(flag.startswith("--offload-arch") for flag in flags):
        return []
    return [f"--offload-arch=mp_{number}" for number in targets()]
