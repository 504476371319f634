"""`python -m torchada`: what this machine has, and whether the stub works on it; with arguments, the commands."""

from __future__ import annotations

import os
import platform
import sys
import warnings
from collections.abc import Callable


def main(arguments: list[str]) -> int:
    """Check the installation, list the patches, say where the CMake module is, or run a command.

    0 when all is well, 1 when it is not, 2 where the translator is asked for and is not there.
    """
    if not arguments:
        return check()
    if arguments[0] in ("-h", "--help"):
        print(_HELP, flush=True)
    if arguments[0] == "run":
        # The program makes the environment that a run needs; the Python is the one that was asked.
        arguments = ["run", "--python", sys.executable, *arguments[1:]]
    if arguments == ["patches"]:
        return patches()
    if arguments == ["--cmake-dir"]:
        print(os.path.join(os.path.dirname(os.path.abspath(__file__)), "cmake"))
        return 0
    if arguments[0] in TOOLS:
        return tool(arguments[0], arguments[1:])
    return translate(arguments)


_HELP = """\
python -m torchada                      check this installation, and try the device
python -m torchada patches              list the patches
python -m torchada --cmake-dir          the folder of the CMake module
python -m torchada run PROGRAM …        run a program of this Python's
python -m torchada verify …, bench …    try the operators, measure the patches
Everything else is the translator's:
"""


#: The commands that are Python, in `tools/`. A port has no tools: there, the program is asked.
TOOLS = ("bench", "verify")


def tool(name: str, arguments: list[str]) -> int:
    """Run a command of the package's own, or the program's of that name where the package came with a port."""
    import importlib

    try:
        module = importlib.import_module(f".tools.{name}", __package__)
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith(f"{__package__}.tools"):
            raise
        return translate([name, *arguments])
    result: int = module.main(arguments)
    return result


def translate(arguments: list[str]) -> int:
    """Have the translator take this process's place."""
    from .utils import _binary

    try:
        program = _binary.find()
    except _binary.BinaryNotFound as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    sys.stdout.flush()
    os.execv(program, [program, *arguments])


def patches() -> int:
    """Print each patch with what it does."""
    from . import _registry

    _registry.load()
    for each in _registry.PATCHES.values():
        waits = f" (when {each.module} is imported)" if each.module else ""
        print(f"{each.name}{waits}\n    {each.summary}")
    return 0


def check() -> int:
    """Import the stub as a program does, and try what it promises on the device."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        import torchada
    print(f"torchada {torchada.__version__}, Python {platform.python_version()}")
    for warning in caught:
        print(f"warning: {warning.message}")
    try:
        import torch
    except ImportError as error:
        print(f"torch can't be imported: {error}")
        return 1
    print(f"torch {torch.__version__}")
    if not torchada.is_musa_platform():
        print(f"platform: {torchada.get_device_name()}; there is no torch_musa here, so nothing is patched.")
        return 0
    musa = sys.modules.get("torch_musa")
    if musa is None:
        return 1
    print(f"torch_musa {getattr(musa, '__version__', '?')}, {torch.musa.device_count()} devices")
    print(torchada.report())
    _unlisted()
    failed = [name for name, test in _TESTS.items() if not _passes(name, test)]
    return 1 if failed else 0


def _passes(name: str, test: Callable[[], bool]) -> bool:
    try:
        good, why = test(), "wrong result"
    except Exception as error:
        good, why = False, f"{type(error).__name__}: {error}"
    print(f"check: {name}: {'ok' if good else why}")
    return good


def _unlisted() -> None:
    """Name the public functions of this torch's `torch.cuda` that no table has."""
    import torch

    from . import _tables

    known = {*_tables.FORWARDED, *_tables.SILENT, *_tables.MISSING, *_tables.OWN, *_tables.KEPT}
    unlisted = [name for name in torch.cuda.__all__ if f"torch.cuda.{name}" not in known]
    if unlisted:
        print(f"torch.cuda has names that torchada does not know: {', '.join(sorted(unlisted))}")


def _device() -> bool:
    import torch

    return type(torch.device("cuda:0")) is torch.device and torch.device("cuda:0").type == "musa"


def _compute() -> bool:
    import torch

    there = torch.arange(4, device="cuda", dtype=torch.float32)
    return there.is_cuda and (there + there.cpu().cuda()).sum().item() == 12.0


def _synchronize() -> bool:
    import torch

    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.ones(1, device="cuda")
    torch.cuda.synchronize()
    return isinstance(stream, torch.cuda.Stream) and stream.query()


_TESTS: dict[str, Callable[[], bool]] = {
    "torch.device('cuda:0') is a MUSA device": _device,
    "a tensor is made, copied and computed with": _compute,
    "a stream is used and synchronized": _synchronize,
}


def end(arguments: list[str]) -> None:
    """Run a command, and end the process with its exit code."""
    try:
        sys.exit(main(arguments))
    except BrokenPipeError:
        # Whoever read the output has seen enough.
        sys.stderr.close()
        sys.exit(1)


if __name__ == "__main__":
    end(sys.argv[1:])
