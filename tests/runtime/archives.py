"""Source distributions from the package index, pinned by hash and kept beside an environment."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from pathlib import Path

import environment
import packages
from errors import TestbedError


def pip(place: environment.Environment, *arguments: str) -> None:
    """Run pip for the environment's Python; `TestbedError` with its last lines where it fails."""
    command = [packages.interpreter(), "-m", "pip", "--python", str(place.python), *arguments]
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--no-deps", "--require-hashes"]
    done = subprocess.run(
        command + quiet, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    )
    if done.returncode != 0:
        printed = "\n".join(done.stdout.strip().splitlines()[-12:])
        raise TestbedError(f"`pip {' '.join(arguments)}` failed:\n{printed}")


def download(place: environment.Environment, requirements: Path, name: str, needs: Path | None = None) -> Path:
    """The source distribution that a file pins; what it needs is installed into `needs` beside it."""
    pinned = [requirements, needs] if needs else [requirements]
    folder = place.root / "projects" / f"{name}-{environment.digest(*pinned)}"
    if not folder.is_dir():
        part = folder.with_name(folder.name + ".part")
        shutil.rmtree(part, ignore_errors=True)
        pip(place, "download", "--no-binary", ":all:", "--dest", str(part), "-r", str(requirements))
        if needs:
            pip(place, "install", "--target", str(part / "needs"), "-r", str(needs))
        part.rename(folder)
    (archive,) = folder.glob("*.tar.gz")
    return archive


def unpacked(archive: Path, into: Path) -> Path:
    """Unpack a source distribution; its one folder."""
    # Python 3.11 has filters from 3.11.4 on.
    filters = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
    with tarfile.open(archive) as opened:
        opened.extractall(into, **filters)
    (root,) = (path for path in into.iterdir() if path.is_dir())
    return root
