"""Shares the work out to processes, and goes on when one of them hangs or dies."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .outcome import Finding, Outcome, from_json
from .worker import NOTE

#: Seconds that a process may take to import torch and the samples.
START = 300.0

WORKER = Path(__file__).with_name("worker.py")


class PoolError(Exception):
    """No process can be had that checks operators; the text says why."""


class Gone(Exception):
    """The process has ended, or does not answer in time."""

    def __init__(self, verdict: str, how: str) -> None:
        super().__init__(how)
        self.verdict = verdict
        self.how = how


class Worker:
    """One process."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._notes = tempfile.TemporaryFile()  # noqa: SIM115  they live as long as the process
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        ours, theirs = os.pipe()
        command = [sys.executable, str(WORKER), str(theirs), str(self._notes.fileno()), json.dumps(settings)]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=(theirs, self._notes.fileno()),
                start_new_session=True,
            )
        finally:
            os.close(theirs)
        self._answers, self._read = ours, b""
        try:
            #: The first message of the process, in which it describes itself.
            self.hello = self._wait(START)
        except Gone as error:
            text = f"the process that checks operators {error.how} before it was ready"
            raise PoolError(f"{text}\n{self.last_words()}".strip()) from error
        if "failed" in self.hello:
            self.end()
            raise PoolError(self.hello["failed"])

    def ask(self, message: dict[str, Any], limit: float) -> dict[str, Any]:
        """The answer to a message; raises `Gone`, with the process ended, where none comes in time."""
        try:
            assert self._process.stdin is not None
            self._process.stdin.write((json.dumps(message) + "\n").encode())
            self._process.stdin.flush()
        except OSError:
            pass  # It has ended, and waiting for its answer finds out how.
        return self._wait(limit)

    def _wait(self, limit: float) -> dict[str, Any]:
        until = time.monotonic() + limit
        while b"\n" not in self._read:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self._answers], [], [], left)[0]:
                self.kill()
                raise Gone("hang", f"did not answer within {limit:g} s")
            data = os.read(self._answers, 1 << 16)
            if not data:
                self._process.wait()
                raise Gone("crash", _how_it_ended(self._process.returncode))
            self._read += data
        line, _, self._read = self._read.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def note(self) -> tuple[str, str]:
        """What it was at last: the phase and the sample."""
        text = os.pread(self._notes.fileno(), NOTE, 0).decode(errors="replace").rstrip(" \0")
        phase, _, sample = text.partition("\n")
        return phase, sample

    def last_words(self) -> str:
        """The end of what it wrote to standard error."""
        self._errors.seek(0)
        lines = self._errors.read()[-4000:].decode(errors="replace").strip().splitlines()
        return "\n".join(lines[-12:])

    def kill(self) -> None:
        """End it and whatever it has started, at once."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._process.kill()
        self._process.wait()

    def end(self) -> None:
        """Let it end; free what belongs to it."""
        if self._process.stdin is not None:
            # what is left to be written may have nobody to read it
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self.kill()
        os.close(self._answers)
        self._notes.close()
        self._errors.close()


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"died of {signal.Signals(-code).name}"
    except ValueError:
        return f"died of signal {-code}"


class Pool:
    """As many processes as there are jobs, each started when it is needed."""

    def __init__(self, settings: dict[str, Any], jobs: int, limit: float) -> None:
        self._settings = settings
        self._limit = limit
        self._jobs = jobs
        self._first: Worker | None = Worker(settings)
        self._live: set[Worker] = {self._first}
        self._stop = threading.Event()
        self.hello = self._first.hello

    def ask(self, message: dict[str, Any], limit: float) -> dict[str, Any]:
        """Ask the first process something before the work begins."""
        assert self._first is not None
        return self._first.ask(message, limit)

    def run(self, work: list[tuple[str, str]], done: Callable[[int, Outcome], None]) -> None:
        """Check each operator with its dtype; `done` gets the number and the outcome, in the order of the ends."""
        waiting: queue.SimpleQueue[tuple[int, str, str] | None] = queue.SimpleQueue()
        finished: queue.SimpleQueue[tuple[int, Outcome] | BaseException | None] = queue.SimpleQueue()
        for number, (operator, dtype) in enumerate(work):
            waiting.put((number, operator, dtype))
        jobs = max(1, min(self._jobs, len(work)))
        for _ in range(jobs):
            waiting.put(None)
        for number in range(jobs):
            first = self._first if number == 0 else None
            threading.Thread(target=self._serve, args=(first, waiting, finished), daemon=True).start()
        self._first = None
        running = jobs
        while running:
            item = finished.get()
            if item is None:
                running -= 1
            elif isinstance(item, BaseException):
                raise item
            else:
                done(*item)

    def _serve(self, worker: Worker | None, waiting: Any, finished: Any) -> None:
        """What one thread does: it has one process at a time."""
        try:
            while not self._stop.is_set():
                item = waiting.get()
                if item is None:
                    break
                number, operator, dtype = item
                if worker is None:
                    worker = Worker(self._settings)
                    self._live.add(worker)
                outcome, worker = self._one(worker, operator, dtype)
                finished.put((number, outcome))
        except BaseException as error:
            finished.put(error)  # the main thread raises it
        finally:
            finished.put(None)

    def _one(self, worker: Worker, operator: str, dtype: str) -> tuple[Outcome, Worker | None]:
        """The outcome, and the process if it can go on."""
        started = time.monotonic()
        try:
            answer = worker.ask({"check": operator, "dtype": dtype}, self._limit)
            outcome = from_json(answer["outcome"])
            if outcome.verdict != "crash":
                return outcome, worker
        except Gone as error:
            outcome = _obituary(worker, operator, dtype, error)
            outcome.seconds = round(time.monotonic() - started, 3)
        self._live.discard(worker)
        worker.end()
        return outcome, None

    def close(self) -> None:
        """End every process."""
        self._stop.set()
        for worker in list(self._live):
            worker.kill()
            worker.end()
        self._live.clear()


def _obituary(worker: Worker, operator: str, dtype: str, error: Gone) -> Outcome:
    """The outcome that the report shows for an operator that ended its process."""
    phase, sample = worker.note()
    outcome = Outcome(operator, dtype, error.verdict)
    if phase == "samples" or phase.endswith("on the CPU"):
        outcome.verdict = "unchecked"
        outcome.leave(f"{phase}: the process {error.how}")
        return outcome
    words = worker.last_words() if error.verdict == "crash" else ""
    outcome.add(Finding(error.verdict, phase, f"the process {error.how}", words, sample))
    return outcome
