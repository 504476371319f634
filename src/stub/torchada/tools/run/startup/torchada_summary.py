"""Adds up what the processes of a run have left of their counts."""

from __future__ import annotations

import json
import os
from typing import Any

#: What each kind of call is called in the report, in its order.
KINDS = {
    "redirected": "redirected to MUSA",
    "missing": "asked for, and torch_musa has no counterpart",
    "silent": "did nothing, since MUSA needs nothing there",
}

#: How many places of one name are shown.
SHOWN = 5


def collect(folder: str) -> dict[str, Any]:
    """The report of all processes that left a file in the folder."""
    calls: dict[tuple[str, str], dict[str, int]] = {}
    stale: set[tuple[str, str]] = set()
    processes = cut_off = 0
    for name in sorted(os.listdir(folder)):
        lines = _lines(os.path.join(folder, name))
        processes += 1
        ends = [line for line in lines if "counts" in line]
        cut_off += not ends
        for line in ends:
            stale.update((place, what) for place, what in line["stale"])
            for call, kind, _, places in line["counts"]:
                for place, times in places.items():
                    _add(calls, call, kind, place, times)
        last = {(line["kind"], line["name"], line["place"]): line["times"] for line in lines if "place" in line}
        for (kind, call, place), times in last.items() if not ends else ():
            _add(calls, call, kind, place, times)
    report: dict[str, Any] = {"processes": processes, "processes_cut_off": cut_off}
    for kind in KINDS:
        own = [(name, places) for (of, name), places in calls.items() if of == kind]
        own.sort(key=lambda item: (-sum(item[1].values()), item[0]))
        report[kind] = [
            {"name": name, "times": sum(places.values()), "places": _sorted(places)} for name, places in own
        ]
    report["not_redirected"] = [{"place": place, "name": what} for place, what in sorted(stale)]
    return report


def _lines(path: str) -> list[dict[str, Any]]:
    """The lines of a process; the last one of a process that was killed may be cut short."""
    lines = []
    with open(path, encoding="utf-8", errors="replace") as file:
        for text in file:
            try:
                line = json.loads(text)
            except ValueError:
                continue
            if isinstance(line, dict):
                lines.append(line)
    return lines


def _add(calls: dict[tuple[str, str], dict[str, int]], name: str, kind: str, place: str, times: int) -> None:
    places = calls.setdefault((kind, name), {})
    place = short(place)
    places[place] = places.get(place, 0) + times


def _sorted(places: dict[str, int]) -> list[dict[str, Any]]:
    ordered = sorted(places.items(), key=lambda item: (-item[1], item[0]))
    return [{"place": place, "times": times} for place, times in ordered]


def short(place: str) -> str:
    """A place as people look for it: below the current folder, or in an installed package."""
    _, found, inside = place.rpartition(f"{os.sep}site-packages{os.sep}")
    if found:
        return inside
    here = os.getcwd() + os.sep
    return place[len(here) :] if place.startswith(here) else place


def text(report: dict[str, Any]) -> str:
    """The report for people."""
    count = report["processes"]
    if not count:
        return "torchada: no process of this run imported torch"
    lines = [f"torchada: what {count} process{'es' if count > 1 else ''} that imported torch asked of CUDA"]
    for kind, title in KINDS.items():
        if report[kind] or kind == "redirected":
            lines += ["", title + (":" if report[kind] else ": nothing")]
            for call in report[kind]:
                lines += _call(call)
    if report["not_redirected"]:
        lines += ["", "not redirected, because it was taken from torch before torchada was there:"]
        lines += [f"  {each['place']} is {each['name']}" for each in report["not_redirected"]]
    if report["processes_cut_off"]:
        cut = report["processes_cut_off"]
        lines += ["", f"{cut} of them were ended by a signal: of these, the last power of two that a count reached."]
    return "\n".join(lines)


def _call(call: dict[str, Any]) -> list[str]:
    places = call["places"]
    first, *others = [f"{each['place']}" + (f" ({each['times']})" if len(places) > 1 else "") for each in places]
    lines = [f"  {call['times']:>7}  {call['name']:<32} {first}"]
    lines += [f"  {'':>7}  {'':<32} {other}" for other in others[: SHOWN - 1]]
    if len(others) >= SHOWN:
        lines.append(f"  {'':>7}  {'':<32} and {len(others) - SHOWN + 1} places more")
    return lines
