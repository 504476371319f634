"""Kernels of a user's own for operators of torch: finding, compiling, loading and registering them."""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
from collections.abc import Iterable
from typing import Any

from ._environment import is_on

_HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "csrc")
_ENDINGS = (".cpp", ".cc", ".cxx", ".cu", ".mu")
_NAME = "torchada_cpp_ops"

_loaded: Operators | None = None


def sources() -> list[str]:
    """The user's sources: the files, and those of the folders, that `TORCHADA_CPP_OPS_PATH` names.

    Without the variable they are those in `csrc`, beside this package's Python.
    """
    found = []
    for place in os.environ.get("TORCHADA_CPP_OPS_PATH", _HERE).split(os.pathsep):
        if os.path.isdir(place):
            names = sorted(os.listdir(place))
            found += [os.path.join(place, name) for name in names if name.endswith(_ENDINGS)]
        elif place:
            found.append(place)
    missing = [path for path in found if not os.path.isfile(path)]
    if missing:
        raise FileNotFoundError(f"TORCHADA_CPP_OPS_PATH names no file or folder: {', '.join(missing)}")
    return [os.path.abspath(path) for path in found]


class Operators:
    """A library of kernels."""

    def __init__(self, path: str) -> None:
        #: The library's file.
        self.path = path
        self._library = ctypes.CDLL(path)
        self._library.torchada_ops_name.restype = ctypes.c_char_p
        self._library.torchada_ops_on.restype = ctypes.c_char_p
        self._library.torchada_ops_debug(int(is_on("TORCHADA_DEBUG_CPP_OPS")))
        #: Every operator that it has a kernel for.
        self.names = [
            self._library.torchada_ops_name(index).decode() for index in range(self._library.torchada_ops_count())
        ]
        #: The operators whose kernels are in use.
        self.active: list[str] = []

    def turn_on(self) -> None:
        """Register the kernels, without those that `TORCHADA_DISABLE_OP_OVERRIDE_<OP>=1` leaves out."""
        try:
            for index, name in enumerate(self.names):
                if is_left_out(name):
                    continue
                error = self._library.torchada_ops_on(index)
                if error is not None:
                    raise RuntimeError(f"the kernel for {name!r} can't be registered: {error.decode(errors='replace')}")
                self.active.append(name)
        except BaseException:
            self.turn_off()
            raise

    def turn_off(self) -> None:
        """Give every operator the kernel back that it had before."""
        self._library.torchada_ops_off()
        self.active = []


def is_left_out(name: str) -> bool:
    """Whether `TORCHADA_DISABLE_OP_OVERRIDE_<OP>=1` leaves an operator its kernel of torch_musa's."""
    return bool(_spellings(name) & _disabled())


def _disabled() -> set[str]:
    front = "TORCHADA_DISABLE_OP_OVERRIDE_"
    return {name[len(front) :].lower() for name in os.environ if name.startswith(front) and is_on(name)}


def _spellings(name: str) -> set[str]:
    """What an operator may be called in a variable: `add.Tensor` is ADD_TENSOR, or with its overloads ADD."""
    own = name.rpartition("::")[2].lower()
    return {own, own.replace(".", "_"), own.partition(".")[0]}


def load_cpp_ops(force_reload: bool = False) -> Operators | None:
    """Compile the user's kernels, if that was not done yet, load them and put them to use.

    None where there is no MUSA or there are no sources. A second call gives what the first gave, unless it
    is forced to look at the sources again.
    """
    global _loaded
    from ._platform import is_musa_platform

    if not is_musa_platform():
        return None
    if _loaded is not None and not force_reload:
        return _loaded
    files = sources()
    if not files:
        import warnings

        warnings.warn(
            "TORCHADA_ENABLE_CPP_OPS=1, but there are no kernels: TORCHADA_CPP_OPS_PATH names none, "
            f"and {_HERE} has none.",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
    operators = Operators(_compiled(files))
    unload()
    operators.turn_on()
    _loaded = operators
    if is_on("TORCHADA_CPP_OPS_VERBOSE"):
        print(
            f"torchada: kernels for {', '.join(operators.active) or 'nothing'} from {operators.path}", file=sys.stderr
        )
    return operators


def unload() -> None:
    """Put the kernels out of use. The library stays in the process, since nothing can unload it safely."""
    global _loaded
    if _loaded is not None:
        _loaded.turn_off()
        _loaded = None


def is_loaded() -> bool:
    """Whether the user's kernels are in use."""
    return _loaded is not None


def get_module() -> Operators | None:
    """The library in use, if there is one."""
    return _loaded


def get_version() -> str | None:
    """This package's version, if the user's kernels are in use."""
    from ._tables import VERSION

    return VERSION if _loaded is not None else None


def _compiled(files: list[str]) -> str:
    """The library's file; one process compiles, and others wait for it."""
    from .utils import _porter, cpp_extension

    key = _key(files)
    folder = os.path.join(cpp_extension.build_root(_NAME), key)
    library = os.path.join(folder, f"{_NAME}.so")
    stamp = os.path.join(folder, "complete")
    if os.path.exists(stamp):
        return library
    with _porter.locked(folder):
        if not os.path.exists(stamp):
            # Left by a process that died while it compiled: none can be at work, as the lock is ours.
            for name in ("lock", os.path.basename(library)):
                if os.path.exists(os.path.join(folder, name)):
                    os.remove(os.path.join(folder, name))
            cpp_extension.load(
                _NAME,
                files,
                extra_include_paths=[_HERE],
                build_directory=folder,
                verbose=is_on("TORCHADA_CPP_OPS_VERBOSE"),
                with_cuda=True,
                is_python_module=False,
            )
            with open(stamp, "w", encoding="utf-8") as file:
                file.write("\n".join(files) + "\n")
    return library


def _key(files: Iterable[str]) -> str:
    """What the library is made of: the sources with their headers, the versions, the architectures."""
    import torch
    import torch_musa

    from .utils import _includes

    versions: tuple[Any, ...] = (torch.__version__, getattr(torch_musa, "__version__", ""), sys.version_info[:2])
    digest = hashlib.sha256(repr((versions, os.environ.get("MTGPU_TARGET", ""))).encode())
    for path in sorted(_includes.closure(list(files), [_HERE]).files):
        with open(path, "rb") as file:
            digest.update(path.encode("utf-8", "surrogateescape") + b"\0" + hashlib.sha256(file.read()).digest())
    return digest.hexdigest()[:16]
