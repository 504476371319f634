"""Compile the C++ half of the double for the torch of one environment: no ninja, no setuptools, no pybind11."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import time
from pathlib import Path
from typing import Callable

from errors import TestbedError
from packages import PYTHON, interpreter
from tools import need, output, provide

#: The first torch whose headers are C++20.
CPP20 = (2, 12)


def check_tools() -> None:
    """Raise `TestbedError` where the compiler or Python's headers are missing."""
    need("g++", "g++")
    headers = Path(_python("paths['include']"))
    provide(
        (headers / "Python.h").is_file, f"{headers}/Python.h is missing", "python" + ".".join(map(str, PYTHON)) + "-dev"
    )


def fingerprint(double: Path) -> str:
    """Names the sources and the way in which they are compiled."""
    seen = hashlib.sha256(Path(__file__).read_bytes())
    for path in sorted((double / "csrc").iterdir()):
        seen.update(path.name.encode() + b"\0" + path.read_bytes())
    return seen.hexdigest()[:10]


def build(double: Path, site: Path, out: Path, say: Callable[[str], None]) -> None:
    """Compile `csrc/*.cpp` into `OUT/torch_musa/_MUSAC…so`. The folder appears when it is whole."""
    check_tools()
    start = time.monotonic()
    say("compiling the double's C++ half")
    torch = site / "torch"
    suffix = _python("get_config_var('EXT_SUFFIX')")
    flags = _flags(torch)
    sources = sorted((double / "csrc").glob("*.cpp"))
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=out.name + ".") as part:
        package = Path(part) / "whole" / "torch_musa"
        package.mkdir(parents=True)
        # as one unit: with torch's headers read once they compile in a third of the time
        whole = Path(part) / "whole.cpp"
        whole.write_text("".join(f'#include "{source}"\n' for source in sources))
        try:
            output(
                "g++", *flags, "-shared", "-s", "-o", str(package / ("_MUSAC" + suffix)), str(whole),
                f"-L{torch / 'lib'}", "-lc10", "-ltorch_cpu", "-ltorch_python", "-Wl,--allow-shlib-undefined",
            )  # fmt: skip
        except TestbedError as error:
            raise TestbedError(f"the double's C++ half does not compile; {error}") from error
        shutil.rmtree(out, ignore_errors=True)
        os.rename(package.parent, out)
    say(f"compiled in {time.monotonic() - start:.0f} s")


def _flags(torch: Path) -> list[str]:
    text = (torch / "version.py").read_text()
    version = re.search(r"__version__ = '(\d+)\.(\d+)", text)
    if version is None:
        raise TestbedError(f"{torch}/version.py does not say which version it is")
    standard = "c++20" if (int(version[1]), int(version[2])) >= CPP20 else "c++17"
    include = torch / "include"
    folders = [include, include / "torch" / "csrc" / "api" / "include", Path(_python("paths['include']"))]
    system = [flag for folder in folders for flag in ("-isystem", str(folder))]
    # no warnings: which ones there are is up to the compiler, and most are about torch's inlined code
    return [f"-std={standard}", "-O1", "-fPIC", "-w", "-DAT_PER_OPERATOR_HEADERS", *system]


def _python(expression: str) -> str:
    """What the interpreter of the environments says of its own build."""
    code = f"from sysconfig import get_config_var, get_paths; paths = get_paths(); print({expression})"
    return output(interpreter(), "-c", code).strip()
