"""The translator, which ports the sources of an extension into its build folder."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from .. import _distribution
from . import _binary, _includes, _names

#: Files of the project that say how it is translated, and what in them says so.
_CONFIGURATION = (("torchada.toml", ""), ("pyproject.toml", "[tool.torchada"))

#: Options of a port in a build folder, unless the caller names others. The project may be in the portable dialect,
#: which leaves C++ to the build, that is, to this module.
_OPTIONS = {"--rename": "always", "--dialect": "musa"}


class PortError(RuntimeError):
    """The translator is not there, or could not translate."""


class Ported(NamedTuple):
    """Where the translated files are."""

    #: The translated file for each source, by its absolute path.
    files: Mapping[str, str]
    #: Where the translated headers of each include folder of the project are, by its absolute path.
    folders: Mapping[str, str]
    #: All translated files.
    outputs: Sequence[str]
    #: What the port was made from: all files that were looked at, the configuration and the program.
    inputs: Sequence[str]

    def include_dirs(self, own: Sequence[str]) -> list[str]:
        """The include folders to build with: before each of the project's, that of its translated headers."""
        known = {os.path.abspath(path) for path in own}
        result = [target for path, target in self.folders.items() if path not in known]
        for path in own:
            target = self.folders.get(os.path.abspath(path))
            result += [target, path] if target else [path]
        return result


def binary() -> str:
    """The translator's program. Raises `PortError` if there is none."""
    try:
        return _binary.find()
    except _binary.BinaryNotFound as error:
        raise PortError(str(error)) from None


@contextlib.contextmanager
def locked(folder: str) -> Iterator[None]:
    """Let one process at a time work in a folder; a process that dies leaves no lock behind."""
    os.makedirs(folder, exist_ok=True)
    try:
        import fcntl
    except ImportError:
        yield
        return
    # A build folder that came with the sources may have a link or a pipe of this name.
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        lock = os.open(os.path.join(folder, ".torchada.lock"), flags, 0o666)
    except OSError as error:
        raise PortError(f"no port can be made in {folder}, since its lock can't be opened: {error}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def port(
    sources: Sequence[str],
    include_dirs: Sequence[str],
    folder: str,
    verbose: bool = False,
    options: Sequence[str] = (),
    base: str | None = None,
) -> Ported:
    """Port sources, and the headers that they include, into a folder.

    Nothing happens where the inputs are those of the last time; otherwise what has changed is written anew.
    `options` are more arguments of `torchada port`. Below `folder` the files lie as they lie below `base`, or
    below the innermost folder that has them all. Raises `PortError`, with the output of the program, if it fails.
    """
    if (fault := _distribution.mixed()) is not None:
        raise PortError(fault)
    inputs = _includes.closure(sources, include_dirs)
    with locked(folder):
        return _Build(inputs, folder, verbose, options, base).run()


def port_text(text: str, rules: Mapping[str, str]) -> str:
    """Port one text as a file of CUDA code; `rules` are names of the caller's own."""
    with tempfile.TemporaryDirectory(prefix="torchada-") as folder:
        command = [binary(), "port", "-", "-o", "-", "--no-config", *_names.options(rules, folder)]
        done = subprocess.run(command, input=text.encode("utf-8", "surrogateescape"), capture_output=True)
    if done.returncode != 0:
        message = done.stderr.decode("utf-8", "replace").strip()
        raise PortError(f"`{' '.join(command)}` failed with exit code {done.returncode}:\n{message}")
    return done.stdout.decode("utf-8", "surrogateescape")


class _Build:
    """One run: the inputs are laid out as they lie in the project, and ported from there."""

    def __init__(
        self, inputs: _includes.Inputs, folder: str, verbose: bool, options: Sequence[str], base: str | None
    ) -> None:
        self._inputs = inputs
        self._folder = os.path.abspath(folder)
        self._verbose = verbose
        self._options = [os.fspath(each) for each in options]
        self._base = base or os.path.commonpath([*map(os.path.dirname, inputs.files), *inputs.folders])
        self._configuration = _configuration()
        self._program = binary()
        self._from = os.path.join(self._folder, "cuda")
        self._to = os.path.join(self._folder, "musa")

    def run(self) -> Ported:
        copies = {os.path.relpath(path, self._base): path for path in self._inputs.files}
        key = self._key(copies)
        stamp = os.path.join(self._folder, "inputs.json")
        names = _read(stamp, key)
        if names is None:
            is_whole = os.path.isfile(stamp) and os.path.isdir(self._to) and not os.path.islink(self._to)
            _remove(stamp)
            if not is_whole:
                # What a run left that did not come to its end is nobody's work.
                _remove(self._to)
            self._lay_out(copies)
            self._translate()
            names = self._names()
            write(stamp, json.dumps({"key": key, "names": names}))
        return self._ported(names)

    def _key(self, copies: Mapping[str, str]) -> str:
        digest = hashlib.sha256(repr((self._base, self._options)).encode("utf-8", "surrogateescape"))
        named = {**copies, "\0program": self._program}
        if self._configuration:
            named["\0configuration"] = self._configuration
        for name, path in sorted(named.items()):
            digest.update(f"{name}\0{_digest(path)}\n".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def _lay_out(self, copies: Mapping[str, str]) -> None:
        _remove(self._from)
        for name, path in copies.items():
            target = os.path.join(self._from, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(path, target)

    def _translate(self) -> None:
        # The files are no work tree's, whatever lies around the build folder, and their folder is this build's own: where
        # a header comes or goes, all may have another name, as if the last port were another tree's.
        command = [self._program, "port", self._from, "-o", self._to, "--no-ignore", "--force"]
        option_names = {each.partition("=")[0] for each in self._options}
        for name, value in _OPTIONS.items():
            command += [] if name in option_names else [name, value]
        if not option_names & {"--config", "--no-config"}:
            command += ["--config", self._configuration] if self._configuration else ["--no-config"]
        command += self._options
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        output = done.stdout.strip()
        # 1: some edits were withdrawn or files failed, and the rest is written; `_ported` sees to the files.
        if done.returncode == 1:
            warnings.warn(f"torchada ported not everything:\n{output}", RuntimeWarning, stacklevel=2)
        elif done.returncode != 0:
            raise PortError(f"`{' '.join(command)}` failed with exit code {done.returncode}:\n{output}")
        elif self._verbose:
            print(output, file=sys.stderr)
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
            if not os.path.isfile(target):
                raise PortError(f"{source} could not be ported: {target} was not written")
            files[source] = target
        folders = {path: os.path.join(self._to, os.path.relpath(path, self._base)) for path in self._inputs.folders}
        outputs = [os.path.join(self._to, name) for name in names.values()]
        more = [self._configuration] if self._configuration else []
        return Ported(files, folders, outputs, [*self._inputs.seen, *more, self._program])


def _configuration() -> str | None:
    """The project's settings, in the folder in which it is built."""
    for name, mark in _CONFIGURATION:
        if os.path.isfile(name):
            with open(name, encoding="utf-8", errors="replace") as file:
                if mark in file.read():
                    return os.path.abspath(name)
    return None


def _remove(path: str) -> None:
    """Remove a folder, or what stands in its place: a build folder that came with the sources may have a link there,
    through which files would be written somewhere else. Raises `PortError` if something stays."""
    try:
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        elif os.path.lexists(path):
            os.remove(path)
    except OSError as error:
        raise PortError(f"{path} can't be made anew: {error}") from None


def _digest(path: str) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def write(path: str, text: str) -> None:
    """Write a file that is the old or the new one at every moment."""
    part = f"{path}.{os.getpid()}.part"
    with contextlib.suppress(FileNotFoundError):
        os.remove(part)
    with open(part, "x", encoding="utf-8") as file:
        file.write(text)
    os.replace(part, path)


def _read(stamp: str, key: str) -> dict[str, str] | None:
    """The names of the last port, if it had the same inputs."""
    if not os.path.isfile(stamp):
        return None
    try:
        with open(stamp, encoding="utf-8") as file:
            content = json.load(file)
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(content, dict) or content.get("key") != key:
        return None
    names = content.get("names")
    return names if isinstance(names, dict) and all(map(_is_below, names.values())) else None


def _is_below(name: object) -> bool:
    """Whether a name is that of something below the folder that it is joined to."""
    return isinstance(name, str) and not os.path.isabs(name) and ".." not in name.split("/")
