"""Has the extensions of a `build_ext` command name ported sources while they are built."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .. import _libraries
from . import _flags, _includes, _names, _porter

#: What an extension has that was made by `CUDAExtension` of this package.
MARK = "_torchada_cuda"

#: What is changed in an extension while it is built.
_ATTRIBUTES = (
    "sources",
    "include_dirs",
    "library_dirs",
    "libraries",
    "extra_compile_args",
    "extra_link_args",
    "depends",
    "language",
)


def is_for_cuda(extension: Any) -> bool:
    """Whether an extension has to be ported: it has CUDA sources, or was made as a CUDA extension."""
    if getattr(extension, MARK, False):
        return True
    return any(os.fspath(path).endswith(_includes.CUDA_ENDINGS) for path in extension.sources)


def is_for_musa(extension: Any) -> bool:
    """Whether an extension is to be built by torch_musa's builder."""
    return is_for_cuda(extension) or any(os.fspath(path).endswith(_includes.MUSA_ENDINGS) for path in extension.sources)


@contextlib.contextmanager
def ported(command: Any) -> Iterator[None]:
    """Have the extensions for CUDA name ported sources, for torch_musa's builder."""
    found = [each for each in command.extensions if is_for_cuda(each)]
    options = _names.options(command.get_mapping_rule(), command.build_temp) if found else []
    with _kept(found):
        for each in found:
            if not getattr(each, MARK, False):
                _adopt(each)
            _port(command, each, options)
        yield


@contextlib.contextmanager
def ported_plainly(command: Any, options: Sequence[str]) -> Iterator[None]:
    """Have every extension with anything of CUDA's name ported sources and MUSA's libraries, for any builder."""
    with _kept(command.extensions):
        for each in command.extensions:
            if _port(command, each, options):
                _link(each)
        yield


@contextlib.contextmanager
def _kept(extensions: Sequence[Any]) -> Iterator[None]:
    """Put extensions back as they were: commands that pack the sources look at them afterwards."""
    before = [{name: getattr(each, name) for name in _ATTRIBUTES if hasattr(each, name)} for each in extensions]
    try:
        yield
    finally:
        for each, values in zip(extensions, before):
            for name, value in values.items():
                setattr(each, name, value)


@contextlib.contextmanager
def targets() -> Iterator[None]:
    """Have torch_musa compile for what `MTGPU_TARGET` says, where its own variable says nothing."""
    numbers = _flags.targets()
    if not numbers or os.environ.get("TORCH_MUSA_ARCH_LIST"):
        yield
        return
    os.environ["TORCH_MUSA_ARCH_LIST"] = ";".join(numbers)
    try:
        yield
    finally:
        del os.environ["TORCH_MUSA_ARCH_LIST"]


def _adopt(extension: Any) -> None:
    """Give an extension that others made what `CUDAExtension` would have given it."""
    from torch_musa.utils import musa_extension

    args = _flags.compile_args(extension.extra_compile_args)
    with targets():
        model = musa_extension.MUSAExtension(extension.name, [], extra_compile_args=args)
    extension.extra_compile_args = model.extra_compile_args
    extension.language = "c++"
    extension.libraries = _flags.libraries(extension.libraries)
    extension.extra_link_args = _flags.linker_flags(extension.extra_link_args)
    for name in ("include_dirs", "library_dirs", "libraries", "extra_link_args"):
        mine = list(getattr(extension, name) or ())
        setattr(extension, name, mine + [each for each in getattr(model, name) or () if each not in mine])


def _link(extension: Any) -> None:
    """Have an extension look for headers in the SDK, too, and link MUSA's libraries."""
    home = _libraries.musa_home()
    for name, folder in (("include_dirs", "include"), ("library_dirs", "lib")):
        mine = list(getattr(extension, name) or ())
        setattr(extension, name, [*mine, os.path.join(home, folder)])
    extension.libraries = _flags.libraries(extension.libraries)
    extension.extra_link_args = _flags.linker_flags(extension.extra_link_args)


def _port(command: Any, extension: Any, options: Sequence[str] = ()) -> bool:
    """Port the sources of an extension that have, or lead to, anything of CUDA's. Returns whether there were any."""
    sources = [os.fspath(path) for path in extension.sources]
    cuda = [path for path in sources if path.endswith(_includes.CODE_ENDINGS)]
    own = [os.fspath(path) for path in extension.include_dirs or ()]
    folders = list(own)
    args = extension.extra_compile_args
    for flags in args.values() if isinstance(args, dict) else [args or ()]:
        folders += [path for path in _flags.include_dirs(flags) if path not in folders]
    if not cuda or not _includes.says_cuda(cuda, folders):
        extension.sources = sources
        return False
    place = os.path.join(command.build_temp, "torchada", extension.name)
    result = _porter.port(cuda, folders, place, bool(command.verbose and command.verbose > 1), options)
    extension.sources = [relative(result.files.get(os.path.abspath(path), path)) for path in sources]
    extension.include_dirs = result.include_dirs(own)
    # A port that is newer than the library is reason enough to build, if only by a header; the project's
    # files are not.
    extension.depends = [*(extension.depends or ()), *result.outputs]
    return True


def relative(path: str) -> str:
    """Objects lie below the build folder by their sources' names, which should be short."""
    return os.path.relpath(path) if os.path.isabs(path) else path


def build_extensions(torch_build: Callable[[Any], None], musa_build: Callable[[Any], None]) -> Callable[[Any], None]:
    """What torch's `BuildExtension` does: what is for MUSA is built by torch_musa's."""

    def build(self: Any) -> None:
        if not any(is_for_musa(each) for each in self.extensions):
            torch_build(self)
            return
        from torch_musa.utils import musa_extension

        own = type(self)
        builder = musa_extension.BuildExtension
        if not issubclass(own, builder):
            # torch_musa's helper methods are found, and `super()` works in them.
            self.__class__ = type(own.__name__, (own, builder), {"__module__": own.__module__})
        try:
            musa_build(self)
        finally:
            self.__class__ = own

    return build
