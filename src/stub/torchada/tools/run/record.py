"""What a process of a run leaves of its counts, for the run's report.

A place is written down when it is seen for the first time, and whenever it has called twice as often, so that a process
which is killed has left them; the counts follow at the end.
"""

from __future__ import annotations

import atexit
import json
import os
import sys
import uuid
from collections.abc import Callable
from typing import Any

from ... import _report, _tables
from . import classes


class _Record:
    """The file of one process: a line of JSON for each thing that it has to say."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._file: int | None = None
        self._is_done = False

    def say(self, what: dict[str, Any]) -> None:
        """Add a line; a run must not fail for its report."""
        try:
            if self._file is None:
                path = os.path.join(self._folder, f"{os.getpid()}-{uuid.uuid4().hex}.jsonl")
                self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o600)
                begin = {"process": sys.argv[:1] or [""], "version": _tables.VERSION}
                os.write(self._file, (json.dumps(begin) + "\n").encode())
            os.write(self._file, (json.dumps(what) + "\n").encode())
        except OSError:
            return

    def place(self, count: _report.Count, place: str) -> None:
        """A place that was not seen before, or has called twice as often as when it was seen last."""
        times = count.places[place]
        self.say({"name": count.name, "kind": count.kind, "patch": count.patch, "place": place, "times": times})

    def end(self) -> None:
        """All counts. Only the first call counts: both `os._exit` and Python's own end may make it."""
        if self._is_done:
            return
        self._is_done = True
        from ..._summary import stale

        counts = [[count.name, count.kind, count.patch, dict(count.places)] for count in _report.counts()]
        self.say({"counts": counts, "stale": stale()})

    def forget(self) -> None:
        """Begin anew: what was counted before a fork is the parent's."""
        if self._file is not None:
            os.close(self._file)
        self._file, self._is_done = None, False
        _report.forget()
        self.say({"forked": True})


def begin(folder: str) -> None:
    """Have this process and those that it forks write down what they redirect."""
    record = _Record(folder)
    record.say({"forked": False})
    _report.listeners.append(record.place)
    atexit.register(record.end)
    os.register_at_fork(after_in_child=record.forget)
    os._exit = _ending(os._exit, record)  # type: ignore[assignment]
    classes.count()


def _ending(leave: Callable[[int], Any], record: _Record) -> Callable[[int], Any]:
    """`os._exit`, by which children of multiprocessing and of `os.fork` end without Python's own end."""

    def _exit(status: int) -> Any:
        record.end()
        leave(status)

    return _exit
