"""Where the translator's program is."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator

from .. import _distribution

#: The variable that names the program.
VARIABLE = "TORCHADA_BINARY"


class BinaryNotFound(RuntimeError):
    """There is no program `torchada` here."""


def find() -> str:
    """The translator's program.

    `TORCHADA_BINARY` decides where it is set. Otherwise it is what was installed with this package, what lies
    beside this Python's scripts, or `torchada` on the PATH. Raises `BinaryNotFound` if there is none.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen:
        found = shutil.which(chosen)
        if found is None:
            raise BinaryNotFound(f"{VARIABLE}={chosen} is no program that can be run")
        return found
    looked = list(dict.fromkeys(_places()))
    for path in looked:
        if os.access(path, os.X_OK) and _is_program(path):
            return path
    folders = ", ".join(dict.fromkeys(os.path.dirname(path) for path in looked))
    raise BinaryNotFound(
        f"the program `torchada` ports CUDA sources for MUSA, and is neither in {folders} nor on the PATH. "
        f"Install it (`pip install {_distribution.NAME}` brings it along), or name it in {VARIABLE}."
    )


def _places() -> Iterator[str]:
    name = "torchada.exe" if os.name == "nt" else "torchada"
    yield from _installed(name)
    if sys.version_info >= (3, 10):
        for scheme in (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")):
            yield os.path.join(sysconfig.get_path("scripts", scheme), name)
    else:
        yield os.path.join(sysconfig.get_path("scripts"), name)
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if folder:
            yield os.path.join(folder, name)


def _installed(name: str) -> Iterator[str]:
    """Where an installer put the program of the wheel that this package came with."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    site = os.path.dirname(package)
    from importlib import metadata

    for each in metadata.distributions(name=_distribution.NAME, path=[site]):
        for file in each.files or ():
            if file.name == name and file.parent.name in ("bin", "Scripts"):
                yield os.path.abspath(str(file.locate()))
    # `pip install --target` and its environments for isolated builds have the scripts near by.
    yield os.path.join(site, "bin", name)
    yield os.path.normpath(os.path.join(site, "..", "..", "..", "bin", name))


def _is_program(path: str) -> bool:
    """No script of another package that is called so."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(2) != b"#!"
