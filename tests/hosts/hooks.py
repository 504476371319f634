"""The hooks for pre-commit work: from the manifest over the installation to the messages of a commit.

    hooks.py REPOSITORY TORCHADA

Everything is pre-commit's own but `cargo`: a stand-in checks what it is asked to install, and installs the
program that is built already.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE, PROGRAM = Path(sys.argv[1]), Path(sys.argv[2])
MANIFEST = SOURCE / ".pre-commit-hooks.yaml"

CARGO = f"""#!/bin/sh
[ "$*" = "--version" ] && exit 0  # pre-commit asks whether there is one
[ "$1 $2 $3 $5 $6" = "install --bins --root --path ." ] || {{ echo "unexpected: $*" >&2; exit 1; }}
mkdir -p "$4/bin" && cp {PROGRAM} "$4/bin/torchada"
"""

KERNEL = "int version = CUDART_VERSION;\n"


class Place:
    """A folder with a repository of hooks, a project, and an environment for both."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.hooks, self.project, tools = root / "hooks", root / "project", root / "tools"
        for folder in (self.hooks, self.project, tools):
            folder.mkdir()
        cargo = tools / "cargo"
        cargo.write_text(CARGO)
        cargo.chmod(0o755)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))}
        self.environment = kept | {
            "PATH": f"{tools}:{os.environ['PATH']}",
            "PRE_COMMIT_HOME": str(root / "cache"),
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_CONFIG_SYSTEM": "/dev/null",
        }
        (self.hooks / MANIFEST.name).write_bytes(MANIFEST.read_bytes())
        for folder in (self.hooks, self.project):
            self.git(folder, "init", "--quiet")
        self.commit(self.hooks)

    def git(self, folder: Path, *arguments: str) -> None:
        """Run git, as somebody."""
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *who, *arguments], cwd=folder, env=self.environment, check=True)

    def commit(self, folder: Path) -> None:
        """Commit all that is there."""
        self.git(folder, "add", "--all")
        self.git(folder, "commit", "--quiet", "--message", "all")

    def write(self, path: str, text: str) -> None:
        """Write a file of the project, and give it to git."""
        full = self.project / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(text)
        self.git(self.project, "add", "--all")

    def hook(self, *arguments: str) -> tuple[int, str]:
        """What pre-commit says, and its exit code."""
        done = subprocess.run(
            [sys.executable, "-m", "pre_commit", *arguments],
            cwd=self.project,
            env=self.environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        return done.returncode, done.stdout


def check(condition: bool, output: object) -> None:
    """Fail with the output of a program."""
    if not condition:
        raise SystemExit(f"not as it should be:\n{output}")


def checks_the_files_of_a_commit(place: Place) -> None:
    """The hook speaks of the files that are committed, with what the tree knows, and of no others."""
    place.write("old.cu", KERNEL)
    place.write("own.cuh", "int cudaMalloc(int);\n")
    place.commit(place.project)
    place.write("new file.cu", '#include "own.cuh"\nint a = cudaMalloc(1);\n')
    place.write("notes.txt", "cudaMalloc\n")
    code, output = place.hook("try-repo", str(place.hooks), "torchada", "--verbose")
    check(code == 0 and "torchada check" in output and "Passed" in output, output)
    place.write("new file.cu", KERNEL)
    code, output = place.hook("try-repo", str(place.hooks), "torchada")
    check(code == 1 and "new file.cu:1:15: error[CPP056]" in output and "old.cu" not in output, output)
    code, output = place.hook("try-repo", str(place.hooks), "torchada", "--all-files")
    check(code == 1 and "old.cu:1:15: error[CPP056]" in output, output)


def takes_no_name_for_an_option(place: Place) -> None:
    """A file that is called like an option is left out, and says nothing."""
    place.write("a.cu", KERNEL)
    place.write("--fail-on=never.cu", KERNEL)
    place.write("--exclude=*.cu", KERNEL)
    code, output = place.hook("try-repo", str(place.hooks), "torchada", "--all-files")
    check(code == 1 and "a.cu:1:15: error[CPP056]" in output and "-->" not in output.partition("error[")[0], output)


def holds_a_port_in_step(place: Place) -> None:
    """The second hook fails where the committed port is an older one."""
    place.write("cuda/k.cu", "void f() { cudaFree(nullptr); }\n")
    configuration = f"""repos:
- repo: {place.hooks}
  rev: HEAD
  hooks:
  - id: torchada-port
    args: [cuda, -o, musa]
"""
    place.write(".pre-commit-config.yaml", configuration)
    port = [str(PROGRAM), "port", "cuda", "-o", "musa", "--quiet"]
    subprocess.run(port, cwd=place.project, env=place.environment, check=True)
    place.git(place.project, "add", "--all")
    code, output = place.hook("run", "torchada-port")
    check(code == 0 and "Passed" in output, output)
    # The first hook, which gets the names of the port's files, too, speaks of none of them.
    code, output = place.hook("try-repo", str(place.hooks), "torchada", "--all-files")
    check(code == 0 and "Passed" in output, output)
    place.write("cuda/k.cu", "void f() { cudaFree(0); }\n")
    code, output = place.hook("run", "torchada-port")
    check(code == 1 and "+void f() { musaFree(0); }" in output, output)


def main() -> None:
    """Run the tests."""
    subprocess.run([sys.executable, "-m", "pre_commit", "validate-manifest", str(MANIFEST)], check=True)
    for test in (checks_the_files_of_a_commit, takes_no_name_for_an_option, holds_a_port_in_step):
        with tempfile.TemporaryDirectory() as folder:
            test(Place(Path(folder)))


if __name__ == "__main__":
    main()
