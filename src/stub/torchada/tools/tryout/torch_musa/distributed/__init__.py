"""The process group "mccl"."""

import torch

if torch.distributed.is_available():
    from . import process_group as process_group
