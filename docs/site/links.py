#!/usr/bin/env python3
"""A preprocessor of mdBook's: fits links that leave the folder of the pages.

The pages are written for a host of code, where `../README.md` is a page, and a folder is one. On the site README.md is
the introduction, and other files and folders of the repository are at `TORCHADA_REPOSITORY`; where that is not set,
their names stay without a link.
"""

from __future__ import annotations

import json
import os
import posixpath
import re
import sys
from collections.abc import Iterator

#: Pages that take in a file of the repository's top folder, and that file.
TAKEN_IN = {"introduction.md": "README.md", "introduction_cn.md": "README_CN.md"}
PAGES = {file: page for page, file in TAKEN_IN.items()}

#: The folder of the pages, as seen from the top.
FOLDER = "docs"

#: A link or a picture, without its target: labels hold code and one level of brackets.
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")


def fitted(page: str, repository: str, match: re.Match[str]) -> str:
    """A link of a page, as the site has it."""
    bang, label, target = match.groups()
    if target.startswith("#") or re.match(r"[a-z]+:", target):
        return match.group()
    path, _, anchor = target.partition("#")
    anchor = anchor and f"#{anchor}"
    here = posixpath.dirname(page) if page not in TAKEN_IN else ".."
    found = posixpath.normpath(posixpath.join(FOLDER, here, path))
    found = f"{FOLDER}/{PAGES[found]}" if found in PAGES else found
    if found.startswith(f"{FOLDER}/") and "." in posixpath.basename(found):
        start = posixpath.join(FOLDER, posixpath.dirname(page))
        return f"{bang}[{label}]({posixpath.relpath(found, start)}{anchor})"
    return f"{bang}[{label}]({repository}/blob/HEAD/{found}{anchor})" if repository else label


#: The language that a block of code is coloured as. What a program printed has none.
COLOURED_AS = {"cuda": "cpp", "console": "text"}


def rewritten(text: str, page: str, repository: str) -> str:
    """A page with its links fitted, outside of blocks of code, whose languages become those that mdBook colours."""
    result = []
    fence = ""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        mark = re.match(r"\s*(```+|~~~+)(.*)", line)
        if mark and not fence:
            fence = mark[1]
            language = COLOURED_AS.get(mark[2], mark[2])
            if mark[2] == "console" and "--diff" in "".join(lines[number + 1 : number + 2]):
                language = "diff"
            line = line[: mark.start(2)] + language
        elif mark and mark[1] == fence and not mark[2].strip():
            fence = ""
        elif not fence:
            line = LINK.sub(lambda match: fitted(page, repository, match), line)
        result.append(line)
    return "\n".join(result)


def chapters(items: list) -> Iterator[dict]:
    """All chapters of a book, at every depth."""
    for item in items:
        if isinstance(item, dict) and "Chapter" in item:
            yield item["Chapter"]
            yield from chapters(item["Chapter"]["sub_items"])


def main() -> None:
    """Answer mdBook's question for support of a renderer, or rewrite the book on standard input."""
    if sys.argv[1:2] == ["supports"]:
        return
    _, book = json.load(sys.stdin)
    repository = os.environ.get("TORCHADA_REPOSITORY", "").rstrip("/")
    for chapter in chapters(book.get("items") or book.get("sections") or []):
        if chapter["path"]:
            chapter["content"] = rewritten(chapter["content"], chapter["path"], repository)
    json.dump(book, sys.stdout)


if __name__ == "__main__":
    main()
