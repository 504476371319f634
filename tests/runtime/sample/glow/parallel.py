"""Several processes that train one model."""

import datetime

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def backend_for(device):
    """NCCL between GPUs, Gloo between processors."""
    return "nccl" if device.type == "cuda" else "gloo"


def join(rank, world_size, store, device):
    """Become a part of the group."""
    dist.init_process_group(
        backend=backend_for(device),
        init_method=f"file://{store}",
        rank=rank,
        world_size=world_size,
        timeout=datetime.timedelta(seconds=60),
    )


def wrap(model, device):
    """A model whose gradients are averaged over the group."""
    model = model.to(device)
    if device.type == "cuda":
        return DistributedDataParallel(model, device_ids=[device.index], output_device=device.index)
    return DistributedDataParallel(model)


def mean(value, device):
    """The mean of a number over the group."""
    total = torch.tensor([value], device=device)
    dist.all_reduce(total)
    return (total / dist.get_world_size()).item()


def uses_nccl():
    """Does the group that this process is in talk over NCCL?"""
    return dist.is_initialized() and dist.get_backend() == "nccl"
