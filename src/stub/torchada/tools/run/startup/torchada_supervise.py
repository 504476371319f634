"""Runs a program to its end, and reports what its processes have redirected: `torchada run --report`.

    torchada_supervise.py text|json FILE PROGRAM ARGUMENT…

An empty FILE is standard error. The end is the program's own, by its exit code or its signal. What the program asks for
stays on this machine: a folder for temporary files has it until the report is made.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from types import FrameType

import torchada_summary

#: Signals that someone sends to the run, and means for the program.
_HANDED_ON = ("SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGINT")


def main(arguments: list[str]) -> int:
    """Run the program, and report. The exit code is the program's, negative for a signal."""
    form, file, *command = arguments
    folder = tempfile.mkdtemp(prefix="torchada-report-")
    try:
        code = run(command, {**os.environ, "TORCHADA_REPORT": folder})
        report = torchada_summary.collect(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    text = json.dumps(report, indent=2) if form == "json" else torchada_summary.text(report)
    try:
        if file:
            with open(file, "w", encoding="utf-8") as out:
                out.write(text + "\n")
        else:
            sys.stderr.write(("" if form == "json" else "\n") + text + "\n")
    except OSError as error:
        sys.stderr.write(f"torchada: the report can't be written: {error}\n")
    return code


def run(command: list[str], environment: dict[str, str]) -> int:
    """Run the command with what this process has of files and signals."""
    child: list[subprocess.Popen[bytes]] = []

    def hand_on(number: int, frame: FrameType | None) -> None:
        # What a terminal sends, it sends to the program, too.
        if child and not (number in (signal.SIGINT, signal.SIGQUIT) and os.isatty(0)):
            child[0].send_signal(number)

    for name in _HANDED_ON:
        number = getattr(signal, name)
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, hand_on)
    child.append(subprocess.Popen(command, env=environment, close_fds=False))
    return child[0].wait()


def end(code: int) -> None:
    """End as the program has ended."""
    sys.stderr.flush()
    if code < 0:
        import resource

        # The program has left its core file, if any.
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if -code not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)


if __name__ == "__main__":
    end(main(sys.argv[1:]))
