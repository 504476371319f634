"""The operators that a project's Python calls, by the names that it calls them by."""

from __future__ import annotations

import ast
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

from . import known

#: Bytes of a file that is read, and how many files are.
LARGEST, MOST = 4 << 20, 50_000

#: Folders that are nobody's sources.
SKIPPED = frozenset(
    (".git", ".hg", ".tox", ".venv", "__pycache__", "build", "dist", "node_modules", "site-packages", "venv")
)

#: What Python's own signs call.
SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.BitAnd: "bitwise_and",
    ast.BitOr: "bitwise_or",
    ast.BitXor: "bitwise_xor",
    ast.Div: "true_divide",
    ast.FloorDiv: "floor_divide",
    ast.Invert: "bitwise_not",
    ast.MatMult: "matmul",
    ast.Mod: "remainder",
    ast.Mult: "mul",
    ast.Pow: "pow",
    ast.Sub: "sub",
    ast.USub: "neg",
}

#: Modules of PyTorch's whose functions are operators.
HOMES = ("torch.fft", "torch.linalg", "torch.nn", "torch.nn.functional", "torch.ops.aten", "torch.special")


def names(folder: Path) -> tuple[list[str], list[str]]:
    """The names in order, such as `torch.nn.Conv2d` and `torch.Tensor.add_`, and what could not be read, and why."""
    found: set[str] = set()
    unread: list[str] = []
    for number, path in enumerate(files(folder)):
        if number >= MOST:
            unread.append(f"{folder}: more than {MOST} Python files; the rest was not read")
            break
        try:
            if path.stat().st_size > LARGEST:
                raise ValueError(f"larger than {LARGEST >> 20} MB")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(path.read_bytes())
            found |= _Calls().of(tree)
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
            unread.append(f"{path}: {getattr(error, 'strerror', None) or getattr(error, 'msg', None) or error}")
    return sorted(found), unread


def files(folder: Path) -> Iterator[Path]:
    """The Python files of a folder, sorted; links are not followed."""
    for place, folders, inside in os.walk(folder):
        folders[:] = sorted(
            each for each in folders if each not in SKIPPED and not os.path.islink(os.path.join(place, each))
        )
        for name in sorted(inside):
            path = Path(place, name)
            if name.endswith(".py") and path.is_file() and not path.is_symlink():
                yield path


class _Calls:
    """Collects what a module calls, by the names that its imports give."""

    def __init__(self) -> None:
        #: What a name of the module stands for: `F` for `torch.nn.functional`.
        self._means: dict[str, str] = {}
        self._found: set[str] = set()

    def of(self, tree: ast.Module) -> set[str]:
        """The names that a module calls."""
        nodes = list(ast.walk(tree))
        for node in nodes:
            self._import(node)
        for node in nodes:
            if isinstance(node, ast.Call):
                self._call(node.func)
            elif isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
                continue  # a negative number
            elif isinstance(node, (ast.BinOp, ast.AugAssign, ast.UnaryOp)) and type(node.op) in SIGNS:
                self._found.add(f"torch.{SIGNS[type(node.op)]}")
        # Signs stand between numbers, too: they count where the module knows of PyTorch.
        return self._found if self._means else set()

    def _import(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "torch":
                    self._means[alias.asname or "torch"] = alias.name if alias.asname else "torch"
        elif isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").split(".")[0] == "torch":
            for alias in node.names:
                self._means[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def _call(self, called: ast.expr) -> None:
        dotted = _dotted(called)
        if dotted is not None:
            first, _, rest = dotted.partition(".")
            meaning = self._means.get(first)
            if meaning is not None:
                full = f"{meaning}.{rest}" if rest else meaning
                self._found.add(full.replace("torch.functional.", "torch."))
                return
        if isinstance(called, ast.Attribute):
            self._found.add(f"torch.Tensor.{called.attr}")


def _dotted(node: ast.expr) -> str | None:
    """`a.b.c` as text."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else None


def is_operators(name: str) -> bool:
    """Whether a name is one of an operator, if PyTorch's list has it or not: no container, no method of anybody's."""
    home, _, last = name.rpartition(".")
    return home in HOMES and last not in known.CONTAINERS


def warn(unread: list[str]) -> None:
    """Say what was not read."""
    for line in unread:
        print(f"warning: {line}", file=sys.stderr)
