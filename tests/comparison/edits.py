"""What a tool changed in a file, token by token.

Lines are paired by what they say with CUDA's words in place of MUSA's, so a line with renamed words is paired
with itself, and one that was added is paired with none.
"""

from __future__ import annotations

import ast
import difflib
import io
import re
import tokenize
from collections import Counter
from dataclasses import dataclass, field

from references import prose_of

#: MUSA's words, and what they stand for.
WORDS = (("torch_musa.core.", "torch.cuda."), ("torch_musa", "torch.cuda"), ("musa", "cuda"), ("mccl", "nccl"))
WORDS += (("mudnn", "cudnn"), ("mcc", "nvcc"), ("PrivateUse1", "CUDA"))


def plain(text: str) -> str:
    """The text in CUDA's words, to be compared."""
    for ours, theirs in WORDS:
        text = text.replace(ours, theirs).replace(ours.upper(), theirs.upper())
    return text.lower()


@dataclass
class Edits:
    """The changes of one file; lines and columns are those of the original."""

    #: Kind of token, its text and the place where it begins, of each that is another now.
    tokens: list[tuple[str, str, tuple[int, int]]] = field(default_factory=list)
    #: Lines that are something else now.
    rewritten: set[int] = field(default_factory=set)
    #: Lines that came in.
    added: int = 0

    def covers(self, line: int, column: int) -> bool:
        """Is there an edit at a place? What stands in an f-string is part of its token."""
        if line in self.rewritten:
            return True
        return any(row == line and start <= column < start + len(text) for _, text, (row, start) in self.tokens)

    def kinds(self, own: set[str]) -> Counter[str]:
        """How many edits there are of which kind."""
        counts: Counter[str] = Counter()
        for kind, text, _ in self.tokens:
            counts["tokens edited"] += 1
            if kind in ("comments", "docstrings and messages"):
                counts[f"edits in {kind}"] += 1
            counts["the project's own names edited"] += kind == "names" and text in own
        counts["lines added"] += self.added
        return counts


def between(before: str, after: str, tree: ast.AST) -> Edits:
    """The edits that make one text of another."""
    found = Edits()
    if before == after:
        return found
    old, new = before.split("\n"), after.split("\n")
    tokens = _tokens(before, tree)
    matcher = difflib.SequenceMatcher(
        None, [plain(line) for line in old], [plain(line) for line in new], autojunk=False
    )
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "insert":
            found.added += d - c
        elif kind != "equal":
            found.rewritten.update(range(a + 1, b + 1))
        for row in range(a, b):
            now = new[c + row - a] if kind != "delete" and c + row - a < d else ""
            if old[row] == now:
                continue
            # a token is edited where its text does not stand in the new line as often as in the old one
            words = Counter(re.findall(r"\w+|\W", now))
            for what, text, place in tokens.get(row + 1, ()):
                if not _misses(words, text):
                    continue
                # code in an f-string says nothing to people
                is_code = what == "docstrings and messages" and not _misses(words, re.sub(r"\{[^{}]*\}", "", text))
                found.tokens.append(("strings" if is_code else what, text, place))
    return found


def _misses(words: Counter[str], text: str) -> bool:
    """Has a text words of CUDA's that a line does not have as often?"""
    pieces = Counter(re.findall(r"\w+|\W", text))
    ours = (piece for piece in pieces if re.search("cuda|nccl|nvcc|cudnn", piece.lower()))
    return any(words[piece] < pieces[piece] for piece in ours)


def _tokens(text: str, tree: ast.AST) -> dict[int, list[tuple[str, str, tuple[int, int]]]]:
    """Names, strings and comments by the lines that they touch."""
    prose = prose_of(tree)
    lines = text.split("\n")
    speaking = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and (
            id(node) in prose or isinstance(node, ast.JoinedStr) and any(id(each) in prose for each in node.values)
        ):
            start = len(lines[node.lineno - 1].encode()[: node.col_offset].decode(errors="replace"))
            speaking.add((node.lineno, start))
    found: dict[int, list[tuple[str, str, tuple[int, int]]]] = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = {tokenize.NAME: "names", tokenize.STRING: "strings", tokenize.COMMENT: "comments"}.get(token.type)
        if kind is None:
            continue
        if token.start in speaking:
            kind = "docstrings and messages"
        for row, line in enumerate(token.string.split("\n"), token.start[0]):
            found.setdefault(row, []).append((kind, line, token.start))
    return found
