"""One of two processes: `two_processes.py PORT RANK CASE…` runs the functions of these names.

Each prints its name and "ok" or a traceback, as JSON, on one line.
"""

from __future__ import annotations

import sys

import ranks
import torch
import torch.distributed as dist
import torch_musa  # noqa: F401
from torch import nn


def collectives(rank: int, musa: torch.device) -> None:
    """Everything that all take part in."""
    assert dist.get_backend() == "mccl"
    values = torch.full((4,), rank + 1.0, device=musa)
    dist.all_reduce(values)
    assert values.tolist() == [3] * 4 and values.device == musa
    parts = [torch.zeros(2, device=musa) for _ in range(2)]
    dist.all_gather(parts, torch.full((2,), float(rank), device=musa))
    assert [part[0].item() for part in parts] == [0, 1]
    whole = torch.zeros(4, device=musa)
    dist.all_gather_into_tensor(whole, torch.full((2,), float(rank), device=musa))
    assert whole.tolist() == [0, 0, 1, 1]
    half = torch.zeros(2, device=musa)
    dist.reduce_scatter_tensor(half, torch.arange(4.0, device=musa))
    assert half.tolist() == [[0, 2], [4, 6]][rank]
    one = torch.full((1,), float(rank), device=musa)
    dist.broadcast(one, 1)
    assert one.item() == 1
    swapped = torch.zeros(2, device=musa)
    dist.all_to_all_single(swapped, torch.arange(2.0, device=musa) + rank * 2)
    assert swapped.tolist() == [[0, 2], [1, 3]][rank]
    largest = torch.tensor([float(rank)], device=musa)
    dist.reduce(largest, 0, op=dist.ReduceOp.MAX)
    assert rank == 1 or largest.item() == 1
    dist.barrier()


def point_to_point(rank: int, musa: torch.device) -> None:
    """One sends, one receives."""
    value = torch.full((3,), 7.0 * rank, device=musa)
    if rank == 1:
        dist.send(value, 0)
    else:
        dist.recv(value, 1)
    assert value.tolist() == [7] * 3


def asynchronous(rank: int, musa: torch.device) -> None:
    """A handle to wait for."""
    value = torch.ones(2, device=musa)
    work = dist.all_reduce(value, async_op=True)
    work.wait()
    assert work.is_completed() and value.tolist() == [2, 2]


def objects(rank: int, musa: torch.device) -> None:
    """Python objects, by way of tensors."""
    gathered: list[object] = [None, None]
    dist.all_gather_object(gathered, {"rank": rank})
    assert gathered == [{"rank": 0}, {"rank": 1}]
    listed = ["first" if rank == 0 else None]
    dist.broadcast_object_list(listed, 0)
    assert listed == ["first"]


def groups(rank: int, musa: torch.device) -> None:
    """Groups beside the first."""
    both, alone = dist.new_group([0, 1]), dist.new_group([1])
    value = torch.ones(1, device=musa)
    dist.all_reduce(value, group=both)
    assert value.item() == 2 and dist.get_backend(both) == "mccl"
    if rank == 1:
        dist.all_reduce(value, group=alone)
        assert value.item() == 2


def two_backends(rank: int, musa: torch.device) -> None:
    """A group that has another backend for the CPU."""
    group = dist.new_group([0, 1], backend="cpu:gloo,musa:mccl")
    for device in (musa, torch.device("cpu")):
        value = torch.full((2,), rank + 1.0, device=device)
        dist.all_reduce(value, group=group)
        assert value.tolist() == [3, 3] and value.device == device


def data_parallel(rank: int, musa: torch.device) -> None:
    """Gradients are the same on both."""
    torch.manual_seed(0)
    model = nn.parallel.DistributedDataParallel(nn.Linear(4, 2).to(musa), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        model(torch.randn(3, 4, device=musa) + rank).sum().backward()
        optimizer.step()
    weights = [torch.zeros_like(model.module.weight) for _ in range(2)]
    dist.all_gather(weights, model.module.weight.detach())
    assert torch.equal(*weights)


def fully_sharded(rank: int, musa: torch.device) -> None:
    """Each holds half of the parameters."""
    from torch.distributed.fsdp import fully_shard

    torch.manual_seed(0)
    reference = nn.Linear(4, 4).to(musa)
    model = nn.Linear(4, 4).to(musa)
    model.load_state_dict(reference.state_dict())
    fully_shard(model, mesh=dist.device_mesh.init_device_mesh("musa", (2,)))
    inputs = torch.ones(2, 4, device=musa)
    torch.testing.assert_close(model(inputs), reference(inputs))
    model(inputs).sum().backward()
    assert model.weight.to_local().shape == (2, 4)
    assert model.weight.grad.to_local().device == musa


def device_mesh(rank: int, musa: torch.device) -> None:
    """Tensors that are spread over the devices."""
    from torch.distributed.tensor import Shard, distribute_tensor

    mesh = dist.device_mesh.init_device_mesh("musa", (2,), mesh_dim_names=("all",))
    assert mesh.device_type == "musa" and mesh.get_local_rank() == rank
    whole = torch.arange(8.0, device=musa).view(4, 2)
    spread = distribute_tensor(whole, mesh, [Shard(0)])
    assert spread.to_local().device == musa and spread.to_local().shape == (2, 2)
    torch.testing.assert_close((spread * 2).full_tensor(), whole * 2)


def main() -> None:
    """Join the other, run the cases."""
    port, rank, cases = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    torch.musa.set_device(rank)
    dist.init_process_group("mccl", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=2)
    ranks.serve(cases, lambda case: globals()[case](rank, torch.device("musa", rank)))


if __name__ == "__main__":
    main()
