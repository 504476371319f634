"""Transforms and modes: `torch.func`, forward derivatives, subclasses, fake tensors, modes of functions."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map

FIRST, SECOND = torch.device("musa:0"), torch.device("musa:1")


def test_vmap() -> None:
    """`vmap` over functions that make and move tensors: factories, `cuda()`, random numbers."""
    x = torch.arange(6.0, device="cuda").view(3, 2)
    assert torch.vmap(lambda row: row * torch.ones(2, device="cuda"))(x).tolist() == x.tolist()
    assert torch.vmap(lambda row: row.cpu().cuda() + torch.zeros_like(row, device="cuda"))(x).is_cuda
    assert torch.vmap(lambda row: row.to("cuda:1"))(x).device == SECOND
    assert torch.vmap(lambda row: row.new_ones(2, device="cuda") + row)(x).is_cuda
    made = torch.vmap(lambda row: row + torch.rand(2, device="cuda"), randomness="different")(x * 0)
    assert made.is_cuda and not torch.equal(made[0], made[1])


def test_gradients_by_functions() -> None:
    """`torch.func`: `grad`, `vjp`, `jacrev`, `jacfwd`, `hessian`, `functional_call` and ensembles on MUSA."""
    from torch import func

    x = torch.ones(3, device="cuda")
    assert func.grad(lambda x: (x**2 * torch.ones(3, device="cuda")).sum())(x).tolist() == [2, 2, 2]
    assert torch.equal(func.jacrev(torch.sin)(x), func.jacfwd(torch.sin)(x))
    assert func.hessian(lambda x: (x**3).sum())(x).diagonal().tolist() == [6, 6, 6]
    out, back = func.vjp(lambda x: x.cuda() * 2, x)
    assert back(out)[0].is_cuda
    models = [nn.Linear(3, 2).cuda() for _ in range(2)]
    params, buffers = func.stack_module_state(models)
    base = nn.Linear(3, 2, device="meta")
    both = torch.vmap(lambda p, b, x: func.functional_call(base, (p, b), (x,)), in_dims=(0, 0, None))(
        params, buffers, x
    )
    assert both.is_cuda and both.shape == (2, 2)


def test_forward_derivatives() -> None:
    """Forward-mode derivatives go through `cuda()`, `to("cuda:1")` and factories on MUSA."""
    import torch.autograd.forward_ad as forward

    with forward.dual_level():
        x = forward.make_dual(torch.ones(2), torch.full((2,), 3.0))
        value, tangent = forward.unpack_dual((x.cuda() * torch.full((2,), 2.0, device="cuda")).to("cuda:1"))
        assert value.device == tangent.device == SECOND and tangent.tolist() == [6, 6]
    assert torch.func.jvp(lambda x: x.to("cuda") ** 2, (torch.ones(1),), (torch.ones(1),))[1].tolist() == [2]


def test_subclasses() -> None:
    """Subclasses of `Tensor`, with `__torch_function__` and with `__torch_dispatch__`, keep their class on MUSA."""

    class Plain(torch.Tensor):
        pass

    class Wrapper(torch.Tensor):
        @staticmethod
        def __new__(cls, inner):
            return torch.Tensor._make_wrapper_subclass(
                cls, inner.shape, dtype=inner.dtype, device=inner.device, requires_grad=inner.requires_grad
            )

        def __init__(self, inner):
            self.inner = inner

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            take = lambda x: x.inner if isinstance(x, cls) else x  # noqa: E731
            give = lambda x: cls(x) if isinstance(x, torch.Tensor) else x  # noqa: E731
            return tree_map(give, func(*tree_map(take, args), **tree_map(take, kwargs or {})))

    x = torch.ones(2).as_subclass(Plain)
    for moved in (
        x.cuda(),
        x.to("cuda"),
        x.cuda() * 2,
        torch.zeros_like(x, device="cuda"),
        x.new_ones(1, device="cuda"),
    ):
        assert type(moved) is Plain and moved.is_cuda
    w = Wrapper(torch.ones(2))
    for moved in (
        w.to("cuda"),
        w.cuda(),
        Wrapper(torch.ones(2, device="cuda")) * 2,
        torch.zeros_like(w, device="cuda"),
    ):
        assert type(moved) is Wrapper and moved.device == moved.inner.device == FIRST and moved.is_cuda
    p = nn.Parameter(Wrapper(torch.ones(2, device="cuda")))
    assert p.is_cuda and isinstance(p.detach(), Wrapper)


def test_function_modes() -> None:
    """A `TorchFunctionMode` gets the functions that the program names: `func is torch.zeros`, `torch.Tensor.cuda`."""
    seen = []

    class Mode(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            seen.append(func)
            return func(*args, **(kwargs or {}))

    with Mode():
        x = torch.zeros(2, device="cuda")
        y = torch.ones(1).cuda()
        z = torch.ones(1).to("cuda:1")
        torch.zeros_like(x, device="cuda:1")
    assert x.device == y.device == FIRST and z.device == SECOND
    for func in (torch.zeros, torch.Tensor.cuda, torch.Tensor.to, torch.zeros_like):
        assert func in seen

    class Redirects(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            kwargs = dict(kwargs or {})
            if func in (torch.empty, torch.ones):
                kwargs["device"] = "cuda:1"
            return func(*args, **kwargs)

    with Redirects():
        assert torch.ones(1).device == torch.empty(1).device == SECOND
    with torch._C.DisableTorchFunction():
        assert torch.ones(1, device="cuda").to("cuda:1").device == SECOND
    with torch.overrides.BaseTorchFunctionMode():
        assert torch.ones(1, device="cuda:1").device == SECOND


def test_dispatch_modes() -> None:
    """A `TorchDispatchMode` sees MUSA's devices in the arguments of operators, none of CUDA's."""
    devices = []

    class Mode(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            devices.extend(str(x) for x in (*args, *(kwargs or {}).values()) if isinstance(x, torch.device))
            return func(*args, **(kwargs or {}))

    with Mode():
        torch.empty(1, device="cuda")
        torch.ones(1).cuda()
        torch.ones(1).to("cuda:1")
        torch.zeros_like(torch.ones(1), device="cuda")
    assert devices and not [each for each in devices if "cuda" in each]


def test_fake_tensors() -> None:
    """In `FakeTensorMode`, what is made or moved is on MUSA, and nothing is allocated."""
    before = torch.cuda.memory_allocated()
    with FakeTensorMode() as mode:
        made = [
            torch.empty(1 << 20, device="cuda"),
            torch.ones(2).cuda(),
            torch.ones(2).to("cuda"),
            torch.zeros_like(torch.ones(2), device="cuda"),
            mode.from_tensor(torch.ones(2, device="cuda")),
            nn.Linear(2, 2, device="cuda")(torch.ones(1, 2, device="cuda")),
            nn.Linear(2, 2, device="cuda").weight,
            torch.tensor([1.0], device="cuda"),
        ]
        assert {each.device for each in made} == {FIRST} and all(each.is_cuda for each in made)
        with pytest.raises(RuntimeError):
            torch.ones(2, device="cuda") + torch.ones(2)
    assert torch.cuda.memory_allocated() <= before + 4096


def test_meta() -> None:
    """`meta` tensors: `to_empty(device="cuda")`, `init` on the device, and no silent move of what has no data."""
    with torch.device("meta"):
        model = nn.Linear(2, 2)
    with pytest.raises(NotImplementedError):
        model.cuda()
    assert model.to_empty(device="cuda").weight.device == FIRST
    assert torch.empty_like(torch.empty(2, device="meta"), device="cuda").is_cuda
    model = nn.Linear(2, 2, device="meta")
    model.load_state_dict(nn.Linear(2, 2).cuda().state_dict(), assign=True)
    assert model.weight.is_cuda


def test_inference_mode() -> None:
    """`no_grad`, `inference_mode` and `enable_grad` around moves; an inference tensor stays one."""
    with torch.inference_mode():
        x = torch.ones(1).cuda()
        assert x.is_inference() and x.to("cuda:1").is_inference()
    with torch.no_grad():
        p = nn.Linear(1, 1).cuda()
        assert p.weight.requires_grad and not p(torch.ones(1, device="cuda")).requires_grad
    with pytest.raises(RuntimeError):
        (x * nn.Parameter(torch.ones(1, device="cuda"))).sum().backward()


def test_swapped_parameters() -> None:
    """With `torch.__future__.set_swap_module_params_on_conversion`, and overwriting ones, modules move to MUSA."""
    for switch in ("swap", "overwrite"):
        set_ = getattr(torch.__future__, f"set_{switch}_module_params_on_conversion")
        set_(True)
        try:
            model = nn.Linear(2, 2)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            model.cuda()
            assert model.weight.is_cuda
            if switch == "swap":
                assert optimizer.param_groups[0]["params"][0] is model.weight
        finally:
            set_(False)


def test_custom_functions() -> None:
    """`autograd.Function` with `save_for_backward`, `setup_context`, `vmap`, and `gradcheck` on MUSA."""

    class Square(torch.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x):
            return x * x

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(inputs[0])

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            assert x.is_cuda and grad.is_cuda
            return grad * 2 * x

    x = torch.randn(3, device="cuda", dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(Square.apply, x)
    assert torch.vmap(Square.apply)(x).is_cuda
    assert torch.autograd.functional.jacobian(Square.apply, x).is_cuda
