"""Which device is used, and what is known of it."""

import os
import random

import torch


def pick_device(wanted=None):
    """The device that is asked for, or the first GPU, or the CPU."""
    if wanted is None or wanted == "auto":
        wanted = "cuda:0" if torch.cuda.is_available() else "cpu"
    device = torch.device(wanted)
    if device.type == "cuda":
        torch.cuda.set_device(device.index or 0)
    return device


def seed_everything(seed):
    """Make a run repeatable."""
    random.seed(seed)
    torch.manual_seed(seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(seed)
        torch.backends.cudnn.benchmark = False


def visible_devices():
    """The numbers of the GPUs that this process was given, or None if the variable is not set."""
    listed = os.environ.get("CUDA_VISIBLE_DEVICES")
    return None if listed is None else [int(each) for each in listed.split(",") if each]


def memory_in_use(device):
    """Bytes that tensors take on a GPU; 0 for the CPU, which nobody counts."""
    if device.type != "cuda":
        return 0
    torch.cuda.synchronize(device)
    return torch.cuda.memory_allocated(device)


def describe(device):
    """A line for the log."""
    if not str(device).startswith("cuda"):
        return "no CUDA device: training on the CPU"
    properties = torch.cuda.get_device_properties(device)
    return f"{device}: {torch.cuda.get_device_name(device)}, {properties.total_memory >> 20} MiB"
