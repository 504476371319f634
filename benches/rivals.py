"""Runs other converters over a tree, as their own users would call them from Python."""

import os
import subprocess
import sys
from pathlib import Path

CPP = {".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".hh", ".inl"}


def sources(tree, endings):
    for folder, folders, names in os.walk(tree):
        folders.sort()
        for name in sorted(names):
            path = Path(folder, name)
            if path.suffix in endings and path.is_file() and not path.is_symlink():
                yield path


def hipify_perl(script, tree, out):
    """One process a file, as `hipconvertinplace-perl.sh` does, on all cores."""
    def one(path):
        target = Path(out, path.relative_to(tree))
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["perl", script, "-quiet-warnings", str(path), f"-o={target}"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    from concurrent.futures import ThreadPoolExecutor
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, sources(tree, CPP)))


def hipify(tree, out):
    from torch.utils.hipify.hipify_python import hipify as run
    run(project_directory=tree, output_directory=out, includes=["*"], is_pytorch_extension=True,
        extensions=tuple(sorted(CPP)), show_detailed=False, show_progress=False)


def torchada(tree, out):
    from torchada.utils.cpp_extension import _port_cuda_source as port
    for path in sources(tree, CPP):
        target = Path(out, path.relative_to(tree))
        target.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        target.write_text(port(text), encoding="utf-8", errors="surrogateescape")


def cuda_morph(tree):
    """Its checker, over every file in one process."""
    from ascend_compat.cli._scanner import check_file
    for path in sources(tree, {".py"}):
        check_file(str(path))


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    {"hipify-perl": hipify_perl, "hipify": hipify, "torchada": torchada, "cuda-morph": cuda_morph}[what](*rest)
