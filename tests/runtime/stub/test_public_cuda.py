"""`torchada.cuda`, the platform's torch.cuda."""

from __future__ import annotations

import os

import pytest
import torch
import torchada.cuda
import warm


def test_on_musa() -> None:
    from torchada.cuda import Stream, amp, device_count, nvtx, random

    assert torchada.cuda.is_available() and device_count() == torch.musa.device_count()
    assert isinstance(Stream(), torch.musa.Stream)
    assert torchada.cuda.get_device_properties().name == torchada.cuda.get_device_name()
    assert torchada.cuda.memory_cached() == torchada.cuda.memory_reserved()
    with amp.autocast(dtype=torch.bfloat16):
        assert torch.is_autocast_enabled("cuda")
    assert amp.GradScaler().is_enabled()
    random.manual_seed(5)
    assert random.initial_seed() == 5
    assert nvtx.range_push("a") == 0
    nvtx.range_pop()
    assert not hasattr(torchada.cuda, "nothing")
    assert {"amp", "Stream"} <= set(dir(torchada.cuda))


@pytest.mark.parametrize(
    ("platform", "expected"), [("cpu", "False False 0"), ("cuda", "False False 0"), ("musa", "True True 2")]
)
def test_without_patches(platform: str, expected: str) -> None:
    program = (
        "import sys, torchada.cuda, torchada.cuda.amp, torchada.cuda.nvtx, torchada.cuda.random\n"
        "early = 'torch' in sys.modules\n"
        "torchada.unpatch()\n"
        "from torchada.cuda import Stream\n"
        "if torchada.is_cpu_platform():\n"
        "    with torchada.cuda.nvtx.range('a'): torchada.cuda.nvtx.range_push('b')\n"
        "print(early, torchada.cuda.is_available(), torchada.cuda.device_count())\n"
    )
    result = warm.run(
        ["-W", "ignore", "-c", program],
        env={**os.environ, "TORCHADA_PLATFORM": platform, "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"},
    )
    assert result.stdout.strip() == expected, result.stderr
