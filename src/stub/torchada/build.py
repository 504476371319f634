"""Port the sources of extensions while they are built: for a `setup.py`, and for builds of other kinds.

One line in the `setup.py` of a project that is written for CUDA:

    import torchada.build

    setup(..., cmdclass=torchada.build.cmdclass())                    # or around a command of your own:
    setup(..., cmdclass=torchada.build.cmdclass(BuildExtension))

or, where the sources are wanted for something else:

    sources = torchada.build.port_sources(["csrc/ops.cpp"], include_dirs=["include"])
    Extension("ops", sources, include_dirs=sources.include_dirs)

The setup script of a PyTorch extension needs the import alone, as its first line.

On MUSA the sources, and the headers that they reach, are ported into the build folder and built from there.
The project's own files stay as they are, and what has not changed since the last time is not ported again.
Anywhere else nothing happens at all, unless `TORCHADA_FORCE=1` or `FORCE_MUSA=1` asks for it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _distribution

# Before anything is imported that the other one may have written over.
if (_fault := _distribution.mixed()) is not None:
    raise ImportError(f"torchada.build does not port: {_fault}")

from ._wanted import is_wanted
from .utils import _includes, _porter, _setup
from .utils._porter import PortError

if TYPE_CHECKING:
    from setuptools import Command

    from .utils._command import build_ext

__all__ = ["PortError", "Sources", "build_ext", "cmdclass", "is_wanted", "port_sources"]


class Sources(list[str]):
    """Paths of sources, to be given to an extension; where nothing was ported, those that were asked for."""

    #: The include folders to build them with: before each one that has ported headers, that of the ported ones.
    include_dirs: list[str]

    def __init__(self, paths: Sequence[str], include_dirs: Sequence[str]) -> None:
        super().__init__(paths)
        self.include_dirs = list(include_dirs)


def port_sources(
    sources: Sequence[str | os.PathLike[str]],
    include_dirs: Sequence[str | os.PathLike[str]] = (),
    build_dir: str | os.PathLike[str] = "build/torchada",
    *,
    force: bool = False,
    verbose: bool = False,
    options: Sequence[str] = (),
) -> Sources:
    """Port sources, and the headers that they reach, and return the paths of the ported ones.

    Headers are looked for beside what includes them and in `include_dirs`, which may lie outside the project;
    those of torch, Python, the SDKs and the system are left alone. Sources that are not C, C++ or CUDA are
    returned as they are, and so are all of them where nothing they reach has to do with CUDA, or where
    `is_wanted(force)` says no. Each set of sources has a folder of its own below `build_dir`. `options` are
    more arguments of `torchada port`, such as `["--mapping", "names.toml"]`.

    Raises `PortError` if the program is not there, or could not port.
    """
    paths = [os.fspath(path) for path in sources]
    own = [os.fspath(path) for path in include_dirs]
    code = [path for path in paths if path.endswith(_includes.CODE_ENDINGS)]
    if not code or not is_wanted(force) or not _includes.says_cuda(code, own):
        return Sources(paths, own)
    # Two calls with one build folder must not take away each other's files.
    mark = hashlib.sha256("\0".join([*code, "", *own]).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    stem = os.path.splitext(os.path.basename(code[0]))[0]
    place = os.path.join(build_dir, f"{stem}-{mark}")
    ported = _porter.port(code, own, place, verbose, options)
    named = dict(zip(code, (ported.files[os.path.abspath(path)] for path in code)))
    results = [_like(build_dir, named[path]) if path in named else path for path in paths]
    return Sources(results, [_like(build_dir, path) for path in ported.include_dirs(own)])


def _like(build_dir: str | os.PathLike[str], path: str) -> str:
    """A path below the build folder, relative where that is: setuptools wants no absolute ones."""
    if os.path.isabs(build_dir) or not path.startswith(os.path.abspath(build_dir) + os.sep):
        return path
    return os.path.relpath(path)


def cmdclass(
    commands: type[Command] | Mapping[str, type[Command]] | None = None,
    *,
    force: bool = False,
    options: Sequence[str] = (),
) -> dict[str, type[Any]]:
    """The `cmdclass` of a `setup()`: a `build_ext` that ports the extensions' sources before it builds them.

    `commands` is a `build_ext` of your own, a whole `cmdclass`, or nothing, for setuptools' `build_ext`. What it
    does otherwise stays, torch's `BuildExtension` included. Where `is_wanted(force)` says no, the commands are
    given back as they are. `options` are more arguments of `torchada port`.
    """
    classes = dict(commands) if isinstance(commands, Mapping) else {"build_ext": commands} if commands else {}
    from .utils import _command

    if is_wanted(force):
        _setup.begin()
    base = classes.get("build_ext") or _command.setuptools_build_ext
    classes["build_ext"] = _command.porting(base, options) if is_wanted(force) else base
    return classes


def __getattr__(name: str) -> Any:
    # Who only ports sources needs no setuptools.
    if name == "build_ext":
        from .utils._command import build_ext

        return build_ext
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if is_wanted():
    _setup.begin()
