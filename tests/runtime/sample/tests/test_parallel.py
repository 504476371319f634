import json

import pytest
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from glow import Glow, Trainer, pick_device, seed_everything
from glow.data import batches
from glow.parallel import join, mean, uses_nccl, wrap

# Gloo's destructor waits for a thread that may need Python's lock just then, and holds the lock: no group is destroyed
# before its process ends.
left = []


def leave():
    left.append(dist.group.WORLD)
    dist.destroy_process_group()


@pytest.fixture
def group(tmp_path, device):
    join(0, 1, tmp_path / "store", device)
    yield device
    leave()


def test_a_group_of_one(group):
    assert uses_nccl() == (group.type == "cuda")
    assert mean(3.0, group) == 3.0


def test_a_wrapped_model_trains(group):
    seed_everything(0)
    trainer = Trainer(wrap(Glow(), group), group)
    loader = batches(group)
    losses = [trainer.epoch(loader)[0] for _ in range(4)]
    assert losses[-1] < losses[0]


def work(rank, folder):
    device = pick_device(f"cuda:{rank}")
    join(rank, 2, folder / "store", device)
    (folder / f"{rank}.json").write_text(json.dumps([mean(float(rank), device), device.type]))
    leave()


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two CUDA devices")
def test_two_processes_agree(tmp_path):
    mp.spawn(work, args=(tmp_path,), nprocs=2)
    first, second = (json.loads((tmp_path / f"{rank}.json").read_text()) for rank in range(2))
    assert first == second == [0.5, torch.device("cuda").type]
