"""Fetch the source distributions that a list names, and check them against their hashes.

    fetch.py LIST FOLDER

LIST has the project's name in its first line, then a version and the SHA-256 of its source distribution
a line. FOLDER keeps what was fetched, so that the next run finds it.
"""

import hashlib
import io
import json
import os
import sys
import tarfile
import tempfile
import time
import urllib.request
from pathlib import Path

TYPE = "application/vnd.pypi.simple.v1+json"
ATTEMPTS = 4
# Python 3.11 has filters from 3.11.4 on; what is unpacked was checked against its hash.
FILTER = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}


def read(url: str, **headers: str) -> bytes:
    for attempt in range(ATTEMPTS):
        try:
            request = urllib.request.Request(url, headers=headers)
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.read()
        except OSError:
            if attempt + 1 == ATTEMPTS:
                raise
            time.sleep(2**attempt)
    raise AssertionError


def main(listed: Path, folder: Path) -> None:
    project, *rows = listed.read_text().split("\n")
    wanted = dict(row.split() for row in rows if row)
    folder.mkdir(parents=True, exist_ok=True)
    files: dict[str, str] = {}
    for version, digest in wanted.items():
        tree = folder / version
        if tree.exists():
            continue
        if not files:
            index = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple").rstrip("/")
            page = json.loads(read(f"{index}/{project}/", Accept=TYPE))
            files = {file["hashes"]["sha256"]: file["url"] for file in page["files"]}
        data = read(files[digest])
        if hashlib.sha256(data).hexdigest() != digest:
            sys.exit(f"{project} {version} is not what it was")
        unpack(data, tree)


def unpack(data: bytes, tree: Path) -> None:
    """Leave a source distribution as a tree, whole or not at all."""
    with tempfile.TemporaryDirectory(dir=tree.parent, prefix=f"{tree.name}.") as unpacked:
        with tarfile.open(fileobj=io.BytesIO(data)) as content:
            content.extractall(unpacked, **FILTER)
        [top] = Path(unpacked).iterdir()
        # Made by the tool that packed it, anew for each release.
        for made in [top / "PKG-INFO", *top.glob("*.egg-info/*")]:
            made.unlink()
        try:
            top.rename(tree)
        except OSError:
            # Another run was first.
            if not tree.exists():
                raise


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
