"""docs/runtime.md lists the patches as the registry has them. `UPDATE_DOCS=1` writes them anew."""

from __future__ import annotations

import os
from pathlib import Path

import torchada
from torchada import _registry

DOCS = Path(torchada.__file__).parents[3] / "docs" / "runtime.md"
BEGIN, END = "<!-- patches: generated -->\n", "<!-- end -->\n"


def table() -> str:
    """The patches as a Markdown table."""
    lines = ["| patch | what it does | when |", "| --- | --- | --- |"]
    for each in _registry.PATCHES.values():
        summary = each.summary.replace("|", "\\|")
        lines.append(f"| `{each.name}` | {summary} | {f'`{each.module}` is imported' if each.module else ''} |")
    return "\n".join(lines) + "\n"


def test_the_list_of_patches() -> None:
    text = DOCS.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END, 1)
    expected = before + BEGIN + table() + END + after
    if os.environ.get("UPDATE_DOCS") == "1":
        DOCS.write_text(expected, encoding="utf-8")
    else:
        assert text == expected, "docs/runtime.md is out of date: run this test with UPDATE_DOCS=1"


def test_every_patch_says_what_it_does() -> None:
    assert [each.name for each in _registry.PATCHES.values() if not each.summary.endswith(".")] == []
