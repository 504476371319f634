"""Options of nvcc, of the linker and of extensions, as MUSA's tools take them."""

from __future__ import annotations

import logging
import os
import re
import shlex
import warnings
from collections.abc import Iterable
from typing import Any

from .. import _libraries, _tables

#: Libraries of torch built for CUDA. torch_musa's builder names its own.
_OF_TORCH = frozenset({"c10_cuda", "torch_cuda", "torch_cuda_cpp", "torch_cuda_cu"})

#: An option, what parts it from a value in the same word, and the value.
_OPTION = re.compile(r"([^= ]*)(?:([= ])\s*(.*))?", re.DOTALL)

#: A processor, which options of other compilers name: `-arch arm64`.
_PROCESSOR = re.compile(r"[a-z][a-z0-9_]*\Z")

_logger = logging.getLogger("torchada")

_TARGET = re.compile(r"(?:mp_)?(\d+)\Z")


def compiler_flags(flags: Iterable[str] | None) -> list[str]:
    """What mcc takes for options of nvcc.

    Options for GPU architectures go: `targets` has MUSA's. So do those that are known to be needless. An
    option of which no counterpart is known is left out with a warning, since mcc would stop at it.
    """
    words = [word for word in (str(flag).strip() for flag in flags or ()) if word]
    kept: list[str] = []
    needless: list[str] = []
    unknown: list[str] = []
    while words:
        count, translated = _option(words, needless, unknown)
        kept += translated
        del words[:count]
    if needless:
        _logger.info("options of nvcc that mcc does without are left out: %s", ", ".join(needless))
    if unknown:
        warnings.warn(
            f"torchada leaves out options of nvcc of which no counterpart of mcc's is known: {', '.join(unknown)}. "
            "Give mcc's own with the key 'mcc' of extra_compile_args.",
            RuntimeWarning,
            stacklevel=3,
        )
    return kept


def _option(words: list[str], needless: list[str], unknown: list[str]) -> tuple[int, list[str]]:
    """How many words the option takes that they begin with, and what stands in its place.

    What is left out goes to one of the lists. The program takes the same steps for build files (`src/rules/flags`).
    """
    if words[0].startswith(("-D", "-U")):
        # A macro follows the code.
        macro, equals, defined = words[0][2:].partition("=")
        return 1, [words[0][:2] + _tables.SWITCHES.get(macro, macro) + equals + defined]
    name, between, value = _OPTION.match(words[0]).groups("")  # type: ignore[union-attr]
    apart = not between and len(words) > 1
    if apart:
        value = words[1]
    if apart and name in _tables.JOINED_FLAGS and not value.startswith("-"):
        return 2, [f"{name}={value}"]
    takes_value = name in _tables.FLAGS_WITH_VALUES or name in _tables.FLAGS_FOR_EACH
    pairs = [pair for pair in (f"{name} {value}", f"{name}={value}") if value and _is_known(pair)]
    count = 2 if apart and (takes_value or pairs) else 1
    if apart and count == 1:
        value = ""
    spelling = " ".join(words[:count])
    if name in _tables.LINKER_FLAGS:
        clangs = count == 2 and not name.startswith("--") and "," not in value
        to = words[:count] if clangs or not value else [_tables.LINKER_PREFIX + ",".join(_bare(value).split())]
        return count, to
    if name in _tables.FLAGS_FOR_EACH and value:
        parts = [_tables.FLAGS_FOR_EACH[name] + part for part in _bare(value).split(",")]
        return count, [word for part in parts for word in _option([part], needless, unknown)[1]]
    option = pairs[0] if pairs else name
    if not _is_known(option) or between == " " and not (takes_value or pairs):
        return count, words[:count]
    if option in _tables.GPU_FLAGS:
        processor = _PROCESSOR.match(value) and not value.startswith(tuple(_tables.GPU_VALUES))
        return count, words[:count] if processor else []
    if name in _tables.HOST_FLAGS and not pairs:
        return count, _forwarded(spelling, _bare(value), needless, unknown)
    if option in _tables.UNKNOWN_FLAGS:
        unknown.append(spelling)
        return count, shlex.split(_tables.COMPILER_FLAGS.get(option, ""))
    to = shlex.split(_tables.COMPILER_FLAGS[option])
    if not to:
        needless.append(spelling)
    return count, to


def _forwarded(spelling: str, value: str, needless: list[str], unknown: list[str]) -> list[str]:
    """The options for the host's compiler in the value of another: mcc is a clang, and takes them itself."""
    kept: list[str] = []
    lost: tuple[list[str], list[str]] = ([], [])
    options = [] if value.startswith(_tables.WINDOWS_PREFIX) else value.split()
    for word in options:
        at = min((word.find(front) for front in _tables.FORWARDING if front in word), default=len(word))
        for option in filter(None, [*word[:at].split(","), word[at:]]):
            shared = option.partition("=")[0] in _tables.SHARED_FLAGS
            kept += [option] if shared else _option([option], *lost)[1]
    if not kept:
        lost = ([], [spelling]) if lost[1] else ([spelling], [])
    needless += lost[0]
    unknown += lost[1]
    return kept


def _is_known(option: str) -> bool:
    return option in _tables.COMPILER_FLAGS or option in _tables.UNKNOWN_FLAGS


def _bare(value: str) -> str:
    """A value without the quotes around it."""
    return value.strip("\"'\\") if value.startswith(('"', "'", "\\")) else value


def compile_args(arguments: Any) -> dict[str, list[str]]:
    """`extra_compile_args` as torch_musa takes it: lists under "cxx" and "mcc"."""
    if not isinstance(arguments, dict):
        # A list is for both compilers.
        flags = [str(flag) for flag in arguments or ()]
        return {"cxx": flags, "mcc": compiler_flags(flags)}
    result: dict[str, list[str]] = {"cxx": [], "mcc": []}
    for key, flags in arguments.items():
        name = _tables.COMPILER_KEYS.get(key)
        options = [str(flag) for flag in flags] if name is None else compiler_flags(flags)
        result.setdefault(name or str(key), []).extend(options)
    return result


def libraries(names: Iterable[str] | None) -> list[str]:
    """The libraries to link, without those that torch_musa's builder names itself."""
    return [_libraries.linked(name) for name in names or () if name not in _OF_TORCH]


def linker_flags(flags: Iterable[str] | None) -> list[str]:
    """Options of the linker; `-lcudart` and its kin are MUSA's."""
    result = []
    words = map(str, flags or ())
    for flag in words:
        # The name may be a word of its own.
        name = (flag[2:] or next(words, "")) if flag.startswith("-l") else None
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
    if any(flag.startswith(_tables.GPU_OPTION.partition("=")[0]) for flag in flags):
        return []
    return [_tables.GPU_OPTION.format(number) for number in targets()]
