"""The workflows and the action parse as GitHub reads them, and zizmor's audit finds nothing in them.

    workflows.py REPOSITORY TORCHADA

The program is not needed: the argument is there because all scripts of this folder are called alike.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SOURCE = Path(sys.argv[1])
AUDIT = [str(Path(sys.executable).with_name("zizmor")), "--offline", "--no-progress", "--no-config"]

# `--strict-collection`: a file that is no workflow is an error, not a warning.
audit = subprocess.run(
    [*AUDIT, "--strict-collection", str(SOURCE / ".github"), str(SOURCE / "action.yml")],
    capture_output=True,
    text=True,
)
if audit.returncode:
    raise SystemExit(audit.stdout + audit.stderr)
