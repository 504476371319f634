"""docs/runtime.md lists the patches as the registry has them, and docs/runtime-cases.md the cases as their tests do.

`UPDATE_DOCS=1` writes them anew.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Callable
from pathlib import Path

import torchada
from torchada import _registry

DOCS = Path(torchada.__file__).parents[3] / "docs"
CASES = Path(__file__).with_name("cases")
END = "<!-- end -->\n"


def table() -> str:
    """The patches as a Markdown table."""
    lines = ["| patch | what it does | when |", "| --- | --- | --- |"]
    for each in _registry.PATCHES.values():
        summary = each.summary.replace("|", "\\|")
        lines.append(f"| `{each.name}` | {summary} | {f'`{each.module}` is imported' if each.module else ''} |")
    return "\n".join(lines) + "\n"


def cases() -> str:
    """The cases as Markdown tables, one for each file, from what their tests say of themselves."""
    text = ""
    for path in sorted(CASES.glob("test_*.py")):
        module = ast.parse(path.read_text(encoding="utf-8"))
        heading = (ast.get_docstring(module) or "").partition("\n")[0]
        text += f"\n## {heading.partition(':')[0].rstrip('.')}\n\n| what is tried, and what holds | test in `{path.name}` |\n"
        text += "| --- | --- |\n"
        for function in module.body:
            if isinstance(function, ast.FunctionDef) and function.name.startswith("test_"):
                docstring = " ".join((ast.get_docstring(function) or "").split()).replace("|", "\\|")
                text += f"| {docstring} | `{function.name}` |\n"
    return text


def is_current(page: str, begin: str, write: Callable[[], str]) -> None:
    """Have the part of a page that begins with a mark be what is written."""
    path = DOCS / page
    text = path.read_text(encoding="utf-8")
    before, rest = text.split(begin)
    _, after = rest.split(END, 1)
    expected = before + begin + write() + END + after
    if os.environ.get("UPDATE_DOCS") == "1":
        path.write_text(expected, encoding="utf-8")
    else:
        assert text == expected, f"docs/{page} is out of date: run this test with UPDATE_DOCS=1"


def test_the_list_of_patches() -> None:
    is_current("runtime.md", "<!-- patches: generated -->\n", table)


def test_the_table_of_cases() -> None:
    is_current("runtime-cases.md", "<!-- cases: generated -->\n", cases)
    assert "|  |" not in cases(), "a case says nothing of itself"


def test_every_patch_says_what_it_does() -> None:
    assert [each.name for each in _registry.PATCHES.values() if not each.summary.endswith(".")] == []
