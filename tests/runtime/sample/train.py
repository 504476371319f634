#!/usr/bin/env python3
"""Train the classifier: `train.py --device cuda --epochs 5 --checkpoint glow.pt`."""

import argparse

import torch

from glow import Glow, Trainer, memory_in_use, pick_device, save_checkpoint, seed_everything
from glow.data import batches
from glow.devices import describe, visible_devices
from glow.profiling import busiest, profiled


def main(arguments=None):
    """The command line."""
    parser = argparse.ArgumentParser(description="Train the classifier on CUDA or the CPU.")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu", help="cuda, cuda:1 or cpu")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--no-amp", dest="amp", action="store_false")
    parser.add_argument("--checkpoint")
    parser.add_argument("--profile", action="store_true")
    chosen = parser.parse_args(arguments)

    seed_everything(0)
    device = pick_device(chosen.device)
    print(describe(device), "of", torch.cuda.device_count(), "visible:", visible_devices())
    trainer = Trainer(Glow(), device, amp=chosen.amp)
    loader = batches(device)
    if chosen.profile:
        print(busiest(profiled(lambda: trainer.epoch(loader), device), device))
    for epoch in range(chosen.epochs):
        loss, _ = trainer.epoch(loader)
        print(f"epoch {epoch}: loss {loss:.4f}, {memory_in_use(device)} bytes on {device}")
    if chosen.checkpoint:
        save_checkpoint(chosen.checkpoint, trainer.model, chosen.epochs)
    print("trained on the " + ("CPU" if device.type == "cpu" else "GPU"))


if __name__ == "__main__":
    main()
