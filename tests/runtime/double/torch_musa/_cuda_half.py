"""Torch for MUSA is a build without CUDA; the wheel under the double is one with it."""

import torch


def hide() -> None:
    """Take away what only a build with CUDA has."""
    for name in [name for name in vars(torch._C) if name.startswith("_cuda_")]:
        delattr(torch._C, name)
    torch._C._has_cuda = False
    torch.version.cuda = None
