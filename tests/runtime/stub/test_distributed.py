"""`torch.distributed` as CUDA code uses it: one process here, two of them in another file."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
import ranks
import torch
import torch.distributed as dist
import torchada
from torch.distributed.distributed_c10d import Backend, BackendConfig

WORKER = Path(__file__).with_name("two_cuda_processes.py")

#: The functions of the worker, each run in two processes.
CASES = [
    "names",
    "collectives",
    "objects",
    "groups",
    "data_parallel",
    "fully_sharded_1",
    "fully_sharded_2",
    "device_mesh",
    "checkpoint",
    "timeouts",
]


@pytest.fixture(scope="module")
def outcomes() -> dict[str, list[str]]:
    """What each process says of each case: all cases share the processes."""
    return ranks.outcomes(WORKER, CASES)


@pytest.mark.parametrize("case", CASES)
def test_two_processes(case: str, outcomes: dict[str, list[str]]) -> None:
    assert outcomes[case] == ["ok", "ok"], "\n".join(outcomes[case])


@pytest.fixture
def alone() -> Iterator[dict[str, object]]:
    """The arguments of a group of one process, which is left afterwards."""
    yield {"init_method": f"tcp://127.0.0.1:{ranks.free_port()}", "rank": 0, "world_size": 1}
    if dist.is_initialized():
        ranks.leave()


@pytest.mark.parametrize(
    "backend", ["nccl", "NCCL", Backend.NCCL, Backend("nccl"), "cuda:nccl", "cpu:gloo,cuda:nccl", None]
)
def test_every_way_to_name_the_backend(backend: str | None, alone: dict[str, object]) -> None:
    dist.init_process_group(backend, **alone)
    x = torch.ones(2, device="cuda")
    dist.all_reduce(x)
    assert x.tolist() == [1, 1]


def test_a_mesh_makes_the_group(alone: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "RANK": "0",
        "WORLD_SIZE": "1",
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": ranks.free_port(),
    }.items():
        monkeypatch.setenv(name, str(value))
    mesh = dist.init_device_mesh("cuda", (1,))
    assert mesh.device_type == "musa"
    dist.all_reduce(torch.ones(1, device="cuda"), group=mesh.get_group())


def test_names() -> None:
    assert Backend("nccl") == "mccl" and Backend("gloo") == "gloo"
    assert repr(BackendConfig(Backend("cpu:gloo,cuda:nccl"))) == "cpu:gloo,musa:mccl"
    assert repr(BackendConfig("nccl")) == "musa:mccl"
    with pytest.raises(ValueError):
        Backend(1)


def test_what_is_available() -> None:
    assert dist.is_nccl_available() and dist.is_backend_available("nccl")
    assert not dist.is_backend_available("no_such_backend")


def test_the_class_of_the_process_group() -> None:
    from torch._C._distributed_c10d import ProcessGroupNCCL as native
    from torch.distributed import ProcessGroupNCCL
    from torch.distributed.distributed_c10d import ProcessGroupNCCL as of_module

    assert ProcessGroupNCCL is of_module is native is dist.ProcessGroupMCCL
    assert ProcessGroupNCCL.Options().is_high_priority_stream is False


def test_the_answer_of_get_backend(alone: dict[str, object]) -> None:
    dist.init_process_group("nccl", **alone)
    backend = dist.get_backend()
    assert backend == "nccl" and (backend != "nccl") is False
    assert backend == "mccl" and backend != "gloo" and backend == dist.get_backend()
    assert {"mccl": 1}[backend] == 1 and isinstance(backend, str) and f"{backend}" == "mccl"
    assert type(pickle.loads(pickle.dumps(backend))) is str and copy.deepcopy(backend) == "mccl"
    ranks.leave()


def test_gloo_stays(alone: dict[str, object]) -> None:
    dist.init_process_group("gloo", **alone)
    x = torch.ones(2)
    dist.all_reduce(x)
    assert dist.get_backend() == "gloo" and dist.get_backend() != "nccl"


def test_a_backend_that_is_registered_for_cuda(alone: dict[str, object]) -> None:
    def make(store: dist.Store, rank: int, size: int, timeout: object) -> object:
        return dist.ProcessGroupGloo(store, rank, size, timeout)

    default = Backend.default_device_backend_map["musa"]
    Backend.register_backend("stub_for_cuda", make, devices=["cuda", "cpu"])
    assert Backend.backend_capability["stub_for_cuda"] == ["musa", "cpu"]
    assert Backend.default_device_backend_map["musa"] == default
    dist.init_process_group("stub_for_cuda", **alone)
    x = torch.ones(2)
    dist.all_reduce(x)
    assert x.tolist() == [1, 1]


def test_processes_for_every_gpu() -> None:
    from torch.distributed.run import determine_local_world_size

    assert determine_local_world_size("gpu") == torch.cuda.device_count()
    assert determine_local_world_size("3") == 3


def test_unpatch() -> None:
    torchada.unpatch()
    try:
        assert Backend("nccl") == "nccl" and Backend("cuda:nccl") == "cuda:nccl"
        assert Backend.default_device_backend_map["cuda"] == "nccl"
        assert not dist.is_nccl_available() and not hasattr(dist, "ProcessGroupNCCL")
    finally:
        torchada.apply_patches()
    assert Backend("nccl") == "mccl"
