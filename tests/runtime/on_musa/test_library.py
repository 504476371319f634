"""torch.library: kernels for the device."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from torch.library import Library


@pytest.fixture
def library() -> Iterator[Library]:
    """A namespace of its own, gone after the test."""
    with torch.library._scoped_library("double_test", "FRAGMENT") as scoped:
        yield scoped


def test_impl(library: Library, musa: torch.device) -> None:
    library.define("plus(Tensor x) -> Tensor")
    library.impl("plus", lambda x: x + 1, "PrivateUse1")
    library.impl("plus", lambda x: x - 1, "CPU")
    assert torch.ops.double_test.plus(torch.zeros(2, device=musa)).tolist() == [1, 1]
    assert torch.ops.double_test.plus(torch.zeros(2)).tolist() == [-1, -1]


def test_autograd_key(library: Library, musa: torch.device) -> None:
    library.define("seen(Tensor x) -> Tensor")
    calls = []

    def above(x: torch.Tensor) -> torch.Tensor:
        calls.append("autograd")
        with torch._C._AutoDispatchBelowAutograd():
            return torch.ops.double_test.seen(x)

    library.impl("seen", above, "AutogradPrivateUse1")
    library.impl("seen", lambda x: x.clone(), "PrivateUse1")
    torch.ops.double_test.seen(torch.ones(1, device=musa, requires_grad=True))
    assert calls == ["autograd"]


def test_overriding_an_operator_of_torch(musa: torch.device) -> None:
    with torch.library._scoped_library("aten", "IMPL") as aten:
        aten.impl("erfinv", lambda x: x * 100, "PrivateUse1")
        assert torch.erfinv(torch.ones(1, device=musa)).item() == 100
    assert torch.erfinv(torch.zeros(1, device=musa)).item() == 0


def test_custom_op(musa: torch.device) -> None:
    @torch.library.custom_op("double_test::twice", mutates_args=(), device_types="musa")
    def twice(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    @twice.register_fake
    def _(x: torch.Tensor) -> torch.Tensor:
        return torch.empty_like(x)

    twice.register_autograd(lambda ctx, gradient: gradient * 2)
    x = torch.ones(1, device=musa, requires_grad=True)
    twice(x).sum().backward()
    assert (twice(x).item(), x.grad.item()) == (2, 2)
    with pytest.raises(NotImplementedError):
        twice(torch.ones(1))
    torch.library.register_kernel("double_test::twice", "cpu")(lambda x: x * 3)
    assert twice(torch.ones(1)).item() == 3
    compiled = torch.compile(lambda y: twice(y) + 1, backend="aot_eager", fullgraph=True)
    assert compiled(torch.ones(1, device=musa)).item() == 3


def test_fallback(musa: torch.device) -> None:
    before = torch.musa._MUSAC._double_fallback_calls()
    torch.ones(2, device=musa).cos()
    assert torch.musa._MUSAC._double_fallback_calls() > before
