"""Programs in a Python that has imported torch already.

A program of a test's is a process of its own, and most of the time of such a process goes into `import torch`. So one
process imports it, and each program runs in a fork of that, with the arguments, variables, folder, path and files that
it was started with. Its first import of torch finds what is there already, and loads torch's backends as the
environment says. At its end nothing is taken apart: that takes as long as half of what is left. A test of what happens
inside of that import, or at the interpreter's end, starts Python itself.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import threading
import types
import warnings
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any, NoReturn


# a program that hangs is killed after so many seconds
LONGEST = 600


class Process:
    """A program that was started, with Python's arguments: `-W FILTER`, then `-c CODE`, `-m MODULE` or a file, then its own."""

    def __init__(self, arguments: list[str], *, env: dict[str, str] | None = None, cwd: Path | None = None) -> None:
        self._arguments = arguments
        # files and no pipes: nobody has to read while the program runs
        self._place = tempfile.TemporaryDirectory()
        self._files = [Path(self._place.name, name) for name in ("out", "err")]
        variables, folder = dict(os.environ if env is None else env), str(cwd or Path.cwd())
        self._pid = _asked(start=arguments, env=variables, cwd=folder, files=[str(file) for file in self._files])

    def finish(self) -> subprocess.CompletedProcess[str]:
        """Wait for its end."""
        code = _asked(wait=self._pid)
        printed = [file.read_text() for file in self._files]
        self._place.cleanup()
        return subprocess.CompletedProcess(self._arguments, code, *printed)


def run(
    arguments: list[str], *, env: dict[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end."""
    return Process(arguments, env=env, cwd=cwd).finish()


_server: subprocess.Popen[str] | None = None


def _asked(**request: object) -> int:
    """The server's answer; it is started by the first question, and ends with this process."""
    global _server
    if _server is None:
        variables = {**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}
        pipe = subprocess.PIPE
        _server = subprocess.Popen([sys.executable, __file__], env=variables, stdin=pipe, stdout=pipe, text=True)
        atexit.register(_server.communicate)
    assert _server.stdin is not None and _server.stdout is not None
    print(json.dumps(request), file=_server.stdin, flush=True)
    return int(_server.stdout.readline())


def _serve() -> dict[str, Any]:
    """Fork for each program that is asked for. Returns what is asked for, in the fork."""
    for line in sys.stdin:
        request = json.loads(line)
        if "wait" in request:
            answer = os.waitstatus_to_exitcode(os.waitpid(request["wait"], 0)[1])
        else:
            answer = os.fork()
            if answer == 0:
                return request
        print(answer, flush=True)
    sys.exit()


class _Imported:
    """Finds and loads torch, which this process imported before the program began. Until then none of it is there."""

    def __init__(self) -> None:
        names = [name for name in sys.modules if name.partition(".")[0] == "torch"]
        self._modules = {name: sys.modules.pop(name) for name in names}
        self._spec = self._modules["torch"].__spec__

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name == "torch" else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        return self._modules["torch"]

    def exec_module(self, module: types.ModuleType) -> None:
        module.__spec__ = self._spec
        sys.modules.update(self._modules)
        sys.meta_path.remove(self)  # type: ignore[arg-type]
        if module._is_device_backend_autoload_enabled():
            module._import_device_backends()


def _run(request: dict[str, Any], path: list[str]) -> None:
    """Make this process what a new Python would be, and run the program in it. `path` has the folders of packages."""
    for number, name in enumerate([os.devnull, *request["files"]]):
        file = os.open(name, os.O_RDWR | os.O_CREAT)
        os.dup2(file, number)
        os.close(file)
    signal.alarm(LONGEST)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    arguments = request["start"]
    while arguments[0] == "-W":
        sys.warnoptions.append(arguments[1])
        warnings._setoption(arguments[1])  # type: ignore[attr-defined]
        arguments = arguments[2:]
    kind = arguments.pop(0) if arguments[0] in ("-c", "-m") else ""
    text, sys.argv = arguments[0], [kind if kind == "-c" else arguments[0], *arguments[1:]]
    first = {"-c": "", "-m": request["cwd"], "": os.path.dirname(os.path.abspath(text))}[kind]
    sys.path[:] = [first, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)), *path]
    sys.meta_path.insert(0, _Imported())  # type: ignore[arg-type]
    if kind == "-m":
        runpy.run_module(text, run_name="__main__", alter_sys=True)
        return
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    if kind:
        exec(compile(text, "<string>", "exec"), vars(main))
    else:
        main.__file__ = text
        exec(compile(Path(text).read_bytes(), text, "exec"), vars(main))


def _end(code: object) -> NoReturn:
    """End as Python does, but for taking apart what is there."""
    if not isinstance(code, int | None):
        print(code, file=sys.stderr)
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    import setuptools  # noqa: F401  torch_musa imports it
    import torch  # noqa: F401

    _own = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    _path = [each for each in sys.path[1:] if each not in _own]
    gc.freeze()
    _request = _serve()
    try:
        _run(_request, _path)
    except SystemExit as error:
        _end(error.code)
    except BaseException:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
        _end(1)
    _end(None)
