"""torch.backends, as projects for CUDA set it."""

from __future__ import annotations

import types
from collections.abc import Iterator

import pytest
import torch
from torch.backends import cuda, cudnn


@pytest.fixture(autouse=True)
def settings() -> Iterator[None]:
    before = torch.get_float32_matmul_precision()
    yield
    torch.set_float32_matmul_precision(before)
    cudnn.allow_tf32 = True
    cudnn.benchmark = cudnn.deterministic = False


def test_cuda_is_built() -> None:
    assert cuda.is_built()


@pytest.mark.parametrize("value", [True, False])
def test_one_switch_for_tf32(value: bool) -> None:
    torch.backends.mudnn.allow_tf32 = not value
    cuda.matmul.allow_tf32 = value
    assert cuda.matmul.allow_tf32 is torch.backends.mudnn.allow_tf32 is value
    torch.backends.mudnn.allow_tf32 = not value
    cudnn.allow_tf32 = value
    assert cudnn.allow_tf32 is torch.backends.mudnn.allow_tf32 is value


def test_precision_by_name() -> None:
    torch.set_float32_matmul_precision("highest")
    assert not torch.backends.mudnn.allow_tf32
    torch.set_float32_matmul_precision("high")
    assert torch.backends.mudnn.allow_tf32
    if hasattr(cudnn, "conv"):
        cuda.matmul.fp32_precision = "ieee"
        assert not torch.backends.mudnn.allow_tf32 and cuda.matmul.fp32_precision == "ieee"
        cudnn.conv.fp32_precision = "tf32"
        assert torch.backends.mudnn.allow_tf32
        cudnn.conv.fp32_precision = cuda.matmul.fp32_precision = "none"


def test_a_switch_for_products(monkeypatch: pytest.MonkeyPatch) -> None:
    products = types.SimpleNamespace(allow_tf32=False)
    own = types.SimpleNamespace(matmul=products)
    monkeypatch.setattr(torch.backends, "musa", own, raising=False)
    torch.backends.mudnn.allow_tf32 = False
    cuda.matmul.allow_tf32 = True
    assert products.allow_tf32 and not torch.backends.mudnn.allow_tf32
    torch.set_float32_matmul_precision("highest")
    assert not products.allow_tf32
    cudnn.allow_tf32 = True
    assert torch.backends.mudnn.allow_tf32 and not products.allow_tf32
    if hasattr(cudnn, "conv"):
        torch.backends.fp32_precision = "tf32"
        assert products.allow_tf32
        torch.backends.fp32_precision = "none"


def test_other_switches_of_products() -> None:
    cuda.matmul.allow_fp16_reduced_precision_reduction = False
    assert not cuda.matmul.allow_fp16_reduced_precision_reduction
    cuda.matmul.allow_fp16_reduced_precision_reduction = True
    with pytest.raises(AttributeError):
        cuda.matmul.nothing = 1


def test_cudnn() -> None:
    assert cudnn.is_available() and cudnn.version() == torch.backends.mudnn.version()
    cudnn.enabled = True
    cudnn.benchmark = cudnn.deterministic = True
    assert cudnn.benchmark and cudnn.deterministic
    assert not cudnn.is_acceptable(torch.ones(1, device="cuda"))


def test_flags_of_cudnn() -> None:
    torch.backends.mudnn.allow_tf32 = True
    with cudnn.flags(enabled=False, benchmark=True, allow_tf32=False):
        assert not cudnn.enabled and cudnn.benchmark and not torch.backends.mudnn.allow_tf32
    assert cudnn.enabled and not cudnn.benchmark and torch.backends.mudnn.allow_tf32
    torch.backends.mudnn.allow_tf32 = False
    with cudnn.flags(enabled=True, deterministic=True):
        assert not torch.backends.mudnn.allow_tf32
    assert not torch.backends.mudnn.allow_tf32


def test_scaled_dot_products() -> None:
    q = torch.ones(1, 1, 2, 8, device="cuda")
    for name in ("flash", "mem_efficient", "math", "cudnn"):
        getattr(cuda, f"enable_{name}_sdp")(False)
        assert not getattr(cuda, f"{name}_sdp_enabled")()
        getattr(cuda, f"enable_{name}_sdp")(True)
    with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
        assert torch.nn.functional.scaled_dot_product_attention(q, q, q).is_cuda


def test_libraries() -> None:
    before = cuda.preferred_linalg_library()
    cuda.preferred_linalg_library("cusolver")
    cuda.preferred_linalg_library(before)
    cuda.preferred_blas_library("cublas")


def test_the_cache_of_plans() -> None:
    with pytest.raises(NotImplementedError, match="cufft_plan_cache"):
        cuda.cufft_plan_cache.clear()
    with pytest.raises(NotImplementedError, match="cufft_plan_cache"):
        cuda.cufft_plan_cache[0].max_size = 10
