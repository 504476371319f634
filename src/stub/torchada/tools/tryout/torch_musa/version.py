"""The version that the stand-in says it has: torch_musa counts as torch does since 2.7."""

import os

import torch

#: TORCH_MUSA_DOUBLE_VERSION is for code that branches on it.
__version__ = os.environ.get("TORCH_MUSA_DOUBLE_VERSION") or torch.__version__.split("+")[0]
