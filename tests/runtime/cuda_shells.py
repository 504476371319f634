"""Empty CUDA libraries, so that a CUDA build of torch imports where there is no CUDA.

Torch's own libraries name about fourteen of CUDA's, with versions of symbols, and the loader wants
them all. A shell has the name, the version nodes and the functions that torch asks for, read out of
torch's libraries; each function returns 100, which is "no device" to the CUDA runtime. The shells go
into `torch/lib`, which torch's libraries search anyway, so no environment variable is needed.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from errors import TestbedError
from tools import need, output

#: Libraries that come from CUDA.
VENDOR = re.compile(r"^lib(cu|nccl|nv)\w*\.so\.")

#: Functions of CUDA's that carry no version of a symbol.
LOOSE = re.compile(r"_{0,2}(cu|nccl|nv)[A-Za-z]")

#: Functions whose result is a text: a number in its place would be followed as a pointer.
TEXTS = frozenset(
    "cudaGetErrorString cudaGetErrorName ncclGetErrorString ncclGetLastError cudnnGetErrorString "
    "cusparseGetErrorString nvrtcGetErrorString cublasGetStatusString cublasGetStatusName".split()
)

#: Functions that hand a text out through a pointer: the profiler makes a string of it.
TEXTS_BY_POINTER = frozenset({"cuptiGetResultString"})

#: The shell that gets the functions without a version: every torch loads it.
HOME = "libcudart"

#: A shell: its version nodes ("" for none) and the functions under each.
Nodes = dict[str, set[str]]


def check_tools() -> None:
    """Raise `TestbedError` where a tool is missing."""
    for tool, package in (("gcc", "gcc"), ("readelf", "binutils"), ("nm", "binutils")):
        need(tool, package)


def write(site: Path) -> list[str]:
    """Put the shells that this torch needs beside its libraries; gives their names."""
    folder = site / "torch" / "lib"
    shells: dict[str, Nodes] = {}
    loose: set[str] = set()
    libraries = [path for stem in ("torch", "c10", "caffe2", "shm") for path in sorted(folder.glob(f"lib{stem}*.so"))]
    for library in libraries:
        for name, nodes in needed(library).items():
            if VENDOR.match(name):
                shell = shells.setdefault(name, {})
                for node in nodes:
                    shell.setdefault(node, set())
    for library in libraries:
        for function, node in undefined(library):
            for nodes_of in shells.values():
                if node and node in nodes_of:
                    nodes_of[node].add(function)
            if not node and LOOSE.match(function):
                loose.add(function)
    if not shells:
        return []  # a torch that was built without CUDA needs nothing
    home = next((name for name in sorted(shells) if name.startswith(HOME)), None)
    if home is None:
        raise TestbedError(
            f"no library of this torch asks for {HOME}, so nothing can hold the functions without a version"
        )
    shells[home][""] = loose
    for name, shell in sorted(shells.items()):
        compile_shell(folder / name, name, shell)
    return sorted(shells)


def slim(site: Path) -> int:
    """Give back the disk blocks of the GPU code in torch's libraries: without a driver nothing reads it.

    The files keep their size and get holes. Gives the bytes freed; 0 where the file system has no holes.
    """
    freed = 0
    for library in sorted((site / "torch" / "lib").glob("libtorch_*.so")):
        for line in output("readelf", "-SW", str(library)).splitlines():
            section = re.search(r"\]\s+\.nv_fatbin\s+PROGBITS\s+\w+\s+(\w+)\s+(\w+)", line)
            if section is None:
                continue
            start, size = int(section[1], 16), int(section[2], 16)
            try:
                hole = subprocess.run(
                    ["fallocate", "--punch-hole", "-o", str(start), "-l", str(size), str(library)],
                    stderr=subprocess.DEVNULL,
                )
            except FileNotFoundError:
                return freed
            freed += size if hole.returncode == 0 else 0
    return freed


def needed(library: Path) -> dict[str, set[str]]:
    """The libraries that a library needs, each with the version nodes that it wants of it."""
    wanted: dict[str, set[str]] = {}
    for name in re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-dW", str(library))):
        wanted[name] = set()
    current = ""
    for line in output("readelf", "-VW", str(library)).splitlines():
        file = re.search(r"File: (\S+)", line)
        node = re.search(r"Name: (\S+)\s+Flags", line)
        if file is not None:
            current = file[1]
        elif node is not None and current in wanted:
            wanted[current].add(node[1])
    return wanted


def undefined(library: Path) -> list[tuple[str, str]]:
    """The functions that a library takes from others, each with its version node or ""."""
    found = []
    for line in output("nm", "-D", "--undefined-only", str(library)).splitlines():
        if line.strip():
            name, _, node = line.split()[-1].partition("@")
            found.append((name, node.lstrip("@")))
    return found


def compile_shell(path: Path, name: str, nodes: Nodes) -> None:
    """Write one shared library."""
    lines, script = [], []
    for node, functions in sorted(nodes.items()):
        lines += [_definition(function) for function in sorted(functions)]
        if node:
            script.append(f"{node} {{ {' '.join(function + ';' for function in sorted(functions))} }};")
    with tempfile.TemporaryDirectory() as folder:
        source, versions = Path(folder) / "shell.c", Path(folder) / "shell.map"
        source.write_text("\n".join(lines) + "\n")
        versions.write_text("\n".join(script) + "\n")
        flags = ["-w", "-O1", "-fPIC", "-fno-builtin", "-shared", "-s", f"-Wl,-soname,{name}"]
        flags += [f"-Wl,--version-script={versions}"] if script else []
        path.unlink(missing_ok=True)
        output("gcc", *flags, "-o", str(path), str(source))


def _definition(function: str) -> str:
    text = "no CUDA device (empty library)"
    if function in TEXTS:
        return f'const char *{function}(void) {{ return "{text}"; }}'
    if function in TEXTS_BY_POINTER:
        return f'int {function}(int code, const char **out) {{ *out = "{text}"; return 0; }}'
    return f"int {function}(void) {{ return 100; }}"
