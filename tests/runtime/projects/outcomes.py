"""What came of each test of a run, read from the report that pytest writes, and compared with another run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

Spellings = tuple[tuple[str, str], ...]

#: A port may change the parameters that are in a test's name.
SPELLINGS: Spellings = (("musa", "cuda"), ("MUSA", "CUDA"), ("mccl", "nccl"), ("MCCL", "NCCL"))

#: Where a test has several parts, the worst of them counts.
RANKS = {"skipped": 0, "passed": 1, "failed": 2}


@dataclass(frozen=True)
class Outcome:
    """How a test ended: `passed`, `failed` or `skipped`, and the first message of a failure."""

    how: str
    printed: str = ""

    def __str__(self) -> str:
        return f"{self.how} ({self.printed})" if self.printed else self.how


#: Of a test that one run has and the other has not.
NOT_THERE = Outcome("not there")


@dataclass(frozen=True)
class Outcomes:
    """By a test's name, in which CUDA's words stand for MUSA's."""

    of: dict[str, Outcome]

    def counts(self) -> Counter[str]:
        """How many tests ended in which way."""
        return Counter(each.how for each in self.of.values())

    def worse(self, later: Outcomes) -> Iterator[tuple[str, Outcome, Outcome]]:
        """Test, then and now, of each that passed and does not any more, or that fails as it did not before: for
        the lack of a device it may have been skipped before, or have failed."""
        for test in sorted(self.of.keys() | later.of.keys()):
            was, now = self.of.get(test, NOT_THERE), later.of.get(test, NOT_THERE)
            if was != now and (was.how == "passed" or now.how == "failed"):
                yield test, was, now


def read(report: Path, spellings: Spellings = SPELLINGS) -> Outcomes:
    """Read a JUnit report."""
    of: dict[str, Outcome] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        name = _plain(f"{case.get('classname')}::{case.get('name')}", spellings)
        kinds = {child.tag: child for child in case}
        failure = kinds.get("failure", kinds.get("error"))
        if failure is not None:
            outcome = Outcome("failed", _plain(failure.get("message", "").strip().split("\n")[0], spellings)[:160])
        else:
            outcome = Outcome("skipped" if "skipped" in kinds else "passed")
        of[name] = max(of.get(name, outcome), outcome, key=lambda each: RANKS[each.how])
    return Outcomes(of)


def _plain(text: str, spellings: Spellings) -> str:
    """The text in CUDA's words, without what is another in each run: addresses, temporary folders."""
    for ours, cuda in spellings:
        text = text.replace(ours, cuda)
    return re.sub(r"0x[0-9a-f]{6,}|/tmp/\S+", "…", text)
