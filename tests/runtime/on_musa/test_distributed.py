"""Two processes, a device each, and the process group "mccl"."""

from __future__ import annotations

from pathlib import Path

import pytest
import ranks
import torch
import torch.distributed as dist

WORKER = Path(__file__).with_name("two_processes.py")

#: The functions of the worker, each run in two processes.
CASES = [
    "collectives",
    "point_to_point",
    "asynchronous",
    "objects",
    "groups",
    "two_backends",
    "data_parallel",
    "fully_sharded",
    "device_mesh",
]


@pytest.fixture(scope="module")
def outcomes() -> dict[str, list[str]]:
    """What each process says of each case: all cases share the processes, since those cost seconds."""
    return ranks.outcomes(WORKER, CASES)


@pytest.mark.parametrize("case", CASES)
def test_two_processes(case: str, outcomes: dict[str, list[str]]) -> None:
    assert outcomes[case] == ["ok", "ok"], "\n".join(outcomes[case])


def test_availability() -> None:
    assert dist.is_mccl_available()
    assert torch.musa.mccl.version()[0] >= 2
    assert "mccl" in dist.Backend.backend_list
    assert dist.get_default_backend_for_device("musa") == "mccl"
