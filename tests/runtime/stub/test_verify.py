"""`torchada verify` finds the faults that are planted in the device's kernels, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from torchada.tools import verify
from torchada.tools.verify import catalog, project

PLANTED = Path(__file__).resolve().parents[1] / "planted"
sys.path.insert(0, str(PLANTED))

import planted_faults  # noqa: E402


def run(*arguments: str, planted: bool = False) -> subprocess.CompletedProcess[str]:
    paths = [str(PLANTED)] if planted else []
    return subprocess.run(
        [sys.executable, "-m", "torchada", "verify", *arguments],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([*paths, os.environ["PYTHONPATH"]]),
            "OMP_NUM_THREADS": "1",
        },
        capture_output=True,
        text=True,
        timeout=600,
    )


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One run over everything that is planted: it takes a process more for each that hangs or dies."""
    place = tmp_path_factory.mktemp("verify")
    names = [*planted_faults.FAULTS, *planted_faults.SLOW, *planted_faults.HARMLESS]
    asked = place / "operators.txt"
    asked.write_text("# what is planted\n" + "\n".join(f"torch.{name}" for name in names) + "\naten::_nobody_has_it\n")
    done = run(
        *("--ops", str(asked), "--dtypes", "float32,half,int64", "--samples", "3", "--limit", "15"),
        *("--json", str(place / "found.json"), "--junit", str(place / "found.xml")),
        planted=True,
    )
    assert done.returncode == 1, done.stderr
    data = json.loads((place / "found.json").read_text())
    return {"text": done.stdout, "data": data, "junit": (place / "found.xml").read_text()}


def test_each_planted_fault_is_found_and_nothing_else(found: dict[str, Any]) -> None:
    reported: dict[str, set[tuple[str, str]]] = {}
    for outcome in found["data"]["outcomes"]:
        for finding in outcome["findings"]:
            reported.setdefault(outcome["operator"], set()).add((finding["verdict"], finding["phase"]))
    assert reported == planted_faults.FAULTS


def test_what_is_slow_is_told_and_is_no_fault(found: dict[str, Any]) -> None:
    slow = {each["operator"] for each in found["data"]["outcomes"] if each["slower"]}
    assert set(planted_faults.SLOW) <= slow
    assert {each["verdict"] for each in found["data"]["outcomes"] if each["operator"] in planted_faults.SLOW} == {
        "right"
    }


def test_the_table_has_causes_first_and_the_sample_that_shows_a_fault(found: dict[str, Any]) -> None:
    text = found["text"]
    assert text.index("aten::digamma has no kernel for the device") < text.index("wrong: the device's result")
    for line in (
        "died of SIGSEGV",
        "did not answer within 15 s",
        "an illegal memory access",
        "forward: shape [1, ",
        "forward: dtype float32, the CPU has float16",
        "forward: nan, the CPU has ",
        "\"exp2_musa\" not implemented for 'Half'",
        "with float32[",
        "another distribution",
        "the result is a copy, the CPU's is a view",
        "aten::_nobody_has_it",
    ):
        assert line in text, f"{line!r} is not in:\n{text}"


def test_pipelines_get_the_same(found: dict[str, Any]) -> None:
    suite = ElementTree.fromstring(found["junit"]).find("testsuite")
    assert suite is not None
    outcomes = found["data"]["outcomes"]
    cases = [(case.get("classname", "").rpartition(".")[2], case.get("name")) for case in suite.iter("testcase")]
    assert cases == [(each["operator"].rpartition(".")[2], each["dtype"]) for each in outcomes]
    faults = [each for each in outcomes if each["verdict"] not in ("right", "unchecked")]
    assert len(list(suite.iter("failure"))) + len(list(suite.iter("error"))) == len(faults)
    assert found["data"]["counts"]["hang"] == 1
    assert found["data"]["unknown"] == ["aten::_nobody_has_it"]


def test_what_can_not_be_checked_is_an_error_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert verify.main(["--ops", "/nowhere/operators.txt"]) == 2
    assert capsys.readouterr().err == "error: /nowhere/operators.txt: No such file or directory\n"


def test_operators_are_found_by_the_names_that_people_use() -> None:
    entry = {"name": "nn.functional.conv2d", "names": ["nn.functional.conv2d", "conv2d"]}
    add = {"name": "add", "names": ["add"]}
    norm = {"name": "linalg.norm", "names": ["linalg.norm", "linalg_norm"]}
    names = catalog.Names([entry, add, norm])
    for name in ("torch.nn.Conv2d", "aten::conv2d", "F.conv2d", "torch.nn.functional.conv2d"):
        assert names.find(name) == ["nn.functional.conv2d"], name
    for name in ("aten::add_.Tensor", "torch.Tensor.add_", "torch.add", "torch.ops.aten.add.Tensor"):
        assert names.find(name) == ["add"], name
    assert names.find("aten::linalg_norm") == ["linalg.norm"]
    assert names.find("torch.nowhere") == []


def test_a_project_means_the_operators_that_its_python_calls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "model.py").write_text(
        "import torch, torch.nn.functional as F\nfrom torch import nn\nfrom torch.linalg import svd as decompose\n"
        "def forward(self, x):\n"
        "    x = F.layer_norm(x @ self.weight, (3,)).softmax(-1)\n"
        "    return decompose(torch.bmm(x, x)), nn.GRU(3, 4), nn.Sequential(nn.ReLU()), x.items()\n"
    )
    (tmp_path / "old.py").write_text("print 'python 2'\n")
    (tmp_path / "other.py").write_text("from numpy import linalg\nlinalg.inv(1 + 2)\nsort.sort()\n")
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "x.py").write_text("import torch\ntorch.fft.fft(1)\n")
    (tmp_path / "itself").symlink_to(tmp_path)
    found, unread = project.names(tmp_path)
    named = "torch.bmm torch.linalg.svd torch.matmul torch.nn.GRU torch.nn.ReLU torch.nn.Sequential"
    assert found == sorted(
        [*named.split(), "torch.nn.functional.layer_norm", "torch.Tensor.items", "torch.Tensor.softmax"]
    )
    assert [line.partition(": ")[0] for line in unread] == [str(tmp_path / "old.py")]
    assert [name for name in found if project.is_operators(name)] == [
        "torch.linalg.svd",
        "torch.nn.GRU",
        "torch.nn.ReLU",
        "torch.nn.functional.layer_norm",
    ]
