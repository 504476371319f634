"""No modules of the package import each other in a circle while they are loaded."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import torchada

PACKAGE = Path(torchada.__file__).parent


def name_of(file: Path) -> str:
    """The dotted name of a module."""
    parts = (PACKAGE.name, *file.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(name: str, file: Path, known: set[str]) -> Iterator[str]:
    """The modules that one imports while it is loaded: what stands in a function comes later."""
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    parts = package.split(".")
    waiting: list[ast.AST] = [ast.parse(file.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = parts[: len(parts) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            members = (f"{base}.{one.name}" for one in node.names)
            yield from (member if member in known else base for member in members)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))


def test_no_modules_import_each_other_in_a_circle() -> None:
    files = {name_of(file): file for file in sorted(PACKAGE.rglob("*.py"))}
    known = set(files)
    graph = {name: (set(imported(name, file, known)) & known) - {name} for name, file in files.items()}
    assert sum(map(len, graph.values())) > len(files), "imports are found"
    TopologicalSorter(graph).prepare()
