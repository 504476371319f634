"""A setup script while it runs: what it asks of CUDA is answered for MUSA, and it makes no build for the CPU by mistake.

Projects ask `torch.cuda.is_available()`, `CUDA_HOME` or `FORCE_CUDA` whether to build their CUDA sources. Where the
answer is no, they build the rest, with the exit code 0.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from .. import _later, _libraries
from .._journal import Journal
from . import _build
from ._porter import PortError

#: The name of the script that setuptools runs.
_SCRIPT = "setup.py"

#: What a setup script asks to find out whether it builds for CUDA.
_QUESTION = re.compile(
    r"cuda\.is_available|\bhas_cuda\b|version\.cuda|\bCUDA_(?:HOME|PATH)\b|\bnvcc\b"
    r"|\b\w*(?:FORCE|WITH|WITHOUT|USE|BUILD|ENABLE|DISABLE|HAVE|HAS|SKIP|NO)_(?:\w*_)?CUDA\w*"
)

#: The variable that many setup scripts ask first: with it they build for CUDA on a machine without a GPU.
_FORCE = "FORCE_CUDA"

#: Commands of setuptools' that build, whether or not there are extensions.
_BUILDING = ("build", "bdist_wheel", "bdist_egg", "develop", "editable_wheel", "install")

#: Folders whose sources a build leaves aside, by their names or the beginnings of these.
_ASIDE = re.compile(r"\.|(?:build|dist|node_modules|third_?party|tests?|bench\w*|examples?|docs?)\Z|.*\.egg-info\Z")


class _Running:
    """The setup script that runs in this process."""

    def __init__(self, script: str, line: int) -> None:
        self.script = script
        #: Where in it `torchada.build` was imported.
        self.line = line
        self.journal = Journal()


_running: _Running | None = None


def begin() -> None:
    """Answer what the setup script asks that imports `torchada.build`, until its commands have run.

    Nothing happens where no setup script runs. The caller knows that sources are ported here.
    """
    global _running
    found = _script()
    if found is None or _running is not None:
        return
    try:
        from setuptools.dist import Distribution
    except ImportError:
        return
    _running = _Running(*found)
    journal = _running.journal
    if _is_ready():
        _answer(journal)
    else:
        _refuse(journal)
    _watch(Distribution, journal)


def _script() -> tuple[str, int] | None:
    """The setup script among those that are being run, with the line at which it is."""
    frame = sys._getframe(1)
    while frame is not None:
        # setuptools runs the text of a script in a frame of its own, whose globals have the name.
        path = frame.f_globals.get("__file__") if frame.f_globals.get("__name__") == "__main__" else None
        for name in (path, frame.f_code.co_filename):
            if isinstance(name, str) and os.path.basename(name) == _SCRIPT:
                return os.path.abspath(name), frame.f_lineno
        path = frame.f_locals.get("__file__")
        if frame.f_code.co_name == "<module>" and isinstance(path, str) and os.path.basename(path) == _SCRIPT:
            return os.path.abspath(path), frame.f_lineno
        frame = frame.f_back  # type: ignore[assignment]
    return None


def _is_ready() -> bool:
    """Whether extensions of torch's can be built for MUSA: the import of torchada has brought torch_musa in."""
    return sys.modules.get("torch_musa") is not None


def _answer(journal: Journal) -> None:
    """There is a GPU, whether this machine has one or not. `CUDA_HOME` of torch's is the SDK's folder already."""
    import torch

    def is_available() -> bool:
        """Whether extensions are built for a GPU: they are, for MUSA's."""
        return True

    journal.set(torch.cuda, "is_available", is_available)
    if _FORCE not in os.environ:
        journal.item(os.environ, _FORCE, "1")


def _refuse(journal: Journal) -> None:
    """Without torch_musa nothing builds torch's CUDA extensions: say so, rather than that there is no CUDA."""
    name = "torch.utils.cpp_extension"

    def refuse() -> None:
        def CUDAExtension(*args: Any, **kwargs: Any) -> Any:
            raise PortError(f"an extension can't be built for MUSA: {_missing()}")

        journal.set(sys.modules[name], "CUDAExtension", CUDAExtension)

    if name in sys.modules:
        refuse()
    else:
        _later.when_imported(name, refuse, journal)


def _missing() -> str:
    return (
        f"torch_musa, whose builder compiles CUDA extensions of PyTorch's, is not in {sys.executable}, or can't be "
        "imported there. Install it; pip sees what is installed with `--no-build-isolation` alone"
    )


def _watch(distribution: type[Any], journal: Journal) -> None:
    """Look at what is built before it is, and put everything back when the commands have run."""
    run_command, run_commands = distribution.run_command, distribution.run_commands

    def checked(self: Any, command: str) -> None:
        if command == "build_ext":
            built = self.get_command_obj(command)
            built.ensure_finalized()
            _check(built.extensions or ())
        elif command in _BUILDING and not self.has_ext_modules():
            _check(())
        run_command(self, command)

    def until_the_end(self: Any) -> None:
        try:
            run_commands(self)
        finally:
            end()

    journal.set(distribution, "run_command", checked)
    journal.set(distribution, "run_commands", until_the_end)


def end() -> None:
    """Put everything back."""
    global _running
    if _running is not None:
        _running.journal.roll_back()
        _running = None


def _check(extensions: Sequence[Any]) -> None:
    """Raise `PortError` where the setup script chose to leave out the project's CUDA sources."""
    if _running is None or any(map(_may_be_for_musa, extensions)):
        return
    script = _running.script
    questions = list(_questions(script))
    sources = list(_cuda_sources(os.path.dirname(script))) if questions else []
    if not sources:
        return
    shown = ", ".join(sources[:3]) + (f" and {len(sources) - 3} more" if len(sources) > 3 else "")
    asked = "".join(f"\n    {script}:{line}: {text}" for line, text in questions[:5])
    raise PortError(
        f"this build was asked for MUSA, and none of its extensions has a CUDA source, though the project has {shown}. "
        f"What was asked of CUDA:{asked}\n{_advice(questions[0][0])} For a build without a GPU, set "
        "TORCHADA_PLATFORM=cpu, and neither TORCHADA_FORCE nor FORCE_MUSA."
    )


def _advice(first: int) -> str:
    if not _is_ready() and "torch" in sys.modules:
        return f"That was answered with no, for {_missing()}."
    if _running is not None and first < _running.line:
        return (
            f"It is answered for MUSA from `import torchada.build` on, in line {_running.line}: make that the first "
            "import of the script."
        )
    return "Have the script take its sources for CUDA, by what it asks."


def _may_be_for_musa(extension: Any) -> bool:
    """Whether an extension has CUDA in it, or is built by something that alone knows its sources, such as CMake."""
    if not getattr(extension, "sources", None) or _build.is_for_musa(extension):
        return True
    return any(_libraries.linked(str(name)) != name for name in getattr(extension, "libraries", None) or ())


def _questions(script: str) -> Iterator[tuple[int, str]]:
    """The lines in which a script asks whether to build for CUDA."""
    try:
        with open(script, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return
    for number, line in enumerate(lines, 1):
        code = line.strip()
        if _QUESTION.search(code) and not code.startswith(("#", "import ", "from ")):
            yield number, code


def _cuda_sources(root: str) -> Iterator[str]:
    """The project's CUDA sources, sorted within each folder."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(
            name
            for name in folders
            if not _ASIDE.match(name) and not os.path.isfile(os.path.join(folder, name, "pyvenv.cfg"))
        )
        for name in sorted(files):
            if name.endswith(".cu"):
                yield os.path.relpath(os.path.join(folder, name), root)
