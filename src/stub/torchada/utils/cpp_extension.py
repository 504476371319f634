"""`torch.utils.cpp_extension` for MUSA: extensions that were written for CUDA are ported and built with mcc.

On MUSA the names here stand in `torch.utils.cpp_extension`, too; elsewhere they are torch's own. CUDA
sources, and the headers of the project that they include, are ported into the build folder by the program
`torchada`; the project's own files stay as they are.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch.utils import cpp_extension as _torch

from .. import _report
from .._platform import is_musa_platform
from . import _build, _flags

__all__ = [
    "CUDA_HOME",  # noqa: F822  found by __getattr__
    "BuildExtension",
    "CUDAExtension",
    "CppExtension",
    "include_paths",
    "library_paths",
    "load",
    "load_inline",
    "port_source",
    "stable_compat_box_header",
    "stable_compat_include_dir",
]

#: torch's own functions, as they were before any patch.
_ORIGINAL = {
    name: getattr(_torch, name) for name in ("CUDAExtension", "include_paths", "library_paths", "load", "load_inline")
}

#: torch's own class; on MUSA its `build_extensions` is patched in place.
BuildExtension = _torch.BuildExtension
CppExtension = _torch.CppExtension

#: torch's names of parameters, and torch_musa's.
_MUSA_NAMES = {
    "cuda_sources": "musa_sources",
    "extra_cuda_cflags": "extra_musa_cflags",
    "with_cuda": "with_musa",
}

_count_built = _report.counter("cpp-extension", "torch.utils.cpp_extension")


def _musa() -> Any:
    from torch_musa.utils import musa_extension

    return musa_extension


def _wraps(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """torch's name and signature; where there is no MUSA, torch's function itself."""
    original = _ORIGINAL[name]

    def choose(function: Callable[..., Any]) -> Callable[..., Any]:
        return functools.wraps(original)(function) if is_musa_platform() else original

    return choose


@_wraps("CUDAExtension")
def CUDAExtension(name: str, sources: Sequence[Any], *args: Any, **kwargs: Any) -> Any:
    """An extension with CUDA sources, which `BuildExtension` ports and torch_musa builds."""
    kwargs["extra_compile_args"] = _flags.compile_args(kwargs.get("extra_compile_args"))
    kwargs["libraries"] = _flags.libraries(kwargs.get("libraries"))
    kwargs["extra_link_args"] = _flags.linker_flags(kwargs.get("extra_link_args"))
    if kwargs.get("dlink_libraries"):
        kwargs["dlink_libraries"] = _flags.libraries(kwargs["dlink_libraries"])
    for key in ("include_dirs", "library_dirs"):
        kwargs[key] = [os.fspath(path) for path in kwargs.get(key) or ()]
    with _build.targets():
        extension = _musa().MUSAExtension(name, [os.fspath(path) for path in sources], *args, **kwargs)
    setattr(extension, _build.MARK, True)
    return extension


_MORE = ("torch_include_dirs", "cross_target_platform")


def _paths(name: str, device_type: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[str]:
    """Folders for the device, from torch_musa; for the CPU and other devices, from torch."""
    # Until torch 2.6 this was a yes or no, called `cuda`.
    device_type = kwargs.pop("cuda", device_type)
    if isinstance(device_type, bool):
        device_type = "cuda" if device_type else "cpu"
    # What newer versions of torch take beside it, and pass on to each other.
    kwargs.update(zip(_MORE, args))
    if str(device_type).lower() not in ("cuda", "musa"):
        known = inspect.signature(_ORIGINAL[name]).parameters
        return list(_ORIGINAL[name](device_type, **{key: value for key, value in kwargs.items() if key in known}))
    paths = list(getattr(_musa(), name)(musa=True))
    if name == "include_paths":
        paths.append(stable_compat_include_dir())
    own = kwargs.get("torch_include_dirs", True)
    if not own:
        folder = os.path.dirname(os.path.dirname(os.path.abspath(_torch.__file__)))
        paths = [path for path in paths if not os.path.realpath(path).startswith(os.path.realpath(folder) + os.sep)]
    return paths


@_wraps("include_paths")
def include_paths(device_type: Any = "cpu", *args: Any, **kwargs: Any) -> list[str]:
    """Folders of headers; for "cuda", torch_musa's."""
    return _paths("include_paths", device_type, args, kwargs)


@_wraps("library_paths")
def library_paths(device_type: Any = "cpu", *args: Any, **kwargs: Any) -> list[str]:
    """Folders of libraries; for "cuda", torch_musa's."""
    return _paths("library_paths", device_type, args, kwargs)


def _arguments(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments that were given, by torch's names; torch_musa's names are taken, too."""
    for ours, theirs in _MUSA_NAMES.items():
        if theirs in kwargs:
            if ours in kwargs:
                raise TypeError(f"{name}() got both {ours!r} and {theirs!r}")
            kwargs[ours] = kwargs.pop(theirs)
    return inspect.signature(_ORIGINAL[name]).bind(*args, **kwargs).arguments


def _call_torch_musa(name: str, bound: dict[str, Any]) -> Any:
    """torch_musa's function with torch's arguments."""
    function = getattr(_musa(), name)
    known = inspect.signature(function).parameters
    arguments = {}
    for key, value in bound.items():
        key = _MUSA_NAMES.get(key, key)
        # What only newer versions of torch know decides how fast it compiles or is off by default.
        if key in known:
            arguments[key] = value
        elif value and key != "no_implicit_headers":
            raise NotImplementedError(f"torch_musa's {name} has no parameter {key!r}: leave it out")
    _count_built()
    return function(**arguments)


def _translate_common(bound: dict[str, Any]) -> None:
    flags = _flags.compiler_flags(bound.get("extra_cuda_cflags"))
    bound["extra_cuda_cflags"] = flags + _flags.target_flags(flags)
    bound["extra_ldflags"] = _flags.linker_flags(bound.get("extra_ldflags"))
    if bound.get("extra_cflags") is not None:
        bound["extra_cflags"] = list(bound["extra_cflags"])


def build_root(name: str, verbose: bool = False) -> str:
    """The folder in which a library of this name is built if nobody says where."""
    find = getattr(_musa(), "_get_build_directory", None) or _torch._get_build_directory
    return os.path.abspath(find(name, verbose))


def _build_folder(bound: dict[str, Any]) -> str:
    return os.path.abspath(bound.get("build_directory") or build_root(bound["name"], bool(bound.get("verbose"))))


def _include_dirs(bound: dict[str, Any]) -> tuple[list[str], list[str]]:
    """The folders for includes that were given as such, and those with what the compilers' options name."""
    own = [os.fspath(path) for path in bound.get("extra_include_paths") or ()]
    folders = list(own)
    for key in ("extra_cflags", "extra_cuda_cflags"):
        folders += [path for path in _flags.include_dirs(bound.get(key) or ()) if path not in folders]
    return own, folders


@_wraps("load")
def load(*args: Any, **kwargs: Any) -> Any:
    """Port, build and load sources; takes torch's arguments and torch_musa's keywords."""
    from . import _includes, _porter

    bound = _arguments("load", args, kwargs)
    sources = bound["sources"]
    sources = [os.fspath(path) for path in ([sources] if isinstance(sources, (str, os.PathLike)) else sources)]
    own, folders = _include_dirs(bound)
    include_dirs = own
    cuda = [path for path in sources if not path.endswith(_includes.MUSA_ENDINGS)]
    if cuda and _includes.says_cuda(cuda, folders):
        bound["build_directory"] = _build_folder(bound)
        place = os.path.join(bound["build_directory"], "torchada")
        ported = _porter.port(cuda, folders, place, bool(bound.get("verbose")))
        sources = [ported.files.get(os.path.abspath(path), path) for path in sources]
        include_dirs = ported.include_dirs(own)
    elif cuda == sources and not bound.get("with_cuda"):
        return _ORIGINAL["load"](**bound)
    bound["sources"], bound["extra_include_paths"] = sources, include_dirs
    _translate_common(bound)
    return _call_torch_musa("load", bound)


#: What torch puts before the code that it is given.
_PREAMBLES = {
    "cpp_sources": ("main.cpp", ["#include <torch/extension.h>"]),
    "cuda_sources": ("cuda.cu", ["#include <torch/types.h>", "#include <cuda.h>", "#include <cuda_runtime.h>"]),
}


@_wraps("load_inline")
def load_inline(*args: Any, **kwargs: Any) -> Any:
    """Port, build and load code; takes torch's arguments and torch_musa's keywords."""
    from . import _includes, _porter

    bound = _arguments("load_inline", args, kwargs)
    for key in _PREAMBLES:
        code = bound.get(key) or ()
        bound[key] = [code] if isinstance(code, str) else list(code)
    bound["build_directory"] = _build_folder(bound)
    place = os.path.join(bound["build_directory"], "torchada")
    own, folders = _include_dirs(bound)
    written = {}
    with _porter.locked(place):
        for key, (name, preamble) in _PREAMBLES.items():
            if bound[key]:
                written[key] = _write(os.path.join(place, "inline", name), [*preamble, *bound[key]])
    paths = list(written.values())
    if not bound["cuda_sources"] and not bound.get("with_cuda") and not _includes.says_cuda(paths, folders):
        bound["cuda_sources"] = None
        return _ORIGINAL["load_inline"](**bound)
    ported = _porter.port(paths, folders, place, bool(bound.get("verbose")))
    for key, path in written.items():
        with open(ported.files[path], encoding="utf-8") as file:
            bound[key] = [file.read()]
    bound["extra_include_paths"] = ported.include_dirs(own)
    _translate_common(bound)
    return _call_torch_musa("load_inline", bound)


def _write(path: str, lines: list[str]) -> str:
    content = "\n".join(lines) + "\n"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "a+", encoding="utf-8") as file:
        file.seek(0)
        if file.read() != content:
            file.seek(0)
            file.truncate()
            file.write(content)
    return path


def port_source(source_code: str, mapping_rules: Mapping[str, str] | None = None) -> str:
    """CUDA or C++ code as the translator ports it; `mapping_rules` has names of the project's own.

    Raises `PortError` with what the translator says if it can't.
    """
    from . import _porter

    return _porter.port_text(source_code, mapping_rules or {})


#: By this name builds that port without `BuildExtension`, such as JIT compilers', know it.
_port_cuda_source = port_source


def stable_compat_include_dir() -> str:
    """The folder with headers for kernels on libtorch's stable ABI."""
    return os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "csrc", "stable")


def stable_compat_box_header() -> str:
    """The header that builds of such kernels force-include, with `-include`."""
    return os.path.join(stable_compat_include_dir(), "torchada_stable_box.h")


def __getattr__(name: str) -> Any:
    if name == "CUDA_HOME":
        # torch_musa finds its folder when it is imported, as torch does.
        return _musa().MUSA_HOME if is_musa_platform() else _torch.CUDA_HOME
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
