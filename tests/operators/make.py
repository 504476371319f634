#!/usr/bin/env python3
"""Make `mappings/operators/list.toml` again.

    make.py TORCH_MUSA PACKAGES [NEWER…] [--ends FILE]

TORCH_MUSA is a clone of torch_musa with its tags, PACKAGES the site-packages of the PyTorch that its newest release is
for, NEWER those of later ones, FILE what `ends.py` wrote. Without FILE the ends of the former list stay.
"""

import argparse
import json
import tomllib
from pathlib import Path

import sources

MAPPINGS = Path(__file__).resolve().parents[2] / "mappings"
LIST = MAPPINGS / "operators/list.toml"

HEAD = """\
# PyTorch's operators, and since which release torch_musa has a kernel of each. Made by tests/operators/make.py from
# torch_musa's list (torch_musa/csrc/aten/ops/musa_functions.yaml, and what its C++ registers for PrivateUse1) and PyTorch's
# (aten/src/ATen/native/native_functions.yaml): edit neither here, but what lies beside it in mappings/operators.toml.
"""

#: Releases for whose PyTorch the ends were seen.
SEEN = ("2.7.0", "2.7.1")


def wrapped(names: list[str], width: int = 118) -> str:
    """A list of texts, in lines."""
    lines, line = [], "   "
    for name in names:
        word = f' "{name}",'
        if len(line) + len(word) > width:
            lines.append(line)
            line = "   "
        line += word
    return "[\n" + "\n".join([*lines, line]) + "\n]" if names else "[]"


class Operators:
    """What is known of each operator."""

    def __init__(self, repository: sources.Repository, torch: dict[str, sources.Entry]):
        self.torch = torch
        self.releases = repository.releases()
        self.kernels = {release: repository.kernels(release, torch) for release in self.releases}
        newest = self.kernels[self.releases[-1]]
        self.since: dict[str, str] = {}
        for name in newest:
            # a kernel that was away in between counts from its return
            gone = [at for at, release in enumerate(self.releases) if name not in self.kernels[release]]
            self.since[name] = self.releases[max(gone, default=-1) + 1]
        for name, entry in torch.items():
            # PyTorch makes the others of a structured operator out of the one that writes to an argument
            delegate = self.since.get(entry.keys.get("structured_delegate", ""))
            if delegate and self.order(delegate) < self.order(self.since.get(name, "")):
                self.since[name] = delegate

    def order(self, release: str) -> int:
        return self.releases.index(release) if release in self.releases else len(self.releases)

    def state(self, name: str) -> str:
        """What an operator of PyTorch's is without a kernel of torch_musa's."""
        entry = self.torch[name]
        if entry.has(sources.COMPOSITE) or not entry.dispatch and "structured_delegate" not in entry.keys:
            return "composite"
        if name in self.since:
            return "kernel"
        out = self.torch.get(entry.keys.get("structured_delegate", ""), entry)
        on_cpu = any(key.endswith("CPU") and not key.startswith("Mkldnn") for key in out.dispatch)
        if any(key.endswith("CUDA") for key in out.dispatch):
            return "none" if on_cpu else "cuda-only"
        return "cpu-only" if on_cpu else "foreign"

    def named(self, *states: str) -> list[str]:
        return sorted(name for name in self.torch if self.state(name) in states)


def ends(path: Path, operators: Operators) -> dict[str, list[str]]:
    """The operators in which each function always ends, of those that a release lacks or has on the CPU."""
    by_hand = tomllib.loads((MAPPINGS / "operators.toml").read_text(encoding="utf-8"))
    always_on_cpu = {name for row in by_hand["host"] if "when" not in row for name in row["operators"]}
    always: dict[str, set[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        seen = json.loads(line)
        if seen["runs"]:
            found = set(seen["always"])
            always[seen["name"]] = always.get(seen["name"], found) & found

    def may_lack(name: str) -> bool:
        known = name in operators.torch and operators.state(name) != "composite"
        return name in always_on_cpu or known and operators.since.get(name, SEEN[-1]) in SEEN

    kept = {name: sorted(filter(may_lack, found)) for name, found in always.items()}
    return {name: found for name, found in sorted(kept.items()) if found}


def written(
    operators: Operators,
    repository: sources.Repository,
    newer: dict[str, list[str]],
    torch: str,
    kept: dict[str, list[str]],
) -> str:
    parts = [HEAD]
    for release in operators.releases:
        count = len(operators.kernels[release])
        parts.append(
            f'[[release]]\nversion = "{release}"\ncommit = "{repository.commit(release)}"\nkernels = {count}\n'
        )
    parts.append(f'# PyTorch {torch} has these.\n[torch]\nversion = "{torch}"\n')
    composite = wrapped(operators.named("composite"))
    parts.append(f"# Made of other operators: they work if those do.\ncomposite = {composite}")
    parts.append("# CUDA and the CPU have a kernel, and torch_musa none.\nnone = " + wrapped(operators.named("none")))
    parts.append("# Only CUDA has a kernel.\ncuda-only = " + wrapped(operators.named("cuda-only")))
    parts.append("# Only the CPU has a kernel.\ncpu-only = " + wrapped(operators.named("cpu-only")))
    parts.append("# Of other devices.\nforeign = " + wrapped(operators.named("foreign")))
    methods = sorted({
        entry.base
        for name, entry in operators.torch.items()
        if "method" in entry.keys.get("variants", "")
        and (operators.state(name) != "composite" or f"torch.{entry.base}" in kept)
    })
    parts.append("# Also methods of tensors.\nmethods = " + wrapped(methods) + "\n")
    parts.append("# Operators with a kernel of torch_musa's, by the first release that has it.\n[kernels]")
    for release in operators.releases:
        names = sorted(name for name, since in operators.since.items() if since == release)
        parts.append(f'"{release}" = ' + wrapped(names))
    parts.append("\n# Operators that only a newer PyTorch has.\n[newer]")
    parts.extend(f'"{version}" = ' + wrapped(names) for version, names in newer.items())
    parts.append(
        "\n# Functions of PyTorch's, with operators in which each of their calls ends: those that torch_musa lacks, or lacked\n"
        f"# before its newest release. Seen by tests/operators/ends.py with PyTorch {torch}'s own samples.\n[ends]"
    )
    parts.extend(f'"{name}" = [{", ".join(json.dumps(one) for one in found)}]' for name, found in kept.items())
    return "\n".join(parts) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("torch_musa", type=Path)
    parser.add_argument("packages", type=Path)
    parser.add_argument("newer", type=Path, nargs="*")
    parser.add_argument("--ends", type=Path)
    given = parser.parse_args()
    repository = sources.Repository(given.torch_musa)
    operators = Operators(repository, sources.torch_list(given.packages))
    if given.ends:
        kept = ends(given.ends, operators)
    else:
        kept = tomllib.loads(LIST.read_text(encoding="utf-8"))["ends"] if LIST.exists() else {}
    known = set(operators.torch) | set(operators.since)
    newer = {}
    for packages in given.newer:
        names = sorted(set(sources.torch_list(packages)) - known)
        newer[sources.torch_version(packages)] = names
        known.update(names)
    LIST.parent.mkdir(exist_ok=True)
    torch = sources.torch_version(given.packages)
    LIST.write_text(written(operators, repository, newer, torch, kept), encoding="utf-8")


if __name__ == "__main__":
    main()
