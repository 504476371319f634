"""The translator, which ports the sources of an extension into its build folder."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from . import _includes

#: Files of the project that say how it is translated, and what in them says so.
_CONFIGURATION = (("torchada.toml", ""), ("pyproject.toml", "[tool.torchada"))


class PortError(RuntimeError):
    """The translator is not there, or could not translate."""


class Ported(NamedTuple):
    """Where the translated files are."""

    #: The translated file for each source, by its absolute path.
    files: Mapping[str, str]
    #: Where the translated headers of each include folder of the project are, by its absolute path.
    folders: Mapping[str, str]


def binary() -> str:
    """The translator's program: `TORCHADA_BIN`, or `torchada` beside this Python's scripts or on the PATH.

    Raises `PortError` if there is none.
    """
    chosen = os.environ.get("TORCHADA_BIN")
    if chosen:
        found = shutil.which(chosen)
        if found is None:
            raise PortError(f"TORCHADA_BIN={chosen} is no program that can be run")
        return found
    for scheme in {sysconfig.get_default_scheme(), "posix_user"} if sys.version_info >= (3, 10) else [None]:
        folder = sysconfig.get_path("scripts", scheme) if scheme else sysconfig.get_path("scripts")
        path = os.path.join(folder, "torchada")
        if os.access(path, os.X_OK) and _is_program(path):
            return path
    found = shutil.which("torchada")
    if found is None:
        raise PortError(
            "CUDA sources are ported for MUSA by the program `torchada`, which was found neither in "
            f"{sysconfig.get_path('scripts')} nor on the PATH. Install it, or name it in TORCHADA_BIN."
        )
    return found


def _is_program(path: str) -> bool:
    """No script of another package that is called so."""
    with open(path, "rb") as file:
        return file.read(2) != b"#!"


@contextlib.contextmanager
def locked(folder: str) -> Iterator[None]:
    """Let one process at a time work in a folder; a process that dies leaves no lock behind."""
    os.makedirs(folder, exist_ok=True)
    try:
        import fcntl
    except ImportError:
        yield
        return
    with open(os.path.join(folder, ".torchada.lock"), "a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def port(sources: Sequence[str], include_dirs: Sequence[str], folder: str, verbose: bool = False) -> Ported:
    """Port sources, and the headers of the project that they include, into a folder.

    Nothing happens where the inputs are those of the last time. Raises `PortError`, with what the program
    said, if it fails.
    """
    inputs = _includes.closure(sources, include_dirs)
    with locked(folder):
        return _Build(inputs, folder, verbose).run()


class _Build:
    """One run: the inputs are laid out as they lie in the project, and ported from there."""

    def __init__(self, inputs: _includes.Inputs, folder: str, verbose: bool) -> None:
        self._inputs = inputs
        self._folder = os.path.abspath(folder)
        self._verbose = verbose
        self._base = os.path.commonpath([*map(os.path.dirname, inputs.files), *inputs.folders])
        self._configuration = _configuration()
        self._from = os.path.join(self._folder, "cuda")
        self._to = os.path.join(self._folder, "musa")

    def run(self) -> Ported:
        program = binary()
        copies = {os.path.relpath(path, self._base): path for path in self._inputs.files}
        key = self._key(program, copies)
        stamp = os.path.join(self._folder, "inputs.json")
        names = _read(stamp, key)
        if names is None:
            with contextlib.suppress(FileNotFoundError):
                os.remove(stamp)
            self._lay_out(copies)
            self._translate(program)
            names = self._names()
            with open(stamp, "w", encoding="utf-8") as file:
                json.dump({"key": key, "names": names}, file)
        return self._ported(names)

    def _key(self, program: str, copies: Mapping[str, str]) -> str:
        digest = hashlib.sha256(repr((program, _identity(program))).encode())
        if self._configuration:
            copies = {**copies, "the configuration": self._configuration}
        for name, path in sorted(copies.items()):
            with open(path, "rb") as file:
                content = hashlib.sha256(file.read()).hexdigest()
            digest.update(f"{name}\0{content}\n".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def _lay_out(self, copies: Mapping[str, str]) -> None:
        shutil.rmtree(self._from, ignore_errors=True)
        for name, path in copies.items():
            target = os.path.join(self._from, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(path, target)

    def _translate(self, program: str) -> None:
        # The files are no work tree's, whatever lies around the build folder.
        command = [program, "port", self._from, "-o", self._to, "--no-ignore", "--rename", "always"]
        command += ["--config", self._configuration] if self._configuration else ["--no-config"]
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        said = done.stdout.strip()
        # 1: some edits were withdrawn or files failed, and the rest is written; `_ported` sees to the files.
        if done.returncode == 1:
            warnings.warn(f"torchada ported not everything:\n{said}", RuntimeWarning, stacklevel=2)
        elif done.returncode != 0:
            raise PortError(f"`{' '.join(command)}` failed with exit code {done.returncode}:\n{said}")
        elif self._verbose:
            print(said, file=sys.stderr)
        for line in self._errors():
            print(line, file=sys.stderr)

    def _errors(self) -> Iterator[str]:
        """The findings that are errors, a line each, by the names of the project's own files."""
        with open(os.path.join(self._to, ".torchada", "report.json"), encoding="utf-8") as file:
            findings = json.load(file)["findings"]
        for each in findings:
            if each.get("severity") == "error":
                place = os.path.join(self._base, str(each.get("path")))
                yield f"{place}:{each.get('line')}: {each.get('code')}: {each.get('message')}; {each.get('help', '')}"

    def _names(self) -> dict[str, str]:
        """What each input is called in the port."""
        with open(os.path.join(self._to, ".torchada", "manifest.json"), encoding="utf-8") as file:
            rows = json.load(file)["files"]
        return {row["source"]: row["path"] for row in rows if row.get("source")}

    def _ported(self, names: Mapping[str, str]) -> Ported:
        files = {}
        for source in self._inputs.sources:
            name = os.path.relpath(source, self._base)
            target = os.path.join(self._to, names.get(name, name))
            if not os.path.exists(target):
                raise PortError(f"{source} could not be ported: {target} was not written")
            files[source] = target
        folders = {path: os.path.join(self._to, os.path.relpath(path, self._base)) for path in self._inputs.folders}
        return Ported(files, folders)


def _configuration() -> str | None:
    """The project's settings, in the folder in which it is built."""
    for name, mark in _CONFIGURATION:
        if os.path.isfile(name):
            with open(name, encoding="utf-8", errors="replace") as file:
                if mark in file.read():
                    return os.path.abspath(name)
    return None


def _identity(program: str) -> tuple[int, int]:
    status = os.stat(program)
    return status.st_size, status.st_mtime_ns


def _read(stamp: str, key: str) -> dict[str, str] | None:
    """The names of the last port, if it had the same inputs."""
    try:
        with open(stamp, encoding="utf-8") as file:
            content = json.load(file)
    except (OSError, ValueError):
        return None
    return content.get("names") if content.get("key") == key else None
