"""The names of the adapter on the package index: each is here, or docs/runtime-adapter.md says what to use."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

import pytest
import torchada
from torchada import cuda as torchada_cuda

HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[2] / "docs" / "runtime-adapter.md"
BEGIN, END = "<!-- names: generated -->\n", "<!-- end -->\n"

#: By name, what it is here: nothing more for what is there as it is.
ROWS = [line.split("\t") for line in (HERE / "adapter-api.tsv").read_text().splitlines() if not line.startswith("#")]


def found(dotted: str) -> object:
    module, _, name = dotted.rpartition(".")
    return getattr(importlib.import_module(module), name)


def table() -> str:
    """The names as Markdown: those of a module together, and a row for each that is another."""
    modules: dict[str, list[str]] = {}
    for dotted, *answer in ROWS:
        if not answer:
            module, _, name = dotted.rpartition(".")
            modules.setdefault(module, []).append(f"`{name}`")
    lines = ["| of | as there |", "| --- | --- |"]
    lines += [f"| `{module}` | {', '.join(names)} |" for module, names in modules.items()]
    lines += ["", "| there | here |", "| --- | --- |"]
    lines += [f"| `{dotted}` | {answer[0]} |" for dotted, *answer in ROWS if answer]
    return "\n".join(lines) + "\n"


def test_the_documentation_has_every_name() -> None:
    text = DOCS.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END, 1)
    expected = before + BEGIN + table() + END + after
    if os.environ.get("UPDATE_DOCS") == "1":
        DOCS.write_text(expected, encoding="utf-8")
    else:
        assert text == expected, "docs/runtime-adapter.md is out of date: run this test with UPDATE_DOCS=1"


def test_names_are_there() -> None:
    assert [dotted for dotted, *answer in ROWS if not answer and found(dotted) is None] == []


def test_what_is_not_there_says_what_to_do() -> None:
    for name in ("set_default_moe_config_dir", "triton"):
        with pytest.raises(AttributeError, match="engines"):
            getattr(torchada, name)
    assert "load_cpp_ops" not in torchada.__all__ and callable(torchada.load_cpp_ops)
    assert torchada_cuda.memory_cached() == torchada_cuda.memory_reserved()
