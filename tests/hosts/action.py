"""The GitHub Action does what it says: the texts of its steps are run as they stand.

    action.py REPOSITORY TORCHADA

What a host gives them is given here: inputs, its own folders and files. `cargo` is a stand-in that checks what
it is asked to install, and installs the program that is built already.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

SOURCE, PROGRAM = Path(sys.argv[1]), Path(sys.argv[2])
ACTION = yaml.safe_load((SOURCE / "action.yml").read_text())

CARGO = f"""#!/bin/sh
echo "$*" >> "$RUNNER_TEMP/cargo"
[ "$1 $2 $3" = "install --locked --root" ] || exit 1
mkdir -p "$4/bin" && cp {PROGRAM} "$4/bin/torchada"
"""

KERNEL = "int version = CUDART_VERSION;\n"


def check(condition: bool, output: object) -> None:
    """Fail with the output of a program."""
    if not condition:
        raise SystemExit(f"not as it should be:\n{output}")


class Host:
    """A machine of a host's with a checkout of a project."""

    def __init__(self, root: Path) -> None:
        self.work, self.temporary, tools = root / "work", root / "temp", root / "tools"
        for folder in (self.work, self.temporary, tools):
            folder.mkdir()
        cargo = tools / "cargo"
        cargo.write_text(CARGO)
        cargo.chmod(0o755)
        self.path = [str(tools), *os.environ["PATH"].split(":")]
        self.outputs: dict[str, str] = {}

    def value(self, text: str, inputs: dict[str, str]) -> str:
        """A text with its expressions replaced, as the host does it before a step runs."""
        known = {
            "github.action_path": str(SOURCE),
            "github.action_repository": "owner/torchada",
            "github.server_url": "https://github.com",
            "runner.temp": str(self.temporary),
            **{f"inputs.{name}": value for name, value in inputs.items()},
            **{f"steps.source.outputs.{name}": value for name, value in self.outputs.items()},
        }
        return re.sub(r"\$\{\{ *(.*?) *\}\}", lambda match: known[match[1]], text)

    def step(self, step: dict, inputs: dict[str, str]) -> tuple[int, str, str]:
        """Run a step: its exit code and what it prints."""
        files = {name: self.temporary / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_PATH")}
        for file in files.values():
            file.write_text("")
        environment = os.environ | {name: str(file) for name, file in files.items()}
        environment |= {"PATH": ":".join(self.path), "RUNNER_TEMP": str(self.temporary)}
        environment |= {name: self.value(value, inputs) for name, value in step["env"].items()}
        check("${{" not in step["run"], "an expression in a script is a way in for others: give it by `env`")
        script = self.temporary / "step.sh"
        script.write_text(step["run"])
        # The host's own call for `shell: bash`.
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
        done = subprocess.run(command, cwd=self.work, env=environment, text=True, capture_output=True)
        for line in files["GITHUB_OUTPUT"].read_text().splitlines():
            name, _, value = line.partition("=")
            self.outputs[name] = value
        self.path = files["GITHUB_PATH"].read_text().split() + self.path
        return done.returncode, done.stdout, done.stderr

    def run(self, **given: str) -> tuple[int, str, str]:
        """Run the whole action with these inputs; what its last script came to."""
        inputs = {name: str(about.get("default", "")) for name, about in ACTION["inputs"].items()}
        inputs |= {name.replace("_", "-"): value for name, value in given.items()}
        last = (0, "", "")
        for step in ACTION["runs"]["steps"]:
            if "run" in step and last[0] == 0:
                last = self.step(step, inputs)
        return last

    def write(self, path: str, text: str) -> None:
        """Write a file of the project."""
        full = self.work / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(text)

    def installed(self) -> list[str]:
        """What cargo was asked for."""
        calls = self.temporary / "cargo"
        return calls.read_text().splitlines() if calls.exists() else []


def annotates(host: Host) -> None:
    """Findings become annotations, and the step fails."""
    host.write("a b/k.cu", KERNEL)
    code, out, err = host.run()
    check(code == 1 and out.startswith("::error file=a b/k.cu,line=1,endLine=1,col=15"), out + err)
    place = host.temporary / "torchada"
    check(host.installed() == [f"install --locked --root {place} --profile dist --path {SOURCE}"], host.installed())
    # What a cache brings is not built again.
    code, out, err = host.run(fail_on="never")
    check(code == 0 and len(host.installed()) == 1, out + err)
    check(len(host.outputs["key"]) == 16, host.outputs)


def writes_sarif_and_looks_at_several_paths(host: Host) -> None:
    """Each line of `path` is one; SARIF is there although the step fails."""
    for path in ("one/k.cu", "two x/k.cu", "three/k.cu"):
        host.write(path, KERNEL)
    code, out, err = host.run(path="one\ntwo x\n", format="concise", sarif="torchada.sarif")
    check(code == 1 and out.count("CPP056") == 2, out + err)
    log = json.loads((host.work / "torchada.sarif").read_text())
    check(len(log["runs"][0]["results"]) == 2, log)
    code, out, err = host.run(path="four")
    check(code == 2 and "four does not exist" in err, err)


def knows_baselines_and_changes(host: Host) -> None:
    """What a baseline knows, and what a change does not touch, is no failure."""
    host.write("k.cu", KERNEL)
    host.run(fail_on="never")
    program = str(host.temporary / "torchada/bin/torchada")
    update = [program, "check", ".", "--baseline", "known.json", "--update-baseline", "--quiet"]
    subprocess.run(update, cwd=host.work, check=True)
    code, out, err = host.run(baseline="known.json", fail_on="note")
    check(code == 0, out + err)
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q", "-b", "main"], ["add", "."], [*who, "commit", "-qm", "all"]):
        subprocess.run(["git", *words], cwd=host.work, check=True)
    code, out, err = host.run(since="main")
    check(code == 0 and out == "", out + err)
    host.write("k.cu", KERNEL + KERNEL)
    code, out, err = host.run(since="main")
    check(code == 1 and out.count("::error") == 1 and "line=2" in out, out + err)


def holds_a_port_in_step(host: Host) -> None:
    """The step fails where the committed port is an older one."""
    host.write("cuda/k.cu", "void f() { cudaFree(nullptr); }\n")
    code, out, err = host.run(path="cuda", port="musa")
    check(code == 2 and "there is no port at musa" in err, err)
    subprocess.run([host.temporary / "torchada/bin/torchada", "port", "cuda", "-o", "musa", "-q"], cwd=host.work, check=True)
    code, out, err = host.run(path="cuda", port="musa")
    check(code == 0, out + err)
    host.write("cuda/k.cu", "void f() { cudaFree(0); }\n")
    code, out, err = host.run(path="cuda", port="musa")
    check(code == 1 and "+void f() { musaFree(0); }" in out, out + err)
    # Without a path the whole repository is the first one.
    code, out, err = host.run(path="", port="musa")
    check(code == 2 and "unbound" not in err and "is the port of another tree: ." in err, out + err)


def installs_another_version(host: Host) -> None:
    """A version that is named comes from the action's repository."""
    code, out, err = host.run(version="v0.1.0")
    place = host.temporary / "torchada"
    expected = f"install --locked --root {place} --profile dist --git https://github.com/owner/torchada --rev v0.1.0 torchada-port"
    check(code == 0 and host.installed() == [expected], host.installed())
    check(host.outputs["key"] == "v0.1.0", host.outputs)


def main() -> None:
    """Run the tests."""
    for name, about in ACTION["inputs"].items():
        check(bool(about["description"]) and isinstance(about["default"], str), name)
    tests = [annotates, writes_sarif_and_looks_at_several_paths, knows_baselines_and_changes]
    for test in (*tests, holds_a_port_in_step, installs_another_version):
        with tempfile.TemporaryDirectory() as folder:
            test(Host(Path(folder)))


if __name__ == "__main__":
    main()
