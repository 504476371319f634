"""Registering operators for CUDA, and calling them with tensors on the GPU."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Optional

import pytest
import torch
import torchada
from torch import Tensor
from torch.library import Library, custom_op

_NAMES = itertools.count()


@pytest.fixture
def library() -> Iterator[Library]:
    made = Library(f"stub_dispatch_{next(_NAMES)}", "DEF")
    yield made
    made._destroy()


def _operator(library: Library, name: str = "f") -> object:
    return getattr(getattr(torch.ops, library.ns), name)


X = torch.arange(3.0)


@pytest.mark.parametrize("by_name", [False, True])
def test_impl(library: Library, by_name: bool) -> None:
    library.define("f(Tensor x) -> Tensor")
    library.impl("f", lambda x: x + 1, "CPU")
    if by_name:
        library.impl("f", fn=lambda x: x * 2, dispatch_key="CUDA")
    else:
        library.impl("f", lambda x: x * 2, "CUDA")
    assert _operator(library)(X.cuda()).tolist() == [0, 2, 4]
    assert _operator(library)(X).tolist() == [1, 2, 3]


def test_a_library_for_cuda(library: Library) -> None:
    library.define("f(Tensor x) -> Tensor")
    for_cuda = Library(library.ns, "IMPL", "CUDA")
    for_cuda.impl("f", lambda x: x * 2)
    assert _operator(library)(X.cuda()).is_cuda
    for_cuda._destroy()


def test_autograd_key_with_the_keys(library: Library) -> None:
    library.define("f(Tensor x) -> Tensor")
    library.impl("f", lambda x: x * 2, "CUDA")
    seen = []

    def above(keys: torch._C.DispatchKeySet, x: Tensor) -> Tensor:
        seen.append(keys)
        with torch._C._AutoDispatchBelowAutograd():
            return _operator(library).default.redispatch(keys & torch._C._after_autograd_keyset, x)

    library.impl("f", above, "AutogradCUDA", with_keyset=True)
    assert _operator(library)(X.cuda()).tolist() == [0, 2, 4]
    assert len(seen) == 1


def test_decorators_of_torch_library() -> None:
    name = f"stub_dispatch_{next(_NAMES)}::f"
    torch.library.define(name, "(Tensor x) -> Tensor")

    @torch.library.impl(name, "cuda")
    def on_cuda(x: Tensor) -> Tensor:
        return x * 3

    @torch.library.register_kernel(name, "cpu")
    def on_cpu(x: Tensor) -> Tensor:
        return x

    @torch.library.register_fake(name)
    def fake(x: Tensor) -> Tensor:
        return torch.empty_like(x)

    namespace, _, operator = name.partition("::")
    call = getattr(getattr(torch.ops, namespace), operator)
    assert call(X.to("cuda")).tolist() == [0, 3, 6]
    assert call(X).tolist() == [0, 1, 2]
    assert torch.compile(lambda x: call(x) + 1, backend="aot_eager", fullgraph=True)(X.cuda()).tolist() == [1, 4, 7]


def test_a_custom_operator_for_cuda_only() -> None:
    @custom_op(f"stub_dispatch_{next(_NAMES)}::f", mutates_args=(), device_types="cuda")
    def double(x: Tensor) -> Tensor:
        return x * 2

    assert double(X.cuda()).tolist() == [0, 2, 4]
    with pytest.raises(NotImplementedError):
        double(X)


def test_a_custom_operator_with_two_kernels_autograd_and_a_switch() -> None:
    @custom_op(f"stub_dispatch_{next(_NAMES)}::f", mutates_args=(), device_types="cpu")
    def square(x: Tensor) -> Tensor:
        return x * x

    @square.register_kernel("cuda")
    def square_cuda(x: Tensor) -> Tensor:
        return x * x + 100

    square.register_autograd(
        lambda ctx, gradient: gradient * 2 * ctx.saved_tensors[0],
        setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs),
    )
    x = X.cuda().requires_grad_()
    y = square(x)
    assert y.tolist() == [100, 101, 104]
    y.sum().backward()
    assert x.grad.tolist() == [0, 2, 4] and x.grad.is_cuda
    assert square(X).tolist() == [0, 1, 4]


def test_a_device_in_a_schema() -> None:
    def make(x: Tensor, device: torch.device, other: Optional[torch.device] = None) -> Tensor:  # noqa: UP045
        return x.to(device)

    schema = torch.library.infer_schema(make, mutates_args=())
    assert schema == "(Tensor x, Device device, Device? other=None) -> Tensor"
    operator = custom_op(f"stub_dispatch_{next(_NAMES)}::f", mutates_args=())(make)
    assert operator(X, torch.device("cuda:1")).device == torch.device("cuda:1")


@pytest.mark.parametrize("custom", [True, False])
def test_register_autocast(custom: bool) -> None:
    name = f"stub_dispatch_{next(_NAMES)}::f"
    if custom:
        call = custom_op(name, mutates_args=())(lambda_with_types)
        call.register_autocast("cuda", torch.float16)
    else:
        torch.library.define(name, "(Tensor x) -> Tensor")
        torch.library.impl(name, "CompositeExplicitAutograd", lambda x: x * 2)
        torch.library.register_autocast(name, "cuda", torch.float16)
        namespace, _, operator = name.partition("::")
        call = getattr(getattr(torch.ops, namespace), operator)
    x = X.cuda()
    with torch.autocast("cuda", dtype=torch.float16):
        assert call(x).dtype == torch.float16
        assert call(X).dtype == torch.float32
    assert call(x).dtype == torch.float32


def lambda_with_types(x: Tensor) -> Tensor:
    return x * 2


def test_python_kernels(library: Library) -> None:
    library.define("f(Tensor x) -> Tensor")
    overload = _operator(library).default
    overload.py_impl(torch._C.DispatchKey.CUDA)(lambda x: x * 5)
    assert torch._C.DispatchKey.PrivateUse1 in overload.py_kernels


def test_other_keys_stay(library: Library) -> None:
    library.define("f(Tensor x) -> Tensor")
    library.impl("f", lambda x: x * 2, "CompositeExplicitAutograd")
    assert _operator(library)(X).tolist() == [0, 2, 4]
    with pytest.raises(RuntimeError):
        library.impl("f", lambda x: x, "NoSuchKey")


def test_what_compilers_import() -> None:
    from torch._C import _cuda_getCurrentRawStream, _storage_Use_Count

    assert _cuda_getCurrentRawStream(0) == torch.cuda.current_stream(0).cuda_stream
    storage = X.untyped_storage()
    assert _storage_Use_Count(storage._cdata) >= 1
    assert not torch.cuda.is_available()


def test_unpatch() -> None:
    before = Library.impl
    assert hasattr(torch._C, "_cuda_getCurrentRawStream")
    torchada.unpatch()
    try:
        assert Library.impl is not before
        assert not hasattr(torch._C, "_cuda_getCurrentRawStream")
        made = Library(f"stub_dispatch_{next(_NAMES)}", "DEF")
        made.define("f(Tensor x) -> Tensor")
        made.impl("f", lambda x: x, "CUDA")
        with pytest.raises(NotImplementedError):
            _operator(made)(X.to("musa"))
        made._destroy()
    finally:
        torchada.apply_patches()
