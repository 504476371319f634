"""Unpack wheels: what each has below nvidia/GROUP/ or torch/, the headers or, with --programs, all."""

import shutil
import sys
import zipfile
from pathlib import Path

wheels, out = Path(sys.argv[1]), Path(sys.argv[2])
programs = "--programs" in sys.argv[3:]
for wheel in sorted(wheels.glob("*.whl")):
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            parts = member.filename.split("/")
            below = parts[2:] if parts[0] == "nvidia" else parts[1:] if parts[0] == "torch" else []
            if member.is_dir() or not below or not (programs or below[0] == "include"):
                continue
            path = out.joinpath(*below)
            path.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(member) as source, open(path, "wb") as target:
                shutil.copyfileobj(source, target)
            if "bin" in below:
                path.chmod(0o755)
