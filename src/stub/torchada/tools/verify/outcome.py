"""What became of one operator with one dtype, in words that tables, JSON and JUnit share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

#: What can become of an operator with a dtype, the worst first; each with what it means.
VERDICTS = {
    "crash": "the process died, or the device was lost",
    "hang": "the time limit passed",
    "missing": "an operator has no kernel for the device",
    "raises": "the device raises, the CPU does not",
    "refused": "the kernel does not take this dtype, CUDA's does",
    "wrong": "the device's result is not the CPU's",
    "unchecked": "nothing could be compared",
    "right": "the device's results are the CPU's",
}

#: Those that make the run a failed one.
FAULTS = ("crash", "hang", "missing", "raises", "refused", "wrong")


@dataclass
class Finding:
    """One thing that is not right, with the first sample that shows it."""

    verdict: str
    #: `forward`, `backward` or `in place`.
    phase: str
    #: What findings of the same origin have in common.
    cause: str
    detail: str = ""
    #: The arguments of the first sample that shows it.
    sample: str = ""
    #: How many samples show it.
    samples: int = 1


@dataclass
class Outcome:
    """What became of one operator with one dtype."""

    operator: str
    dtype: str
    verdict: str = "right"
    #: How many samples were tried.
    samples: int = 0
    #: What was compared, by phase.
    compared: dict[str, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    #: Why samples were not compared, and how many.
    unchecked: dict[str, int] = field(default_factory=dict)
    #: How many random results were compared by their distribution.
    random: int = 0
    #: The greatest difference from the CPU's result in units of what is allowed; above 1 a result is wrong,
    #: unless the CPU's own is as far from the exact one.
    worst: float = 0.0
    #: Nanoseconds of one call, where it was measured.
    device_ns: float | None = None
    cpu_ns: float | None = None
    slower: bool = False
    seconds: float = 0.0

    def add(self, finding: Finding) -> None:
        """Count a finding with those of the same origin."""
        for known in self.findings:
            if (known.verdict, known.phase, known.cause) == (finding.verdict, finding.phase, finding.cause):
                known.samples += 1
                return
        self.findings.append(finding)

    def leave(self, reason: str) -> None:
        """Count something that is not compared."""
        self.unchecked[reason] = self.unchecked.get(reason, 0) + 1

    def conclude(self) -> None:
        """Find the verdict: the worst of what was found."""
        order = list(VERDICTS)
        found = [finding.verdict for finding in self.findings]
        if found:
            self.verdict = min(found, key=order.index)
        else:
            self.verdict = "right" if sum(self.compared.values()) or self.random else "unchecked"

    @property
    def is_fault(self) -> bool:
        """Whether the run has failed because of this."""
        return self.verdict in FAULTS


def from_json(data: dict[str, Any]) -> Outcome:
    """The outcome that `dataclasses.asdict` made this of."""
    return Outcome(**{**data, "findings": [Finding(**each) for each in data.get("findings", [])]})
