"""The result as JSON, and as JUnit's XML, which pipelines show."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any
from xml.etree import ElementTree

from .outcome import FAULTS, VERDICTS, Outcome
from .run import Result

#: Goes up when a field changes its meaning or is left out.
FORMAT = 1


def as_json(result: Result) -> str:
    """Everything, in the order of the operators."""
    counts = {verdict: sum(each.verdict == verdict for each in result.outcomes) for verdict in VERDICTS}
    data: dict[str, Any] = {
        "format": FORMAT,
        "about": result.about,
        "settings": result.settings,
        "stopped": result.stopped,
        "counts": {**counts, "slower": sum(each.slower for each in result.outcomes)},
        "unknown": result.unknown,
        "outcomes": [_plain(each) for each in result.outcomes],
    }
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _plain(outcome: Outcome) -> dict[str, Any]:
    """JSON has no infinity: a difference that can't be counted is null."""
    data = dataclasses.asdict(outcome)
    data["worst"] = None if outcome.worst == float("inf") else round(outcome.worst, 6)
    return data


def as_junit(result: Result) -> str:
    """A test case for each operator with a dtype."""
    root = ElementTree.Element("testsuites")
    cases = result.outcomes
    suite = ElementTree.SubElement(
        root,
        "testsuite",
        name="torchada verify",
        tests=str(len(cases)),
        failures=str(sum(each.verdict in FAULTS and each.verdict != "crash" for each in cases)),
        errors=str(sum(each.verdict == "crash" for each in cases)),
        skipped=str(sum(each.verdict == "unchecked" for each in cases)),
        time=f"{sum(each.seconds for each in cases):.3f}",
    )
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in result.about.items():
        ElementTree.SubElement(properties, "property", name=name, value=_xml(str(value)))
    for each in cases:
        case = ElementTree.SubElement(
            suite, "testcase", classname=f"torchada.verify.{each.operator}", name=each.dtype, time=f"{each.seconds:.3f}"
        )
        lines = [f"{one.phase}: {one.cause}\n{one.detail}\nwith {one.sample}" for one in each.findings]
        text = _xml("\n\n".join(lines))
        if each.verdict in FAULTS:
            kind = "error" if each.verdict == "crash" else "failure"
            cause = _xml(each.findings[0].cause if each.findings else each.verdict)
            ElementTree.SubElement(case, kind, type=each.verdict, message=cause).text = text
        elif each.verdict == "unchecked":
            ElementTree.SubElement(case, "skipped", message=_xml("; ".join(each.unchecked) or VERDICTS["unchecked"]))
    ElementTree.indent(root) if hasattr(ElementTree, "indent") else None
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _xml(text: str) -> str:
    """Without the characters that XML has no way to write."""
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text)
