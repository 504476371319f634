"""What the stub did in this process, for people and for programs."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import NamedTuple

from . import _platform, _registry, _report
from ._tables import VERSION


class PatchState(NamedTuple):
    """What became of one patch."""

    name: str
    #: `on`, `off` (by TORCHADA_DISABLE), `waiting` (for its module to be imported) or `unused`.
    state: str
    summary: str


class Redirection(NamedTuple):
    """Something that was redirected."""

    name: str
    patch: str
    times: int
    #: `file:line` of the first call.
    place: str
    #: How often each place called; empty unless `TORCHADA_TRACE=1`.
    places: dict[str, int]


class Report:
    """What `report()` gives: printed it is for people, and its attributes are for programs."""

    def __init__(self) -> None:
        self.version: str = VERSION
        self.platform: str = _platform.detect_platform().value
        self.patches: list[PatchState] = _patches()
        self.redirections: list[Redirection] = [
            Redirection(count.name, count.patch, count.times, count.place, dict(count.places))
            for count in _report.counts()
        ]
        #: Names that modules took from torch before it was patched: where, and what.
        self.stale: list[tuple[str, str]] = stale()

    def __str__(self) -> str:
        lines = [f"torchada {self.version} on {self.platform}"]
        states = {state: [each.name for each in self.patches if each.state == state] for state in ("off", "waiting")}
        on = sum(each.state == "on" for each in self.patches)
        lines.append(f"patches: {on} on, {len(states['off'])} off, {len(states['waiting'])} waiting for their module")
        lines.extend(f"  {state}: {', '.join(names)}" for state, names in states.items() if names)
        lines.append("redirected:" if self.redirections else "redirected: nothing so far")
        width = max((len(each.name) for each in self.redirections), default=0)
        for each in self.redirections:
            lines.append(f"  {each.name:{width}}  {each.times:>6}  first from {each.place}")
            if len(each.places) > 1:
                ordered = sorted(each.places.items(), key=lambda item: (-item[1], item[0]))
                lines.extend(f"  {'':{width}}  {times:>6}  {place}" for place, times in ordered)
        if self.stale:
            lines.append("not redirected, because it was imported before torchada:")
            lines.extend(f"  {place} is {name}" for place, name in self.stale)
        if not _report.TRACE:
            lines.append("TORCHADA_TRACE=1 counts the functions of torch.cuda, too, and every place.")
        return "\n".join(lines)


def report() -> Report:
    """What is patched, and what was redirected so far: how often, and from where."""
    return Report()


def _patches() -> list[PatchState]:
    on, off = _registry.applied(), _registry.disabled()
    states = []
    for each in _registry.PATCHES.values():
        state = "on" if each.name in on else "off" if each.name in off else "waiting" if each.module else "unused"
        states.append(PatchState(each.name, state, each.summary))
    return states


#: Packages whose modules use torch's own functions by intention.
_OWN = ("torch", "torch_musa", "torchada", "torchgen", "functorch")


def stale() -> list[tuple[str, str]]:
    """Where modules hold what was replaced in torch: `module.name`, and the name that it has in torch."""
    replaced = _registry.replaced()
    if not replaced:
        return []
    standard: frozenset[str] = getattr(sys, "stdlib_module_names", frozenset())
    found: list[tuple[str, str]] = []
    seen = set()
    for module_name, module in list(sys.modules.items()):
        top = module_name.partition(".")[0]
        # The program itself is `__main__`, which is in the list of the standard library.
        if top in _OWN or (top in standard and top != "__main__") or not isinstance(module, ModuleType):
            continue
        if id(module) in seen:
            continue
        seen.add(id(module))
        # All names of all modules, while torchada is imported: a comprehension takes half the time of a loop.
        names = [(name, id(value)) for name, value in list(vars(module).items()) if id(value) in replaced]
        found.extend((f"{module_name}.{name}", replaced[key][0]) for name, key in names)
    return sorted(found)
