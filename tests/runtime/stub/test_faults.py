"""Remedies for operators of torch_musa's: they give what torch gives, and stand only where a release needs them."""

from __future__ import annotations

import os

import pytest
import torch
import torchada
import warm
from torchada import _versions
from torchada.patches import faults

SPECIAL = (0.0, -0.0, 1.5, -2.25, float("inf"), float("-inf"), float("nan"))


def used(operator: str) -> bool:
    return f"aten::{operator} " in str(torchada.report())


def test_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch_musa

    for found, older in (
        ("2.11.0.post1+musa5.2.0", True),
        ("2.7.1", True),
        ("2.11.0.post2+musa5.2.0", False),
        ("2.13.0", False),
        ("of my own", True),
        (None, True),
    ):
        monkeypatch.setattr(torch_musa, "__version__", found)
        assert _versions.torch_musa_before("2.11.0.post2") is older, found


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64])
def test_isfinite(dtype: torch.dtype) -> None:
    x = torch.tensor(SPECIAL, dtype=dtype)
    assert torch.equal(torch.isfinite(x.cuda()).cpu(), torch.isfinite(x))
    assert used("isfinite")


def test_isfinite_of_others() -> None:
    for x in (torch.arange(3), torch.tensor([True]), torch.empty(0), torch.tensor(1.0).to(torch.float8_e5m2)):
        assert torch.isfinite(x.cuda()).all() and torch.isfinite(x.cuda()).shape == x.shape
    x = torch.tensor(SPECIAL, device="cuda", requires_grad=True)
    assert not x.isfinite().requires_grad
    compiled = torch.compile(lambda x: torch.isfinite(x).sum() + x[0], backend="aot_eager", fullgraph=True)
    assert compiled(x).item() == 4


@pytest.mark.skipif(not _versions.torch_musa_before("2.11.0.post2"), reason="this torch_musa is newer")
def test_what_older_releases_need() -> None:
    x = torch.tensor([1.0, 4.0], dtype=torch.float64, device="cuda")
    assert torch.equal(x.log_().cpu(), torch.tensor([1.0, 4.0], dtype=torch.float64).log()) and used("log_")
    with pytest.raises(RuntimeError, match="can't be cast"):
        torch.ones(2, dtype=torch.int64, device="cuda").log_()
    probabilities = torch.tensor([[0.0, 1.0, 0.0], [0.0, 0.0, 2.0]], device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        sample = torch.multinomial(probabilities, 1)
    probabilities.copy_(probabilities.flip(0))
    graph.replay()
    assert sample.tolist() == [[2], [1]]
    with pytest.raises(RuntimeError):
        torch.multinomial(-probabilities, 1)


PRODUCT = """
import torch, torchada
a, b = torch.randn(2, 3, 5).cuda().bfloat16(), torch.randn(2, 5, 4).cuda().bfloat16()
exact = a.float() @ b.float()
assert torch.equal(torch.bmm(a, b, out_dtype=torch.float32), exact)
assert torch.equal(torch.mm(a[0], b[0], torch.float32), exact[0])
out = torch.empty(3, 4, device="cuda")
assert torch.mm(a[0], b[0], out_dtype=torch.float32, out=out) is out and torch.equal(out, exact[0])
assert torch.mm(a[0], b[0], out_dtype=torch.bfloat16).dtype is torch.bfloat16
for wrong in (torch.float16, torch.float64):
    try:
        torch.mm(a[0], b[0], out_dtype=wrong)
    except RuntimeError as error:
        assert "out_dtype" in str(error)
    else:
        raise AssertionError(wrong)
"""


@pytest.mark.skipif(not hasattr(torch.ops.aten.mm, "dtype"), reason="this torch has no out_dtype")
def test_products_in_another_dtype() -> None:
    environment = {**os.environ, "TORCH_MUSA_DOUBLE_VERSION": "2.11.0.post1+musa5.2.0"}
    done = warm.run(["-c", PRODUCT], env=environment)
    assert done.returncode == 0, done.stderr


def test_a_kernel_can_be_left_to_torch_musa(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHADA_DISABLE_OP_OVERRIDE_isfinite", "1")
    journal = faults.Journal()
    torchada.unpatch()
    faults.isfinite(journal)
    assert not torch._C._dispatch_has_kernel_for_dispatch_key("aten::isfinite", "PrivateUse1")
    journal.roll_back()
    monkeypatch.undo()
    torchada.apply_patches()
    assert torch._C._dispatch_has_kernel_for_dispatch_key("aten::isfinite", "PrivateUse1")


@pytest.mark.parametrize("is_neox", [True, False])
def test_rotary_embedding(is_neox: bool) -> None:
    query = torch.randn(3, 2, 12, device="cuda", dtype=torch.float16)
    key = torch.randn(3, 1, 12, device="cuda", dtype=torch.float32)
    before, pointer = query.clone(), query.data_ptr()
    angles = torch.tensor([0.0, 1.0, 2.0, 3.0], device="cuda").outer(torch.arange(1.0, 5.0, device="cuda"))
    cache = torch.cat((angles.cos(), angles.sin()), dim=-1)
    positions = torch.tensor([0, 3, 1], device="cuda", dtype=torch.int32)
    torchada.apply_rope_inplace(query, key, cache, positions, is_neox=is_neox)
    first = before[..., :4] if is_neox else before[..., 0:8:2]
    second = before[..., 4:8] if is_neox else before[..., 1:8:2]
    turned = torch.complex(first.float(), second.float()) * torch.polar(torch.ones_like(angles), angles)[
        positions
    ].unsqueeze(1)
    found = (query[..., :4], query[..., 4:8]) if is_neox else (query[..., 0:8:2], query[..., 1:8:2])
    torch.testing.assert_close(torch.complex(*(part.float() for part in found)), turned, rtol=2e-3, atol=2e-3)
    assert query.data_ptr() == pointer and torch.equal(query[..., 8:], before[..., 8:])
    with pytest.raises(RuntimeError, match="one value per token"):
        torchada.apply_rope_inplace(query, key, cache, positions[:2], is_neox=is_neox)
