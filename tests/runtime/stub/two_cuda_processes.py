"""One of two processes of CUDA code: `two_cuda_processes.py PORT RANK CASE…` runs the functions of these names.

Each prints its name and "ok" or a traceback, as JSON, on one line.
"""

from __future__ import annotations

import sys
from datetime import timedelta

import ranks
import torch
import torch.distributed as dist
import torchada  # noqa: F401
from torch import nn
from torch.distributed import init_process_group, new_group


def names(rank: int) -> None:
    """What the group says of itself."""
    assert dist.get_backend() == "nccl" and dist.get_backend() == dist.Backend.NCCL
    assert dist.get_backend() in ("nccl", "gloo") and dist.get_backend() != "gloo"
    assert str(dist.get_backend()) == "mccl"
    assert dist.get_default_backend_for_device("cuda") == "mccl"
    assert dist.new_group(backend=dist.get_backend()) is not None


def collectives(rank: int) -> None:
    """Everything that all take part in."""
    device = torch.device("cuda", rank)
    values = torch.full((4,), rank + 1.0, device="cuda")
    dist.all_reduce(values)
    assert values.tolist() == [3] * 4 and values.device == device
    whole = torch.zeros(4, device=device)
    dist.all_gather_into_tensor(whole, torch.full((2,), float(rank), device=f"cuda:{rank}"))
    assert whole.tolist() == [0, 0, 1, 1]
    half = torch.zeros(2).cuda()
    dist.reduce_scatter_tensor(half, torch.arange(4.0).cuda())
    assert half.tolist() == [[0, 2], [4, 6]][rank]
    dist.barrier(device_ids=[rank])


def objects(rank: int) -> None:
    """Python objects, by way of tensors on a device."""
    for device in (None, torch.device("cuda", rank)):
        listed = ["first" if rank == 0 else None]
        dist.broadcast_object_list(listed, 0, device=device)
        assert listed == ["first"]
    gathered: list[object] = [None, None]
    dist.all_gather_object(gathered, rank)
    assert gathered == [0, 1]


def groups(rank: int) -> None:
    """Groups of each backend, made in every way."""
    both = {
        "nccl": dist.new_group([0, 1], backend="nccl"),
        "NCCL": new_group([0, 1], timedelta(seconds=60), "NCCL"),
        "two": dist.new_group(ranks=[0, 1], backend="cpu:gloo,cuda:nccl"),
    }
    for name, group in both.items():
        value = torch.full((1,), rank + 1.0, device="cuda")
        dist.all_reduce(value, group=group)
        assert value.item() == 3, name
    value = torch.full((1,), rank + 1.0)
    dist.all_reduce(value, group=both["two"])
    assert value.item() == 3
    assert dist.get_backend_config(both["two"]) == "cpu:gloo,musa:mccl"
    own, every = dist.new_subgroups()
    assert dist.get_world_size(own) == 2 and len(every) == 1
    own, every = dist.new_subgroups_by_enumeration([[0], [1]], backend="nccl")
    assert dist.get_rank(own) == 0 and len(every) == 2
    options = dist.ProcessGroupNCCL.Options(is_high_priority_stream=True)
    assert dist.new_group([0, 1], backend="nccl", pg_options=options) is not None


def data_parallel(rank: int) -> None:
    """Gradients are the same on both."""
    torch.manual_seed(0)
    model = nn.parallel.DistributedDataParallel(nn.Linear(4, 2).cuda(rank), device_ids=[rank], output_device=rank)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.cuda.amp.GradScaler()
    for _ in range(2):
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(torch.randn(3, 4, device="cuda") + rank).float().sum()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    weights = [torch.zeros_like(model.module.weight) for _ in range(2)]
    dist.all_gather(weights, model.module.weight.detach())
    assert torch.equal(*weights)


def fully_sharded_1(rank: int) -> None:
    """`FullyShardedDataParallel`, with the device as CUDA code gives it."""
    from torch.distributed.fsdp import FullyShardedDataParallel, ShardingStrategy

    # Those that shard resize storages to nothing, for which the double has no counterpart of CUDA's.
    strategy = ShardingStrategy.NO_SHARD

    for device in (rank, torch.device("cuda", rank), torch.cuda.current_device()):
        # From the CPU they are moved by `.data`, which torch does for a device that it was built for only.
        model = FullyShardedDataParallel(nn.Linear(4, 4).cuda(), device_id=device, sharding_strategy=strategy)
        model(torch.ones(2, 4, device="cuda")).sum().backward()
        assert all(parameter.device == torch.device("cuda", rank) for parameter in model.parameters())


def fully_sharded_2(rank: int) -> None:
    """`fully_shard`, on a mesh and without one; inputs are moved to the device."""
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

    for mesh in (dist.init_device_mesh("cuda", (2,)), None):
        torch.manual_seed(0)
        reference = nn.Linear(4, 4).cuda()
        model = nn.Linear(4, 4).cuda()
        model.load_state_dict(reference.state_dict())
        fully_shard(model, mesh=mesh)
        inputs = torch.ones(2, 4)
        torch.testing.assert_close(model(inputs), reference(inputs.cuda()))
        model(inputs).sum().backward()
        assert model.weight.grad.to_local().device == torch.device("cuda", rank)
    model = fully_shard(nn.Linear(4, 4).cuda(), mp_policy=MixedPrecisionPolicy(param_dtype=torch.bfloat16))
    assert model(torch.ones(2, 4)).dtype == torch.bfloat16


def device_mesh(rank: int) -> None:
    """Tensors that are spread over the devices."""
    from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor, zeros

    mesh = init_device_mesh("cuda", (2,), mesh_dim_names=("all",))
    assert mesh.device_type == "musa" and mesh.get_local_rank() == rank
    assert DeviceMesh(device_type="cuda", mesh=[0, 1]) == DeviceMesh("cuda", torch.arange(2))
    assert DeviceMesh.from_group(dist.group.WORLD, "cuda").device_type == "musa"
    assert dist.device_mesh._get_device_handle("cuda").current_device() == rank
    whole = torch.arange(8.0, device="cuda").view(4, 2)
    spread = distribute_tensor(whole, mesh, [Shard(0)])
    assert spread.to_local().device == torch.device("cuda", rank) and spread.is_cuda
    torch.testing.assert_close((spread * 2).full_tensor(), whole * 2)
    assert zeros(4, 2, device_mesh=mesh, placements=[Replicate()]).to_local().is_cuda
    two = init_device_mesh("cuda", (1, 2), mesh_dim_names=("outer", "inner"))
    assert two["inner"].device_type == "musa" and two["inner"].size() == 2


def checkpoint(rank: int) -> None:
    """A sharded checkpoint, saved and loaded."""
    import tempfile

    import torch.distributed.checkpoint as dcp
    from torch.distributed.tensor import Shard, distribute_tensor

    folder = [tempfile.mkdtemp() if rank == 0 else None]
    dist.broadcast_object_list(folder, 0)
    mesh = dist.init_device_mesh("cuda", (2,))
    saved = {"a": distribute_tensor(torch.arange(4.0, device="cuda"), mesh, [Shard(0)]), "b": torch.ones(2).cuda()}
    dcp.save(saved, checkpoint_id=folder[0])
    loaded = {"a": distribute_tensor(torch.zeros(4, device="cuda"), mesh, [Shard(0)]), "b": torch.zeros(2).cuda()}
    dcp.load(loaded, checkpoint_id=folder[0])
    assert loaded["a"].full_tensor().tolist() == [0, 1, 2, 3] and loaded["b"].tolist() == [1, 1]


def timeouts(rank: int) -> None:
    """What is asked of NCCL's groups only does no harm."""
    dist.distributed_c10d._set_pg_timeout(timedelta(seconds=30), dist.group.WORLD)
    dist.distributed_c10d._add_ephemeral_timeout_for_all_pgs(timedelta(seconds=1))


def main() -> None:
    """Join the other, run the cases."""
    port, rank, cases = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    torch.cuda.set_device(rank)
    init_process_group(
        backend="nccl",
        init_method=f"tcp://127.0.0.1:{port}",
        rank=rank,
        world_size=2,
        device_id=torch.device(f"cuda:{rank}"),
    )
    ranks.serve(cases, lambda case: globals()[case](rank))


if __name__ == "__main__":
    main()
