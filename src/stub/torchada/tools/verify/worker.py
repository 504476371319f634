"""The process that checks operators: it may hang or die, and the run goes on with another.

It gets a line of JSON for each thing to do on its standard input, and answers with a line on the file descriptor
that it is given. What it is at stands in a file, which is there to be read when it no longer answers.
"""

from __future__ import annotations

import dataclasses
import faulthandler
import json
import os
import sys
import warnings
from typing import Any

#: Bytes of the note of what is being done; a fixed length, so that nothing of an older one is left.
NOTE = 640


def main(arguments: list[str]) -> int:
    """Serve until the input ends. The arguments are the descriptors of answers and notes, and the settings."""
    answers, notes, settings = int(arguments[0]), int(arguments[1]), json.loads(arguments[2])
    faulthandler.enable()
    warnings.simplefilter("ignore")

    def note(phase: str, sample: str) -> None:
        text = f"{phase}\n{sample}".encode()[:NOTE]
        os.pwrite(notes, text.ljust(NOTE), 0)

    def answer(message: dict[str, Any]) -> None:
        data = (json.dumps(message) + "\n").encode()
        while data:
            data = data[os.write(answers, data) :]

    note("start", "")
    server = _start(settings, answer, note)
    if server is None:
        return 1
    for line in sys.stdin:
        message = json.loads(line)
        answer(server(message))
        if server.lost:  # type: ignore[attr-defined]
            return 1
    return 0


def _start(settings: dict[str, Any], answer: Any, note: Any) -> Any:
    """Import what is needed and say what is there, or why it is not."""
    from torchada.tools.verify import catalog, place

    try:
        device = place.device(settings.pop("device"))
        operators = catalog.load()
    except (catalog.CatalogError, place.NoDevice) as error:
        answer({"failed": str(error)})
        return None
    answer({"ready": place.versions(device), "operators": catalog.describe(operators)})
    return Server(operators, {**settings, "device": device}, note)


class Server:
    """Does what a message says."""

    def __init__(self, operators: dict[str, Any], settings: dict[str, Any], note: Any) -> None:
        from torchada.tools.verify.settings import Settings

        self.operators = operators
        self.settings = Settings(**settings)
        self.note = note
        #: Whether the device can't be used any more.
        self.lost = False

    def __call__(self, message: dict[str, Any]) -> dict[str, Any]:
        if "kernels" in message:
            return {"kernels": self._kernels()}
        return {"outcome": self._check(message["check"], message["dtype"])}

    def _check(self, name: str, dtype: str) -> dict[str, Any]:
        import torch

        from torchada.tools.verify import check, errors, place, settings

        one = check.Check(self.operators[name], getattr(torch, dtype), self.settings, self.note)
        try:
            outcome = one.run()
        except settings.DeviceLost:
            self.lost = True
            outcome = one.outcome
            outcome.conclude()
        except Exception as error:
            # A fault of the check is none of the device's.
            outcome = one.outcome
            outcome.leave(f"the check itself failed: {errors.first_line(error)}")
            outcome.conclude()
        if any(finding.verdict == "raises" for finding in outcome.findings) and not self.lost:
            self.note("after an error", "")
            self.lost = not place.works(self.settings.device)
            if self.lost:
                for finding in outcome.findings:
                    finding.verdict = "crash" if finding.verdict == "raises" else finding.verdict
                outcome.conclude()
        return dataclasses.asdict(outcome)

    def _kernels(self) -> dict[str, list[str]]:
        from torchada.tools.verify import kernels

        return kernels.used(self.operators)


if __name__ == "__main__":
    # By its path, as the folder where this starts may hold another package of this name.
    sys.path[0] = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3))
    try:
        from torchada.tools.verify import worker
    except Exception as error:
        # The package says what is missing where it can't do what TORCHADA_DEVICE asks for.
        os.write(int(sys.argv[1]), json.dumps({"failed": str(error)}).encode() + b"\n")
        sys.exit(1)
    sys.exit(worker.main(sys.argv[1:]))
