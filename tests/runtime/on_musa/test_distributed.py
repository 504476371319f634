"""Two processes, a device each, and the process group "mccl"."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
import torch
import torch.distributed as dist
import warm

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
def said_of_cases() -> dict[str, list[str]]:
    """What each process says of each case: "ok" or a traceback. All cases share the processes: they cost seconds."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    ranks = [warm.Process([str(WORKER), str(port), str(rank), *CASES]) for rank in range(2)]
    found: dict[str, list[str]] = {case: [] for case in CASES}
    for rank in ranks:
        done = rank.finish()
        printed = dict(line.split(" ", 1) for line in done.stdout.splitlines() if line.partition(" ")[0] in found)
        for case, results in found.items():
            results.append(json.loads(printed[case]) if case in printed else f"did not get that far:\n{done.stderr}")
    return found


@pytest.mark.parametrize("case", CASES)
def test_two_processes(case: str, said_of_cases: dict[str, list[str]]) -> None:
    assert said_of_cases[case] == ["ok", "ok"], "\n".join(said_of_cases[case])


def test_availability() -> None:
    assert dist.is_mccl_available()
    assert torch.musa.mccl.version()[0] >= 2
    assert "mccl" in dist.Backend.backend_list
    assert dist.get_default_backend_for_device("musa") == "mccl"
