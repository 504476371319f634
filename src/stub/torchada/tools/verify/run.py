"""A run: which operators with which dtypes, and what became of them."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import Any, Optional

from .catalog import Names
from .outcome import Outcome
from .pool import Pool, PoolError
from .project import is_operators

#: The operators that are asked for by name, None: all; and names that a project calls, whatever they are.
Asked = tuple[Optional[list[str]], list[str]]

#: Seconds that listening to every operator's samples may take.
LISTEN = 600.0

#: Why a run ended that somebody has interrupted.
INTERRUPTED = "it was interrupted"


@dataclass
class Result:
    """What a run has found."""

    #: Versions and the device.
    about: dict[str, Any]
    #: The options of the command line.
    settings: dict[str, Any]
    #: In the order of the operators and dtypes.
    outcomes: list[Outcome] = field(default_factory=list)
    #: Names that were asked for and have no samples.
    unknown: list[str] = field(default_factory=list)
    #: Why it ended before everything was checked; empty where it did not.
    stopped: str = ""


def run(settings: dict[str, Any], names: Asked, dtypes: list[str] | None, jobs: int, limit: float) -> Result:
    """Check the operators of these names, or all, with these dtypes, or all."""
    pool = Pool(settings, jobs, limit)
    try:
        result = Result(about=pool.hello["ready"], settings={**settings, "dtypes": dtypes, "limit": limit})
        work, result.unknown = _work(pool, names, dtypes)
        found: dict[int, Outcome] = {}
        progress = Progress(len(work))

        def done(number: int, outcome: Outcome) -> None:
            found[number] = outcome
            progress.show(outcome)

        try:
            pool.run(work, done)
        except KeyboardInterrupt:
            result.stopped = INTERRUPTED
        except PoolError as error:
            # What was found until then is worth having: the device may have been lost for good.
            result.stopped = str(error)
        progress.clear()
        result.outcomes = [found[number] for number in sorted(found)]
        return result
    finally:
        pool.close()


def catalog(settings: dict[str, Any], names: Asked, dtypes: list[str] | None) -> list[tuple[str, str]]:
    """What a run would check."""
    pool = Pool(settings, 1, 1.0)
    try:
        return _work(pool, names, dtypes)[0]
    finally:
        pool.close()


def _work(pool: Pool, names: Asked, dtypes: list[str] | None) -> tuple[list[tuple[str, str]], list[str]]:
    """The operators with their dtypes, and the names that lead to none."""
    entries = pool.hello["operators"]
    chosen, unknown = _choose(pool, entries, names)
    work = [
        (entry["name"], dtype)
        for entry in entries
        if chosen is None or entry["name"] in chosen
        for dtype in entry["dtypes"]
        if dtypes is None or dtype in dtypes
    ]
    return work, unknown


def _choose(pool: Pool, catalog: list[dict[str, Any]], asked: Asked) -> tuple[set[str] | None, list[str]]:
    """The operators that are asked for, and the names that lead to none.

    A name of ATen's that is nobody's own, such as `aten::_softmax`, means the operators whose samples run it.
    """
    names, called = asked
    if names is None:
        return None, []
    known = Names(catalog)
    chosen: set[str] = set()
    open_: list[str] = []
    for name in called:
        found = known.find(name)
        chosen.update(found)
        if not found and is_operators(name):
            open_.append(name)
    for name in names:
        found = known.find(name)
        chosen.update(found)
        if not found:
            open_.append(name)
    kernels = [name for name in open_ if name.startswith("aten::")]
    if kernels:
        users = pool.ask({"kernels": True}, LISTEN)["kernels"]
        for kernel in kernels:
            found = [name for name, used in users.items() if kernel.split(".")[0] in used]
            chosen.update(found)
            if found:
                open_.remove(kernel)
    return chosen, open_


class Progress:
    """One line that is written over, on a terminal only."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = self._faults = 0
        self._last = 0.0
        self._on = sys.stderr.isatty()

    def show(self, outcome: Outcome) -> None:
        """Count an outcome; write no more than ten times in a second."""
        self._done += 1
        self._faults += outcome.is_fault
        now = time.monotonic()
        if self._on and now - self._last > 0.1:
            self._last = now
            line = f"{self._done} of {self._total}, {self._faults} with faults: {outcome.operator} {outcome.dtype}"
            sys.stderr.write(f"\r\x1b[K{line[:100]}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Leave nothing on the terminal."""
        if self._on:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
