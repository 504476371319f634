"""References to CUDA in a module, as Python's own parser finds them, and what is broken about a module.

The kinds are plain on purpose: what every reader would call a reference, whatever a tool thinks of it. Lines
count from 1, columns from 0, in characters.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

DEVICE = re.compile(r"cuda(:\d+)?")
ENVIRONMENT = re.compile(r"(CUDA|CUDNN|NCCL|TORCH_CUDA)_[A-Z_]+")

#: Functions whose arguments are messages for people.
SPEAKING = ("print", "warn", "warning", "info", "debug", "error", "exception", "critical", "log", "skip", "fail")


def of(tree: ast.AST, text: str) -> Iterator[tuple[str, int, int]]:
    """Kind, line and column of each reference."""
    lines = text.split("\n")

    def column(line: int, byte: int) -> int:
        return len(lines[line - 1].encode()[:byte].decode(errors="replace"))

    prose = prose_of(tree)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            end = (node.end_lineno or 1, column(node.end_lineno or 1, node.end_col_offset or 0) - len(node.attr))
            if node.attr == "cuda" and isinstance(node.value, ast.Name) and node.value.id == "torch":
                yield "`torch.cuda`", *end
            elif node.attr == "cuda" and id(node) in called:
                yield "`.cuda()`", *end
            elif node.attr == "is_cuda":
                yield "`.is_cuda`", *end
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("torch.cuda"):
            yield "`from torch.cuda… import`", node.lineno, column(node.lineno, node.col_offset) + len("from torch.")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            place = node.lineno, column(node.lineno, node.col_offset)
            if id(node) in inside:
                if re.search(r"(^|[^a-z_])cuda:$", node.value):
                    yield 'f"cuda:{…}"', *place
            elif DEVICE.fullmatch(node.value):
                yield '"cuda", "cuda:0"', *place
            elif node.value == "nccl":
                yield '"nccl"', *place
            elif ENVIRONMENT.fullmatch(node.value):
                yield "name of an environment variable", *place


def prose_of(tree: ast.AST) -> set[int]:
    """The `id` of each literal that is there for people: docstrings, what is printed, logged, raised or helps."""
    found: set[int] = set()

    def all_of(node: ast.AST) -> None:
        found.update(id(each) for each in ast.walk(node) if isinstance(each, ast.Constant))

    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, (ast.Constant, ast.JoinedStr)):
            all_of(node.value)
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            for argument in node.exc.args:
                all_of(argument)
        elif isinstance(node, ast.Assert) and node.msg is not None:
            all_of(node.msg)
        elif isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in SPEAKING:
                for argument in node.args:
                    # a call within has arguments of its own
                    if isinstance(argument, (ast.Constant, ast.JoinedStr, ast.BinOp)):
                        all_of(argument)
            for keyword in node.keywords:
                if keyword.arg in ("help", "description", "reason"):
                    all_of(keyword.value)
    return found


def own_names(trees: Iterable[ast.AST]) -> set[str]:
    """Names with "cuda" that a project gives to things of its own."""
    found: set[str] = set()
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                found.add(node.name)
            elif isinstance(node, ast.arg):
                found.add(node.arg)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                found.add(node.attr)
    return {name for name in found if "cuda" in name.lower() and name != "cuda"}


def doubled(tree: ast.AST) -> int:
    """How often a value for MUSA stands twice in a list, in the keys of a dict or in a chain of conditions."""
    count = 0
    for node in ast.walk(tree):
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            items: list[ast.expr | None] = [each for each in node.elts if isinstance(each, ast.Constant)]
        elif isinstance(node, ast.Dict):
            items = list(node.keys)
        elif isinstance(node, ast.If):
            items = []
            chain: ast.AST | None = node
            while isinstance(chain, ast.If):
                items.append(chain.test)
                chain = chain.orelse[0] if len(chain.orelse) == 1 else None
        else:
            continue
        seen = Counter(ast.dump(each) for each in items if each is not None)
        count += sum(number > 1 and "musa" in text.lower() for text, number in seen.items())
    return count


def unknown_imports(tree: ast.AST, package: Path) -> int:
    """Imports of modules of torch_musa's, or of `torch.musa` itself, that its sources have not."""
    count = 0
    for node in ast.walk(tree):
        named = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        named += [each.name for each in node.names] if isinstance(node, ast.Import) else []
        for path in named:
            first, *rest = path.split(".")
            file = package.joinpath(*rest)
            known = file.is_dir() or file.with_suffix(".py").is_file()
            count += path.startswith("torch.musa") or first == "torch_musa" and not known
    return count


def lost_imports(before: ast.AST, after: ast.AST, modules: set[str]) -> int:
    """Imports that lead to one of the project's own modules before, and to none after."""

    def paths(tree: ast.AST) -> list[str]:
        named = []
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                named += [f"{node.module}.{each.name}" if node.module else each.name for each in node.names]
            elif isinstance(node, ast.Import):
                named += [each.name for each in node.names]
        return named

    ends = {module.split(".")[-1] for module in modules}
    then = [path for path in paths(before) if any(part in ends and "cuda" in part for part in path.split("."))]
    now = set(paths(after))
    return sum(path not in now for path in then)
