"""The distribution that brings this package, and the other one that brings a package of the same name.

pip knows two programs apart by the names of their distributions alone. Where both are installed in one folder, the
one that came last has overwritten files of the other.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

#: What pip calls this program. Its command and its package are `torchada`.
NAME = "torchada-port"

#: What pip calls Moore Threads' adapter, whose package is `torchada`, too.
OTHER = "torchada"

#: What installs and removes packages of this Python.
_PIP = f"{sys.executable} -m pip"

#: The folder that has this package.
_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def mixed() -> str | None:
    """What is wrong, and what to do, where the other distribution is installed over this one or below it."""
    for version in _versions(_FOLDER):
        return (
            f"two programs are installed in {_FOLDER} whose package is called torchada: {NAME}, and the distribution "
            f"{OTHER} {version}, which is Moore Threads' adapter. Files of one lie over the other's. "
            f"Remove both, and install this one again: `{_PIP} uninstall {OTHER} {NAME}`, then `{_PIP} install {NAME}`."
        )
    return None


def beside() -> str | None:
    """What is wrong where another folder, in which this Python looks for packages, has the other distribution."""
    if not any(_distributions(_FOLDER, NAME)):
        # A port brings its own copy of this package, wherever it is run.
        return None
    for folder in dict.fromkeys(os.path.abspath(each or os.curdir) for each in sys.path):
        for version in _versions(folder) if folder != _FOLDER else ():
            return (
                f"{folder} has another package torchada, of the distribution {OTHER} {version}: which of the two is "
                f"imported depends on the order of the folders. Remove it: `{_PIP} uninstall {OTHER}`."
            )
    return None


def _versions(folder: str) -> Iterator[str]:
    return _distributions(folder, OTHER)


def _distributions(folder: str, name: str) -> Iterator[str]:
    """The versions of a distribution that installers have left a record of in a folder."""
    front = name.replace("-", "_") + "-"
    # The standard library's own way takes longer to import than all of this package.
    try:
        entries = os.listdir(folder)
    except OSError:
        return
    for entry in sorted(entries):
        stem, ending = os.path.splitext(entry)
        if ending in (".dist-info", ".egg-info") and entry.startswith(front):
            yield stem[len(front) :].split("-", 1)[0]
