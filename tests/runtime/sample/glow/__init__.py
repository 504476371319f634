"""A small image classifier that trains on a GPU where there is one."""

from .checkpoint import load_checkpoint, save_checkpoint
from .devices import memory_in_use, pick_device, seed_everything
from .model import Glow
from .trainer import Trainer

__all__ = [
    "Glow",
    "Trainer",
    "load_checkpoint",
    "memory_in_use",
    "pick_device",
    "save_checkpoint",
    "seed_everything",
]
