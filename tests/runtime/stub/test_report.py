"""What `torchada.report()` tells."""

from __future__ import annotations

import os

import warm


def run(code: str, **variables: str) -> str:
    """What a program prints."""
    done = warm.run(["-c", code], env={**os.environ, **variables})
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


CODE = """
import torchada, torch
for _ in range(3):
    torch.empty(1, device="cuda")
torch.ones(2).cuda()
torch.empty(1)
torch.cuda.synchronize()
report = torchada.report()
print([(each.name, each.times, each.place.rpartition(":")[2]) for each in report.redirections])
print(str(report).splitlines()[0])
"""


def test_how_often_and_from_where() -> None:
    lines = run(CODE).splitlines()
    assert lines[0] == "[('torch.empty', 3, '4'), ('torch.Tensor.cuda', 1, '5')]"
    assert lines[1].startswith("torchada ")
    assert lines[1].endswith(" on musa")


def test_tracing_counts_functions_of_torch_cuda() -> None:
    assert "('torch.cuda.synchronize', 1, '7')" in run(CODE, TORCHADA_TRACE="1")


def test_tracing_keeps_every_place() -> None:
    code = """
import torchada, torch
torch.device("cuda")
torch.device("cuda"); torch.device("cuda:1")
print(sorted(torchada.report().redirections[0].places.values()))
"""
    assert run(code, TORCHADA_TRACE="1") == "[1, 2]"


def test_what_torch_registers_while_it_imports_its_own_is_no_programs() -> None:
    code = """
import torchada, torch
torch.optim.AdamW([torch.nn.Parameter(torch.ones(1, device="cuda"))])
own = torch.library.Library("stub_report_own", "DEF")
own.define("f(Tensor x) -> Tensor")
before = {each.name: each.times for each in torchada.report().redirections}
own.impl("f", lambda x: x, "CUDA")
after = {each.name: each.times for each in torchada.report().redirections}
print(before.get("torch.library.Library.impl"), after["torch.library.Library.impl"])
"""
    assert run(code) == "None 1"
