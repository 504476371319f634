"""The result as text: causes first, then counts, then the rows that matter."""

from __future__ import annotations

from .outcome import FAULTS, VERDICTS, Finding, Outcome
from .run import Result

#: So many rows of one verdict are shown, unless all are asked for.
ROWS = 30


def text(result: Result, everything: bool = False) -> str:
    """All that is printed."""
    parts = [_head(result)]
    causes = _causes(result.outcomes)
    if causes:
        parts.append(_columns([("", "cause", "operators", "with dtypes"), *causes]))
    for verdict in VERDICTS:
        rows = _rows(result.outcomes, verdict, everything)
        if rows:
            parts.append(f"{verdict}: {VERDICTS[verdict]}\n" + "\n".join(rows))
    slow = _slower(result.outcomes)
    if slow:
        parts.append("slower than the CPU\n" + _columns(slow))
    parts.extend(_notes(result, everything))
    parts.append(_counts(result))
    return "\n\n".join(parts) + "\n"


def _head(result: Result) -> str:
    about = result.about
    versions = ", ".join(
        f"{name} {about[name]}" for name in ("torch", "torch_musa", "torchada", "python") if about.get(name)
    )
    lines = [f"{about['device']} ({about['name']}) against the CPU; {versions}"]
    if about.get("try_out"):
        lines.append("This is the try-out, which answers on the CPU: it says nothing of a device.")
    return "\n".join(lines)


def _causes(outcomes: list[Outcome]) -> list[tuple[str, ...]]:
    """Each cause once, the worst first, then those of most operators."""
    found: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in outcomes:
        for verdict, cause in {(finding.verdict, finding.cause) for finding in outcome.findings}:
            found.setdefault((verdict, cause), []).append(outcome)
    order = list(VERDICTS)

    def key(item: tuple[tuple[str, str], list[Outcome]]) -> tuple[int, int, str]:
        (verdict, cause), those = item
        return order.index(verdict), -len({each.operator for each in those}), cause

    return [
        (verdict, _cut(cause, 100), str(len({each.operator for each in those})), str(len(those)))
        for (verdict, cause), those in sorted(found.items(), key=key)
    ]


def _rows(outcomes: list[Outcome], verdict: str, everything: bool) -> list[str]:
    those = [each for each in outcomes if each.verdict == verdict and verdict in FAULTS]
    lines = []
    for operator, group in _alike(those):
        first = group[0]
        findings = first.findings
        lines.append(f"  {operator}  {', '.join(each.dtype for each in group)}")
        lines.extend(f"      {line}" for finding in findings for line in _finding(finding, first))
    if len(lines) > 3 * ROWS and not everything:
        left = len(lines) - 3 * ROWS
        lines = [*lines[: 3 * ROWS], f"  … {left} more lines: --all shows them, --json FILE has them"]
    return lines


def _alike(those: list[Outcome]) -> list[tuple[str, list[Outcome]]]:
    """The outcomes of one operator with the same findings stand in one row."""
    groups: dict[tuple[str, tuple[tuple[str, str, str], ...]], list[Outcome]] = {}
    for each in those:
        key = each.operator, tuple((finding.verdict, finding.phase, finding.cause) for finding in each.findings)
        groups.setdefault(key, []).append(each)
    return [(key[0], group) for key, group in groups.items()]


def _finding(finding: Finding, outcome: Outcome) -> list[str]:
    count = f" ({finding.samples} of {outcome.samples} samples)" if outcome.samples > 1 else ""
    detail = finding.detail.splitlines()
    if finding.verdict in ("crash", "hang"):
        # what is known of the end of a process is its cause; the detail is where it was
        lines = [f"{finding.phase}: {finding.cause}", *(f"    {line}" for line in detail[-6:])]
    else:
        lines = [f"{finding.phase}: {_cut(detail[0] if detail else finding.cause)}{count}"]
    if finding.sample:
        lines.append(f"    with {finding.sample}")
    return lines


def _cut(line: str, most: int = 160) -> str:
    return line if len(line) <= most else line[: most - 1] + "…"


def _slower(outcomes: list[Outcome]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("", "operator", "dtype", "device µs", "CPU µs", "times")]
    for each in outcomes:
        if each.slower and each.device_ns and each.cpu_ns:
            device, cpu = each.device_ns / 1e3, each.cpu_ns / 1e3
            rows.append(("", each.operator, each.dtype, f"{device:.0f}", f"{cpu:.0f}", f"{device / cpu:.1f}"))
    return rows if len(rows) > 1 else []


def _notes(result: Result, everything: bool) -> list[str]:
    """What was not compared, and what was asked for and has no samples."""
    parts = []
    reasons: dict[str, set[str]] = {}
    for outcome in result.outcomes:
        for reason in outcome.unchecked:
            reasons.setdefault(reason, set()).add(outcome.operator)
    if reasons:
        rows = sorted(reasons.items(), key=lambda item: (-len(item[1]), item[0]))
        shown = rows if everything else rows[:10]
        lines = [f"  {reason}: {_few(sorted(names), everything)}" for reason, names in shown]
        if len(rows) > len(shown):
            lines.append(f"  … and for {len(rows) - len(shown)} other reasons: --all shows them")
        parts.append("samples that were not compared\n" + "\n".join(lines))
    if result.unknown:
        parts.append(
            "not in PyTorch's list of operators with samples, so not checked\n  " + _few(result.unknown, everything, 20)
        )
    return parts


def _few(names: list[str], everything: bool, most: int = 6) -> str:
    if everything or len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"


def _counts(result: Result) -> str:
    outcomes = result.outcomes
    counts = [(verdict, sum(each.verdict == verdict for each in outcomes)) for verdict in VERDICTS]
    parts = [f"{count} {verdict}" for verdict, count in reversed(counts) if count]
    slower = sum(each.slower for each in outcomes)
    if slower:
        parts.append(f"{slower} slower than the CPU")
    compared: dict[str, int] = {}
    for each in outcomes:
        for phase, count in each.compared.items():
            compared[phase] = compared.get(phase, 0) + count
        if each.random:
            compared["random"] = compared.get("random", 0) + each.random
    names = len({each.operator for each in outcomes})
    lines = [f"{names} operator{'' if names == 1 else 's'}, {len(outcomes)} with their dtypes: {', '.join(parts) or 'nothing to check'}"]
    if compared:
        lines.append("compared: " + ", ".join(f"{count} {phase}" for phase, count in sorted(compared.items())))
    if result.stopped:
        lines.append(f"The run ended before everything was checked: {result.stopped}")
    return "\n".join(lines)


def _columns(rows: list[tuple[str, ...]]) -> str:
    """The rows with aligned columns; numbers to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]

    def cell(text_: str, width: int, column: int) -> str:
        number = all(row[column].replace(".", "").isdigit() for row in rows[1:])
        return text_.rjust(width) if number else text_.ljust(width)

    lines = ["  ".join(cell(word, widths[at], at) for at, word in enumerate(row)).rstrip() for row in rows]
    return "\n".join("  " + line.lstrip() if not rows[0][0] and not line.startswith(" ") else line for line in lines)
