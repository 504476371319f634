"""What the tests share."""

import sys
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")


@pytest.fixture(params=["cpu", pytest.param("cuda", marks=gpu)])
def device(request):
    """Every device that there is."""
    return torch.device(request.param, 0) if request.param == "cuda" else torch.device(request.param)


@pytest.fixture
def gpu_device():
    """A GPU, or the test is skipped."""
    if not torch.cuda.is_available():
        pytest.skip("needs a CUDA device")
    torch.cuda.empty_cache()
    return torch.device("cuda", torch.cuda.current_device())
