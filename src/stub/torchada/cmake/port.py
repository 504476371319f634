"""What the CMake module beside this file runs, with any Python from 3.9 on.

`port.py wanted` prints whether sources are ported here, TRUE or FALSE; `port.py binary` prints where the program
is; `port.py port FILE` ports what FILE says, and writes what CMake has to know of it.
"""

from __future__ import annotations

import hashlib
import os
import sys
import types
from collections.abc import Iterable

HERE = os.path.dirname(os.path.abspath(__file__))


def _without_patches() -> None:
    """Have the package's modules be found without its start, which imports torch where that is for MUSA."""
    package = types.ModuleType("torchada")
    package.__path__ = [os.path.dirname(HERE)]
    sys.modules["torchada"] = package


_without_patches()

from torchada import _distribution  # noqa: E402

if (_fault := _distribution.mixed()) is not None:
    sys.exit(f"torchada: {_fault}")

from torchada import build  # noqa: E402
from torchada.utils import _porter  # noqa: E402


def port(path: str) -> None:
    """Port the sources of one target.

    Each line of the file is a word and a value: the `folder` to work in, each `source`, `include` folder and
    `option`, and the `output` that each source has to become. Beside the port there are `port.d`, which names
    all that was looked at, `headers`, which is new when a ported header is, and `done`.
    """
    arguments: dict[str, list[str]] = {"folder": [], "source": [], "include": [], "option": [], "output": []}
    with open(path, encoding="utf-8") as file:
        # `splitlines` breaks at more characters, which names of files may have.
        for line in file.read().split("\n"):
            word, _, value = line.partition(" ")
            if value:
                arguments[word].append(value)
    folder = arguments["folder"][0]
    ported = _porter.port(arguments["source"], arguments["include"], folder, options=arguments["option"], base="/")
    for source, output in zip(arguments["source"], arguments["output"]):
        target = ported.files[source]
        if target != output:
            raise _porter.PortError(
                f"{source} was ported to {target}, and the build expects {output}: a file is not renamed where "
                "its name is used in a way that a port can't follow. OPTIONS --rename=never keeps all names."
            )
    headers = sorted(set(ported.outputs) - set(arguments["output"]))
    _write_if_new(os.path.join(folder, "headers"), "".join(f"{_digest(each)} {each}\n" for each in headers))
    done = os.path.join(folder, "done")
    _porter.write(os.path.join(folder, "port.d"), f"{_escaped(done)}: {' '.join(map(_escaped, ported.inputs))}\n")
    _porter.write(done, "")


def _digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def _write_if_new(path: str, text: str) -> None:
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    except OSError:
        pass
    _porter.write(path, text)


def _escaped(path: str) -> str:
    """A path as files of dependencies have it."""
    return path.replace("$", "$$").replace("#", "\\#").replace(" ", "\\ ")


def main(arguments: Iterable[str]) -> int:
    """Run one of the commands. 1, with what is wrong, where it fails."""
    command, *rest = arguments
    try:
        if command == "wanted":
            print("TRUE" if build.is_wanted() else "FALSE")
        elif command == "binary":
            print(_porter.binary())
        else:
            port(*rest)
    except _porter.PortError as error:
        print(f"torchada: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
