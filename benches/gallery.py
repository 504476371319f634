#!/usr/bin/env python3
"""Make the gallery: port public projects, make the page of each port, and write docs/gallery.md.

    cargo build --profile dist
    benches/gallery.py --torchada target/dist/torchada --pages target/gallery

The trees are fetched by their commits. The pages quote the projects' code, so they are not committed; what is
committed of each is a picture of its summary, made with Chromium, and a row of figures.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "gallery.md"
PICTURES = ROOT / "docs" / "gallery"

#: The projects, and the commits that are ported.
PROJECTS = {
    "karpathy/llm.c": "f1e2ace651495b74ae22d45d1723443fd00ecd3a",
    "facebookresearch/faiss": "02dbb4e42f49aa2ce57cd78977b0e47a11f7cb91",
    "flashinfer-ai/flashinfer": "fb28d7242b3506a2348265962041acc1fb56cca4",
    "NVIDIA/apex": "6424da3b4faa6c8f062da4a48c424fff3f02d42d",
    "Dao-AILab/causal-conv1d": "0d2252d161f25f7907bbd05985c08ab98d255874",
    "state-spaces/mamba": "e9594ce1c732d97440f0332fdc43170a2294dbfa",
    "rusty1s/pytorch_scatter": "648dda3cf964731ffb4de11eafc445a83133eda4",
    "bitsandbytes-foundation/bitsandbytes": "95f9af309d4d5793847169c39288dcd3fcbdf564",
}

#: How large a picture is: the figures of a page, without anything of the code.
WIDTH, HEIGHT = 900, 325

INTRO = """# Gallery of ports

<!-- Made by benches/gallery.py. -->

What a port of eight public projects comes to, without any configuration and without an edit by hand. Each figure is of
the summary that `torchada port` leaves in its report, and each picture is the top of the page that `torchada report` makes of it.
No port was built with the MUSA SDK.

`benches/gallery.py` fetches the trees, ports them and makes the pages. The pages quote the projects' code, so they are not
part of this repository.

| project | commit | files | translated | errors | warnings | not built | kept in libraries |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""

OUTRO = """
- *Translated* counts references to CUDA, and *errors* and *warnings* are findings, in code that a build for MUSA compiles.
- *Not built* counts findings in [files that no build for MUSA compiles](report.md#not-built-for-musa), such as kernels for sm_90 and newer.
- *Kept in libraries* counts references that stay because a library, such as CUTLASS, is left whole.
"""


def run(*command: str | Path, cwd: Path | None = None) -> None:
    """Run a program that has to succeed."""
    subprocess.run([str(each) for each in command], cwd=cwd, check=True, stdout=subprocess.DEVNULL)


def fetch(url: str, commit: str, tree: Path) -> None:
    """Have the tree of a commit in a folder."""
    tree.mkdir()
    run("git", "init", "--quiet", cwd=tree)
    run("git", "fetch", "--quiet", "--depth", "1", url, commit, cwd=tree)
    run("git", "checkout", "--quiet", "FETCH_HEAD", cwd=tree)


def port(torchada: Path, tree: Path) -> tuple[dict, Path]:
    """The report of a port of a tree, and the port. A port with failed files counts, too."""
    out = tree.with_name(f"{tree.name}_musa")
    command = [str(torchada), "port", tree.name, "-o", out.name, "--quiet"]
    code = subprocess.run(command, cwd=tree.parent).returncode
    if code not in (0, 1):
        raise SystemExit(f"{tree.name}: torchada port ended with {code}")
    return json.loads((out / ".torchada" / "report.json").read_text()), out


def picture(page: Path, shot: Path) -> None:
    """The top of a page, as Chromium shows it."""
    steps = [{"open": str(page), "width": WIDTH}, {"shot": str(shot), "height": HEIGHT}]
    driver = ROOT / "tests" / "browser" / "drive.py"
    subprocess.run(["python3", str(driver), "chromium"], input=json.dumps(steps), text=True, check=True,
                   stdout=subprocess.DEVNULL)


def row(project: str, commit: str, report: dict) -> str:
    """A project's row of the table."""
    summary = report["summary"]
    counts = Counter(finding["severity"] for finding in report["findings"])
    translated = sum(count for level, count in summary["references"].items() if level != "other")
    aside = sum(group["errors"] + group["warnings"] for group in summary["not_built"])
    cells = [
        f"[{project}](https://github.com/{project}) | [{commit[:9]}](https://github.com/{project}/tree/{commit})",
        *(f"{number:,}" for number in (summary["files"]["seen"], translated, counts["error"], counts["warning"], aside,
                                       summary["kept"].get("vendored", 0))),
    ]
    return f"| {' | '.join(cells)} |\n"


def main() -> None:
    """Make everything anew."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torchada", type=Path, required=True, help="the program")
    parser.add_argument("--pages", type=Path, required=True, help="the folder that gets the pages")
    parser.add_argument("--url", default="https://github.com/{owner}/{name}", help="where a repository is fetched from")
    arguments = parser.parse_args()
    torchada = arguments.torchada.resolve()
    pages = arguments.pages.resolve()
    pages.mkdir(parents=True, exist_ok=True)
    PICTURES.mkdir(exist_ok=True)
    table, pictures = "", ""
    for project, commit in PROJECTS.items():
        owner, name = project.split("/")
        with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as place:
            tree = Path(place) / name
            fetch(arguments.url.format(owner=owner, name=name), commit, tree)
            report, out = port(torchada, tree)
            page = pages / f"{name}.html"
            run(torchada, "report", out.name, "-o", page, cwd=out.parent)
        picture(page, PICTURES / f"{name}.png")
        table += row(project, commit, report)
        pictures += f"\n## {name}\n\n![The top of the page of {name}'s port](gallery/{name}.png)\n"
        print(f"{project}: {page}")
    PAGE.write_text(INTRO + table + OUTRO + pictures)


if __name__ == "__main__":
    main()
