"""Groups of processes: a program is run in two processes, and the groups that they make are left."""

from __future__ import annotations

import json
import os
import socket
import traceback
from collections.abc import Callable
from pathlib import Path

import torch.distributed as dist
import warm

#: Groups that were left. Gloo's destructor waits for a thread that may need Python's lock just then, to free
#: the tensors of its last work, and holds the lock: so none is destroyed before its process ends.
_left: list[object] = []


def leave() -> None:
    """Leave all groups of this process."""
    _left.extend(dist.distributed_c10d._world.pg_map)
    dist.destroy_process_group()


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def outcomes(worker: Path, cases: list[str]) -> dict[str, list[str]]:
    """What each of two processes prints about each case: "ok" or a traceback. All cases share the processes.

    `worker` is a program that takes a port, its rank and names of cases, and calls `serve`.
    """
    port = str(free_port())
    path = os.pathsep.join(filter(None, [str(Path(__file__).parent), os.environ.get("PYTHONPATH")]))
    env = {**os.environ, "PYTHONPATH": path}
    ranks = [warm.Process([str(worker), port, str(rank), *cases], env=env) for rank in range(2)]
    found: dict[str, list[str]] = {case: [] for case in cases}
    for rank in ranks:
        done = rank.finish()
        printed = dict(line.split(" ", 1) for line in done.stdout.splitlines() if line.partition(" ")[0] in found)
        for case, results in found.items():
            results.append(json.loads(printed[case]) if case in printed else f"did not get that far:\n{done.stderr}")
    return found


def serve(cases: list[str], run: Callable[[str], None]) -> None:
    """Run each case in this process, which is in a group, and leave the group."""
    for case in cases:
        outcome = "ok"
        try:
            run(case)
        except Exception:
            outcome = traceback.format_exc()
        print(case, json.dumps(outcome), flush=True)
    leave()
