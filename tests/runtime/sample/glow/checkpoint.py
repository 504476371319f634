"""Saving and loading."""

import torch


def save_checkpoint(path, model, epoch):
    """Write the weights and how many epochs they have seen."""
    torch.save({"model": model.state_dict(), "epoch": epoch}, path)


def load_checkpoint(path, model, device=None):
    """Read what `save_checkpoint` wrote, whatever device it was written on; how many epochs it has seen."""
    if device is None:
        device = torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")
    state = torch.load(path, map_location=device, weights_only=True)
    model.load_state_dict(state["model"])
    return state["epoch"]


def load_from_gpu(path, rank=0):
    """What was written on the first GPU, on the one of a rank."""
    return torch.load(path, map_location={"cuda:0": f"cuda:{rank}"}, weights_only=True)
