"""What the sources of an extension include from the project and from libraries of CUDA code."""

from __future__ import annotations

import importlib.util
import os
import re
import sysconfig
from collections.abc import Callable, Iterator, Sequence
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

#: Sources that may have CUDA in them.
CODE_ENDINGS = (".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".cu")

#: What tells an include folder of CUDA's own libraries, which nobody ports.
_OF_CUDA = (
    "cuda_runtime_api.h",
    "cublas_api.h",
    "cudnn.h",
    "cufft.h",
    "curand.h",
    "cusolverDn.h",
    "cusparse.h",
    "nccl.h",
)


class Inputs(NamedTuple):
    """What is to be ported, by absolute paths."""

    #: The sources and the headers that have to be ported with them.
    files: list[str]
    #: The sources alone.
    sources: list[str]
    #: The include folders in which some of the headers were found.
    folders: list[str]
    #: All that was read to find out.
    seen: list[str]


def says_cuda(sources: Sequence[str], include_dirs: Sequence[str]) -> bool:
    """Whether the sources, or the project's headers that they include, have anything of CUDA's."""
    found = closure(sources, include_dirs)
    return any(_CUDA.search(_read(path)) for path in found.files)


class _Include(NamedTuple):
    includer: str
    header: str
    #: The include folder in which it is; None for what lies beside its includer.
    folder: str | None


def closure(sources: Sequence[str], include_dirs: Sequence[str]) -> Inputs:
    """The sources, and the headers that they include and that have to be ported with them.

    Conditions are not evaluated. Headers of torch, Python, the SDKs and the system are left alone; those of
    other libraries come along only if they, or what they include, have to do with CUDA.
    """
    folders = [os.path.abspath(path) for path in include_dirs]
    folders = [path for path in dict.fromkeys(folders) if not _is_system(path)]
    wanted = [os.path.abspath(path) for path in sources]
    own, left_alone = _project(), _left_alone()
    seen = dict.fromkeys(wanted)
    taken = dict.fromkeys(wanted)
    edges = []
    waiting = list(reversed(wanted))
    while waiting:
        path = waiting.pop()
        content = _read(path)
        if own(path) or _CUDA.search(content):
            taken[path] = None
        for quoted, angled in _INCLUDE.findall(content):
            places = _places(os.fsdecode(quoted or angled), path if quoted else None, folders)
            folder, header = next((place for place in places if os.path.isfile(place[1])), (None, ""))
            if header and not (folder and left_alone(header)):
                edges.append(_Include(path, header, folder))
                if header not in seen:
                    seen[header] = None
                    waiting.append(header)
    _complete(taken, edges)
    used = {each.folder for each in edges if each.header in taken}
    return Inputs(list(taken), wanted, [path for path in folders if path in used], list(seen))


def _complete(taken: dict[str, None], edges: Sequence[_Include]) -> None:
    """Take what lies beside its includer, which has to lie beside its port, and what includes a ported header,
    which would include the other one otherwise."""
    size = 0
    while size != len(taken):
        size = len(taken)
        for each in edges:
            if each.header in taken:
                taken[each.includer] = None
            elif each.folder is None and each.includer in taken:
                taken[each.header] = None


def _places(name: str, includer: str | None, folders: Sequence[str]) -> Iterator[tuple[str | None, str]]:
    if includer is not None:
        yield None, os.path.normpath(os.path.join(os.path.dirname(includer), name))
    for folder in folders:
        yield folder, os.path.normpath(os.path.join(folder, name))


def _read(path: str) -> bytes:
    # A pipe would have the build wait for ever.
    if not os.path.isfile(path):
        return b""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def _project() -> Callable[[str], bool]:
    """Whether a file is the project's: it is below the current folder, and in no environment that lies there."""
    project = os.getcwd()
    environment = {sysconfig.get_path(name) for name in ("purelib", "platlib")}

    def own(path: str) -> bool:
        return _is_below(path, project) and not any(_is_below(path, folder) for folder in environment)

    return own


#: Folders whose headers are MUSA's already, or nobody's to port: their paths, their names or those of packages.
_EXCLUDED = "TORCHADA_EXCLUDE_DIRS"


def _left_alone() -> Callable[[str], bool]:
    """Whether a header in an include folder is below a folder that `TORCHADA_EXCLUDE_DIRS` names."""
    listed = [each.strip() for each in re.split(f"[{os.pathsep},]", os.environ.get(_EXCLUDED, ""))]
    names = {each for each in listed if each and os.sep not in each}
    paths = [os.path.expanduser(os.path.expandvars(each)) for each in listed if os.sep in each]
    roots = [os.path.realpath(path) for path in [*paths, *_packages(*sorted(names))]]

    def left_alone(header: str) -> bool:
        folder = os.path.dirname(os.path.realpath(header))
        return not names.isdisjoint(folder.split(os.sep)) or any(_is_below(folder, root) for root in roots)

    return left_alone


def _is_system(folder: str) -> bool:
    if any(os.path.isfile(os.path.join(folder, name)) for name in _OF_CUDA):
        return True
    project = os.getcwd()
    return any(_is_below(folder, root) and not _is_below(project, root) for root in _system_folders())


def _system_folders() -> list[str]:
    from .. import _libraries

    paths = sysconfig.get_paths()
    return [
        "/usr/include",
        "/usr/local/include",
        _libraries.musa_home(),
        paths["include"],
        paths["platinclude"],
        *_packages("torch", "torch_musa"),
    ]


def _packages(*names: str) -> Iterator[str]:
    """The folders of packages, which are not imported to find out."""
    for name in names:
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError):
            continue
        yield from (spec.submodule_search_locations or ()) if spec else ()


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
