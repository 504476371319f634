"""The extension builder's names. There is no mcc: only C++ sources are built, and a .mu file is an error."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import setuptools
import torch
from torch.utils import cpp_extension

MUSA_HOME: str | None = os.environ.get("MUSA_HOME") or os.environ.get("MUSA_PATH") or "/usr/local/musa"
MUDNN_HOME: str | None = os.environ.get("MUDNN_HOME") or os.environ.get("MUDNN_PATH")

_TORCH = os.path.dirname(torch.__file__)

# torch's own, as they are now: a patch of torch.utils.cpp_extension may lead to this module
_torch_load, _torch_load_inline = cpp_extension.load, cpp_extension.load_inline


def _is_musa_file(path: str) -> bool:
    return os.path.splitext(path)[1] in (".mu", ".muh")


def _join_musa_home(*paths: str) -> str:
    if MUSA_HOME is None:
        raise OSError("MUSA_HOME environment variable is not set. Please set it to your MUSA install root.")
    return os.path.join(MUSA_HOME, *paths)


def _refuse_musa_files(sources: str | Sequence[str]) -> None:
    names = [sources] if isinstance(sources, (str, os.PathLike)) else sources
    found = [str(name) for name in names if _is_musa_file(str(name))]
    if found:
        raise RuntimeError(f"mcc not found: the musa double can't compile {', '.join(found)}")


def include_paths(musa: bool = False) -> list[str]:
    """Folders of headers."""
    own = os.path.join(_TORCH, "include")
    paths = [own, os.path.join(own, "torch", "csrc", "api", "include")]
    return paths + ([_join_musa_home("include")] if musa else [])


def library_paths(musa: bool = False) -> list[str]:
    """Folders of libraries."""
    return [os.path.join(_TORCH, "lib")] + ([_join_musa_home("lib")] if musa else [])


def MUSAExtension(name: str, sources: Sequence[str], *args: Any, **kwargs: Any) -> setuptools.Extension:
    """An extension, with what torch_musa adds to it: flags are {"cxx": …, "mcc": …}."""
    flags = kwargs.get("extra_compile_args", {})
    kwargs["extra_compile_args"] = {"cxx": list(flags.get("cxx", [])), "mcc": list(flags.get("mcc", []))}
    for key, more in (
        ("include_dirs", include_paths(musa=True)),
        ("library_dirs", library_paths(musa=True)),
        ("libraries", ["c10", "torch", "torch_cpu", "torch_python"]),
    ):
        kwargs[key] = list(kwargs.get(key) or []) + more
    kwargs["language"] = "c++"
    return setuptools.Extension(name, list(sources), *args, **kwargs)


class BuildExtension(cpp_extension.BuildExtension):
    """torch's own, for C++."""

    def build_extensions(self) -> None:
        """Build, or say that there is no compiler for the device."""
        for extension in self.extensions:
            _refuse_musa_files(extension.sources)
            if isinstance(extension.extra_compile_args, dict):
                extension.extra_compile_args.pop("mcc", None)
        super().build_extensions()


def _write_ninja_file(
    path: str,
    cflags: list[str],
    post_cflags: list[str],
    musa_cflags: list[str],
    musa_post_cflags: list[str],
    musa_dlink_post_cflags: list[str],
    sources: list[str],
    objects: list[str],
    ldflags: list[str],
    library_target: str,
    with_musa: bool,
) -> None:
    _refuse_musa_files(sources)
    raise NotImplementedError("the musa double leaves ninja files to torch")


def load(
    name: str,
    sources: str | Sequence[str],
    extra_cflags: list[str] | None = None,
    extra_musa_cflags: list[str] | None = None,
    extra_sycl_cflags: list[str] | None = None,
    extra_ldflags: list[str] | None = None,
    extra_include_paths: list[str] | None = None,
    build_directory: str | None = None,
    verbose: bool = False,
    with_musa: bool | None = None,
    with_sycl: bool | None = None,
    is_python_module: bool = True,
    is_standalone: bool = False,
    keep_intermediates: bool = True,
) -> Any:
    """Build C++ sources and load them."""
    _refuse_musa_files(sources)
    return _torch_load(
        name,
        sources,
        extra_cflags=extra_cflags,
        extra_ldflags=extra_ldflags,
        extra_include_paths=extra_include_paths,
        build_directory=build_directory,
        verbose=verbose,
        with_cuda=False,
        is_python_module=is_python_module,
        is_standalone=is_standalone,
        keep_intermediates=keep_intermediates,
    )


def load_inline(
    name: str,
    cpp_sources: str | Sequence[str],
    musa_sources: str | Sequence[str] | None = None,
    functions: Any = None,
    extra_cflags: list[str] | None = None,
    extra_musa_cflags: list[str] | None = None,
    with_musa: bool | None = None,
    **kwargs: Any,
) -> Any:
    """Build C++ code and load it."""
    if musa_sources:
        raise RuntimeError("mcc not found: the musa double can't compile musa_sources")
    return _torch_load_inline(
        name, cpp_sources, functions=functions, extra_cflags=extra_cflags, with_cuda=False, **kwargs
    )
