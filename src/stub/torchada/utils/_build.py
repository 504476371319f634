"""What `BuildExtension` does with extensions for CUDA before torch_musa's builder gets them."""

from __future__ import annotations

import contextlib
import os
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from . import _flags, _includes, _porter
from .cpp_extension import _MARK, _targets

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
    if getattr(extension, _MARK, False):
        return True
    return any(os.fspath(path).endswith(_includes.CUDA_ENDINGS) for path in extension.sources)


def is_for_musa(extension: Any) -> bool:
    """Whether an extension is to be built by torch_musa's builder."""
    return is_for_cuda(extension) or any(os.fspath(path).endswith(_includes.MUSA_ENDINGS) for path in extension.sources)


@contextlib.contextmanager
def ported(command: Any) -> Iterator[None]:
    """Have the extensions of a `build_ext` command name ported sources for a while."""
    found = [each for each in command.extensions if is_for_cuda(each)]
    if found and hasattr(command, "get_mapping_rule"):
        warnings.warn(
            "get_mapping_rule() of the BuildExtension is not asked: put names of your own under [names] in torchada.toml",
            RuntimeWarning,
            stacklevel=4,
        )
    before = [{name: getattr(each, name) for name in _ATTRIBUTES if hasattr(each, name)} for each in found]
    try:
        for each in found:
            if not getattr(each, _MARK, False):
                _adopt(each)
        _port(command, found)
        yield
    finally:
        # Other commands, such as those that pack the sources, look at the extensions afterwards.
        for each, values in zip(found, before):
            for name, value in values.items():
                setattr(each, name, value)


def _adopt(extension: Any) -> None:
    """Give an extension that others made what `CUDAExtension` would have given it."""
    from torch_musa.utils import musa_extension

    args = _flags.compile_args(extension.extra_compile_args)
    with _targets():
        model = musa_extension.MUSAExtension(extension.name, [], extra_compile_args=args)
    extension.extra_compile_args = model.extra_compile_args
    extension.language = "c++"
    extension.libraries = _flags.libraries(extension.libraries)
    extension.extra_link_args = _flags.linker_flags(extension.extra_link_args)
    for name in ("include_dirs", "library_dirs", "libraries", "extra_link_args"):
        mine = list(getattr(extension, name) or ())
        setattr(extension, name, mine + [each for each in getattr(model, name) or () if each not in mine])


def _port(command: Any, extensions: list[Any]) -> None:
    for each in extensions:
        sources = [os.fspath(path) for path in each.sources]
        cuda = [path for path in sources if not path.endswith(_includes.MUSA_ENDINGS)]
        own = [os.fspath(path) for path in each.include_dirs or ()]
        folders = list(own)
        args = each.extra_compile_args
        for flags in args.values() if isinstance(args, dict) else [args or ()]:
            folders += [path for path in _flags.include_dirs(flags) if path not in folders]
        if not cuda or not _includes.says_cuda(cuda, folders):
            each.sources = sources
            continue
        place = os.path.join(command.build_temp, "torchada", each.name)
        result = _porter.port(cuda, folders, place, bool(command.verbose and command.verbose > 1))
        each.sources = [_relative(result.files.get(os.path.abspath(path), path)) for path in sources]
        each.include_dirs = [*result.folders.values(), *own]
        # A port that is newer than the library is reason enough to build; the project's files are not.
        each.depends = [*(each.depends or ()), *each.sources]


def _relative(path: str) -> str:
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
