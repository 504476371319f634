"""`torchada bench`: figures of operators and of patched calls."""

from __future__ import annotations

import json

import pytest
from torchada.tools import bench
from torchada.tools.bench import overhead


def test_operators_are_measured_on_both(capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    asked = tmp_path / "operators.txt"
    asked.write_text("aten::add.Tensor\ntorch.nn.functional.conv2d  # with a table of its own\ncat\n")
    quick = ["--blocks", "2", "--seconds", "0.0001"]
    assert (
        bench.main(["ops", str(asked), "sum", "--sizes", "64,1k", "--dtypes", "float32,int64", "--json", *quick]) == 0
    )
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [(row["operator"], row["dtype"], row["size"]) for row in rows] == [
        (operator, dtype, size)
        for operator in ("add", "nn.functional.conv2d", "cat", "sum")
        for dtype in ("float32", "int64")
        for size in (64, 1024)
    ]
    assert all(row["device"] > 0 and row["cpu"] > 0 for row in rows if "error" not in row)
    assert bench.main(["ops", "nobody.has.it"]) == 2
    assert "nobody.has.it is not in PyTorch's list" in capsys.readouterr().err
    assert bench.main(["ops", "add", "--sizes", "much"]) == 2
    assert "'much' is no size" in capsys.readouterr().err


def test_an_overhead_is_over_the_plain_call() -> None:
    figures = {
        "plain": {"import torchada": 0.0, "Stream()": 100.0},
        "stub": {"import torchada": 35e6, "Stream()": 90.0},
    }
    assert overhead.table(figures).splitlines()[2:] == [
        "| import torchada (ms) | | 35 | |",
        "| Stream() | 100 | 90 | -10 |",
    ]
    figures["adapter"] = {"import torchada": 135e6, "Stream()": 150.0}
    assert overhead.table(figures).splitlines()[2:] == [
        "| import torchada (ms) | | 35 | 135 | | |",
        "| Stream() | 100 | 90 | 150 | -10 | +50 |",
    ]
    assert overhead.summary(figures) == "Median overhead: -10 ns, of the adapter 50 ns."
