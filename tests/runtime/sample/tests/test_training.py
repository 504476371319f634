import pytest
import torch
from glow import Glow, Trainer, load_checkpoint, save_checkpoint, seed_everything
from glow.checkpoint import load_from_gpu
from glow.data import Prefetcher, batches
from glow.profiling import busiest, profiled


def test_training_learns(device):
    seed_everything(0)
    trainer = Trainer(Glow(), device)
    loader = batches(device)
    losses = [trainer.epoch(loader)[0] for _ in range(6)]
    assert losses[-1] < losses[0] * 0.9
    assert trainer.model.on_gpu == (device.type == "cuda")


@pytest.mark.parametrize("amp", [True, False])
def test_mixed_precision_is_for_gpus(device, amp):
    trainer = Trainer(Glow(), device, amp=amp)
    assert trainer.scaler.is_enabled() == (amp and device.type != "cpu")
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=trainer.amp):
        assert torch.is_autocast_enabled(device.type) == trainer.amp


def test_batches_are_pinned_and_copied(gpu_device):
    points, labels = next(iter(batches(gpu_device)))
    assert points.is_pinned()
    points, labels = next(iter(Prefetcher(batches(gpu_device), gpu_device)))
    assert points.device == labels.device == gpu_device
    assert isinstance(points, torch.cuda.FloatTensor)


def test_epochs_take_time(device):
    _, seconds = Trainer(Glow(), device).epoch(batches(device))
    assert seconds > 0


def test_a_checkpoint_is_read_on_every_device(tmp_path, device):
    path = tmp_path / "glow.pt"
    model = Glow().to(device)
    save_checkpoint(path, model, 3)
    again = Glow()
    assert load_checkpoint(path, again, torch.device("cpu")) == 3
    assert not again.on_gpu
    assert torch.equal(again.first.weight, model.first.weight.cpu())
    assert load_checkpoint(path, Glow()) == 3


def test_a_checkpoint_goes_to_another_gpu(tmp_path, gpu_device):
    path = tmp_path / "glow.pt"
    save_checkpoint(path, Glow().cuda(), 1)
    state = load_from_gpu(path, rank=1)
    assert state["model"]["scale"].device == torch.device("cuda:1")
    assert torch.load(path, map_location="cpu")["model"]["scale"].device.type == "cpu"


def test_a_profile_has_the_layers(device):
    trainer = Trainer(Glow(), device)
    loader = batches(device)
    found = profiled(lambda: trainer.epoch(loader), device)
    assert "aten::linear" in {event.key for event in found.key_averages()}
    assert "aten::" in busiest(found, device)
