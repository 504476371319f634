"""Names of a project's own that its build gives the translator."""

from __future__ import annotations

import hashlib
import json
import os
import re
import warnings
from collections.abc import Mapping

#: A name, one with its namespaces, and a header: in which section of a table each stands.
_SECTIONS = (
    ("names", re.compile(r"[A-Za-z_]\w*\Z")),
    ("qualified", re.compile(r"[A-Za-z_]\w*(?:::[A-Za-z_]\w*)+\Z")),
    ("headers", re.compile(r"[\w./+-]+(?:/|\.(?:h|hh|hpp|cuh|inc|inl))\Z")),
)


def options(rules: Mapping[str, str], folder: str) -> list[str]:
    """What to tell the translator so that it also renames by `rules`, which are written below `folder`.

    What is more than a name, such as a piece of code, is left out with a warning: the translator replaces no text.
    """
    sections: dict[str, list[str]] = {}
    others = []
    for name, counterpart in rules.items():
        section = next((section for section, pattern in _SECTIONS if pattern.match(name)), None)
        if section is None:
            others.append(name)
        elif name != counterpart:
            sections.setdefault(section, []).append(f"{json.dumps(name)} = {json.dumps(counterpart)}")
    if others:
        warnings.warn(
            f"torchada renames names, and leaves out rules for other text: {', '.join(map(repr, others))}. Change such "
            "places in the sources, under `#if defined(__MUSA__)` or the like.",
            RuntimeWarning,
            stacklevel=3,
        )
    if not sections:
        return []
    text = "\n".join(line for section, rows in sections.items() for line in (f"[{section}]", *rows)) + "\n"
    os.makedirs(folder, exist_ok=True)
    # The translator's options decide whether a port is up to date, so that what is in the file is in its name.
    path = os.path.join(os.path.abspath(folder), f"names-{hashlib.sha256(text.encode()).hexdigest()[:16]}.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return ["--mapping", path]
