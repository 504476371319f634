"""The extension builder: C++ by the host's compiler, .mu files by the mcc below MUSA_HOME, an error without one."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from typing import Any

import setuptools
import torch
from setuptools.command.build_ext import build_ext
from torch.utils import cpp_extension
from torch_musa.core._utils import STAND_IN

MUSA_HOME: str | None = os.environ.get("MUSA_HOME") or os.environ.get("MUSA_PATH") or "/usr/local/musa"
MUDNN_HOME: str | None = os.environ.get("MUDNN_HOME") or os.environ.get("MUDNN_PATH")

_TORCH = os.path.dirname(torch.__file__)
# Torch's headers ask for C++20 since this version.
_CPP = "-std=c++20" if tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 12) else "-std=c++17"
_STANDARD = [f"-D_GLIBCXX_USE_CXX11_ABI={int(torch._C._GLIBCXX_USE_CXX11_ABI)}", "-DTORCH_API_INCLUDE_EXTENSION_H"]

# torch's own, as it is now: a patch of torch.utils.cpp_extension may lead to this module
_import_library = cpp_extension._import_module_from_library


def _is_musa_file(path: str) -> bool:
    return os.path.splitext(path)[1] in (".mu", ".muh")


def _join_musa_home(*paths: str) -> str:
    if MUSA_HOME is None:
        raise OSError("MUSA_HOME environment variable is not set. Please set it to your MUSA install root.")
    return os.path.join(MUSA_HOME, *paths)


def _refuse_musa_files(sources: str | Sequence[str]) -> None:
    names = [sources] if isinstance(sources, (str, os.PathLike)) else sources
    found = [str(name) for name in names if _is_musa_file(str(name))]
    if found and not os.path.exists(_join_musa_home("bin", "mcc")):
        raise RuntimeError(f"mcc not found: {STAND_IN} can't compile {', '.join(found)}")


def include_paths(musa: bool = False) -> list[str]:
    """Folders of headers."""
    own = os.path.join(_TORCH, "include")
    paths = [own, os.path.join(own, "torch", "csrc", "api", "include")]
    return paths + ([_join_musa_home("include")] if musa else [])


def library_paths(musa: bool = False) -> list[str]:
    """Folders of libraries."""
    return [os.path.join(_TORCH, "lib")] + ([_join_musa_home("lib")] if musa else [])


def _get_musa_arch_flags() -> list[str]:
    chosen = os.environ.get("TORCH_MUSA_ARCH_LIST", "22").split(";")
    return sorted(f"--offload-arch=mp_{number}" for number in chosen)


def MUSAExtension(name: str, sources: Sequence[str], *args: Any, **kwargs: Any) -> setuptools.Extension:
    """An extension, with what torch_musa adds to it: flags are {"cxx": …, "mcc": …}."""
    flags = kwargs.get("extra_compile_args", {})
    kwargs["extra_compile_args"] = {
        "cxx": list(flags.get("cxx", [])),
        "mcc": list(flags.get("mcc", [])) + _get_musa_arch_flags(),
    }
    for key, more in (
        ("include_dirs", include_paths(musa=True)),
        ("library_dirs", library_paths(musa=True)),
        ("libraries", ["c10", "torch", "torch_cpu", "torch_python"]),
    ):
        kwargs[key] = list(kwargs.get(key) or []) + more
    kwargs["language"] = "c++"
    return setuptools.Extension(name, list(sources), *args, **kwargs)


class BuildExtension(build_ext):
    """Builds with ninja, as torch's own and torch_musa's do."""

    def build_extensions(self) -> None:
        """Build, or say that there is no compiler for the device."""
        self.compiler.src_extensions += [".mu", ".muh"]
        self.compiler.compile = self._compile
        for extension in self.extensions:
            _refuse_musa_files(extension.sources)
            flags = extension.extra_compile_args or []
            flags = dict(flags) if isinstance(flags, dict) else {"cxx": list(flags), "mcc": list(flags)}
            own = [f"-DTORCH_EXTENSION_NAME={extension.name.rpartition('.')[2]}", *_STANDARD]
            extension.extra_compile_args = {key: [*flags.get(key, []), *own] for key in ("cxx", "mcc")}
        build_ext.build_extensions(self)

    def _compile(
        self,
        sources: list[str],
        output_dir: str = "",
        macros: Any = None,
        include_dirs: Any = None,
        debug: int = 0,
        extra_preargs: Any = None,
        extra_postargs: Any = None,
        depends: Any = None,
    ) -> list[str]:
        folder = os.path.abspath(output_dir)
        compiler = self.compiler
        _, objects, flags, options, _ = compiler._setup_compile(
            folder, macros, include_dirs, sources, depends, extra_postargs
        )
        common = [f"-I{os.path.abspath(each[2:])}" if each.startswith("-I") else each for each in options]
        _ninja(folder, sources, objects, common + flags["cxx"], common + flags["mcc"])
        return objects


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
    raise NotImplementedError(f"{STAND_IN} writes its ninja files by other means")


def _ninja(
    folder: str,
    sources: Sequence[str],
    objects: Sequence[str],
    cflags: list[str],
    musa_flags: list[str],
    library: str = "",
    ldflags: Sequence[str] = (),
) -> None:
    """Compile what changed since the last time, each file by the compiler that its ending asks for."""
    cxx = shlex.join([os.environ.get("CXX", "c++"), "-fPIC", _CPP, *cflags])
    mcc = shlex.join([_join_musa_home("bin", "mcc"), "-fPIC", _CPP, *musa_flags])
    lines = ["ninja_required_version = 1.3"]
    for rule, command in (("cxx", cxx), ("mcc", mcc)):
        command = command.replace("$", "$$")
        lines += [f"rule {rule}", f"  command = {command} -MD -MF $out.d -c $in -o $out"]
        lines += ["  depfile = $out.d", "  deps = gcc"]
    lines += ["rule link", f"  command = c++ -shared $in {shlex.join(ldflags).replace('$', '$$')} -o $out"]
    for source, target in zip(sources, objects):
        lines.append(f"build {target}: {'mcc' if _is_musa_file(source) else 'cxx'} {os.path.abspath(source)}")
    if library:
        lines.append(f"build {library}: link {' '.join(objects)}")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "build.ninja"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    done = subprocess.run(["ninja", "-v"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    sys.stdout.write(done.stdout)
    if done.returncode:
        raise RuntimeError(f"Error compiling objects for extension\n{done.stdout}")


def _get_build_directory(name: str, verbose: bool) -> str:
    root = os.environ.get("TORCH_EXTENSIONS_DIR") or os.path.join(cpp_extension.get_default_build_root(), "musa_double")
    folder = os.path.join(root, name)
    os.makedirs(folder, exist_ok=True)
    return folder


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
    """Build sources and load the library."""
    _refuse_musa_files(sources)
    sources = [sources] if isinstance(sources, str) else list(sources)
    folder = build_directory or _get_build_directory(name, verbose)
    with_musa = any(map(_is_musa_file, sources)) if with_musa is None else with_musa
    common = [f"-DTORCH_EXTENSION_NAME={name}", *_STANDARD]
    common += [f"-I{os.path.abspath(each)}" for each in extra_include_paths or []]
    for each in [*include_paths(with_musa), sysconfig.get_path("include")]:
        common += ["-isystem", each]
    stems = [os.path.splitext(os.path.basename(each)) for each in sources]
    objects = [stem + (".musa.o" if _is_musa_file(f"_{ending}") else ".o") for stem, ending in stems]
    ldflags = [*(extra_ldflags or []), *(f"-L{each}" for each in library_paths(with_musa))]
    ldflags += ["-lc10", "-ltorch_cpu", "-ltorch", "-ltorch_python"]
    cflags, musa_flags = common + (extra_cflags or []), common + (extra_musa_cflags or [])
    _ninja(folder, sources, objects, cflags, musa_flags, f"{name}.so", ldflags)
    return _import_library(name, folder, is_python_module)


def load_inline(
    name: str,
    cpp_sources: str | Sequence[str],
    musa_sources: str | Sequence[str] | None = None,
    sycl_sources: str | Sequence[str] | None = None,
    functions: Any = None,
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
    with_pytorch_error_handling: bool = True,
    keep_intermediates: bool = True,
    use_pch: bool = False,
) -> Any:
    """Build code and load it."""
    folder = build_directory or _get_build_directory(name, verbose)
    cpp_sources = [cpp_sources] if isinstance(cpp_sources, str) else list(cpp_sources)
    musa_sources = [musa_sources] if isinstance(musa_sources, str) else list(musa_sources or [])
    names = [functions] if isinstance(functions, str) else list(functions or [])
    code = ["#include <torch/extension.h>", *cpp_sources]
    if functions is not None:
        code.append("PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {")
        code += [f'm.def("{each}", torch::wrap_pybind_function({each}), "{each}");' for each in names]
        code.append("}")
    sources = [_written(folder, "main.cpp", code)]
    if musa_sources:
        code = ["#include <torch/types.h>", "#include <musa.h>", "#include <musa_runtime.h>", *musa_sources]
        sources.append(_written(folder, "musa.mu", code))
    return load(
        name,
        sources,
        extra_cflags,
        extra_musa_cflags,
        extra_ldflags=extra_ldflags,
        extra_include_paths=extra_include_paths,
        build_directory=folder,
        verbose=verbose,
        with_musa=with_musa,
        is_python_module=is_python_module,
    )


def _written(folder: str, name: str, lines: Sequence[str]) -> str:
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path
