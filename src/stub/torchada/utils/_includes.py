"""What the sources of an extension include from the project and from libraries of CUDA code."""

from __future__ import annotations

import os
import re
import sysconfig
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include(?:_next)?[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.MULTILINE)

#: What only code that has to do with CUDA says. Too much is found rather than too little.
_CUDA = re.compile(
    rb"cuda|CUDA|cu[bB]|cublas|curand|cufft|cudnn|cusparse|cusolver|cupti|nccl|nvtx|nvrtc|thrust|\bcu[A-Z]"
)

#: Sources that are for nvcc, whatever is in them.
CUDA_ENDINGS = (".cu", ".cuh")

#: Sources that are MUSA's already.
MUSA_ENDINGS = (".mu", ".muh")


class Inputs(NamedTuple):
    """What is to be ported, by absolute paths."""

    #: The sources and the headers that they include.
    files: list[str]
    #: The sources alone.
    sources: list[str]
    #: The include folders in which some of the headers were found.
    folders: list[str]


def says_cuda(sources: Sequence[str], include_dirs: Sequence[str]) -> bool:
    """Whether the sources, or the project's headers that they include, have anything of CUDA's."""
    found = closure(sources, include_dirs)
    return any(_CUDA.search(_read(path)) for path in found.files)


def closure(sources: Sequence[str], include_dirs: Sequence[str]) -> Inputs:
    """The sources, and the headers that they include and that have to be ported with them.

    Conditions are not evaluated. Headers of torch, Python, the SDK and the system are left alone; those of
    other libraries come along only if they have to do with CUDA.
    """
    folders = [os.path.abspath(path) for path in include_dirs]
    folders = [path for path in dict.fromkeys(folders) if not _is_system(path)]
    wanted = [os.path.abspath(path) for path in sources]
    taken = dict.fromkeys(wanted)
    seen = set(wanted)
    used = set()
    project = os.getcwd()
    waiting = list(wanted)
    while waiting:
        path = waiting.pop()
        for quoted, angled in _INCLUDE.findall(_read(path)):
            places = _places(os.fsdecode(quoted or angled), path if quoted else None, folders)
            folder, header = next((place for place in places if os.path.isfile(place[1])), (None, ""))
            if header and header not in seen:
                seen.add(header)
                waiting.append(header)
                # What lies beside its includer has to lie beside its port.
                if folder is None or _is_below(header, project) or _CUDA.search(_read(header)):
                    taken[header] = None
            if header in taken:
                used.add(folder)
    return Inputs(list(taken), wanted, [path for path in folders if path in used])


def _places(name: str, includer: str | None, folders: Sequence[str]) -> Iterator[tuple[str | None, str]]:
    if includer is not None:
        yield None, os.path.normpath(os.path.join(os.path.dirname(includer), name))
    for folder in folders:
        yield folder, os.path.normpath(os.path.join(folder, name))


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def _is_system(folder: str) -> bool:
    if _is_below(folder, os.getcwd()):
        return False
    return any(_is_below(folder, root) for root in _system_folders())


def _system_folders() -> list[str]:
    import torch
    import torch_musa

    from .. import _libraries

    packages = [os.path.dirname(module.__file__) for module in (torch, torch_musa) if module.__file__]
    paths = sysconfig.get_paths()
    return [
        "/usr/include",
        "/usr/local/include",
        _libraries.musa_home(),
        paths["include"],
        paths["platinclude"],
        *packages,
    ]


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
