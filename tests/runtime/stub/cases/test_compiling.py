"""Programs that are traced, exported, scripted and recorded."""

from __future__ import annotations

import copy
import io
import pickle

import pytest
import torch
from torch import nn
from torch._dynamo.testing import CompileCounter

FIRST, SECOND = torch.device("musa:0"), torch.device("musa:1")


class Net(nn.Module):
    """A module that says "cuda"."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.layer(x.to("cuda")) + torch.ones(2, device="cuda")
        return y.cuda() if y.is_cuda else y * 0


def test_export() -> None:
    """`torch.export` of a module that says `"cuda"`: the graph says MUSA, is saved, loaded and moved."""
    model = Net().cuda()
    x = torch.ones(1, 2, device="cuda")
    program = torch.export.export(model, (x,))
    assert "cuda" not in program.graph_module.code
    assert torch.equal(program.module()(x), model(x))
    file = io.BytesIO()
    torch.export.save(program, file)
    file.seek(0)
    loaded = torch.export.load(file)
    assert torch.equal(loaded.module()(x), model(x))
    batch = torch.export.Dim("batch")
    dynamic = torch.export.export(model, (torch.ones(3, 2, device="cuda"),), dynamic_shapes={"x": {0: batch}})
    assert dynamic.module()(torch.ones(5, 2, device="cuda")).shape == (5, 2)


def test_export_is_moved() -> None:
    """`move_to_device_pass(program, "cuda:1")` moves an exported program to MUSA."""
    from torch.export.passes import move_to_device_pass

    program = torch.export.export(nn.Linear(2, 2), (torch.ones(1, 2),))
    moved = move_to_device_pass(program, "cuda:1")
    assert moved.state_dict["weight"].device == SECOND
    assert moved.module()(torch.ones(1, 2, device="cuda:1")).device == SECOND


def test_compile() -> None:
    """`torch.compile` with `eager` and `aot_eager`: no graph break, gradients, and the same results."""
    for backend in ("eager", "aot_eager"):
        torch._dynamo.reset()
        model = Net().cuda()
        compiled = torch.compile(model, backend=backend, fullgraph=True)
        x = torch.ones(1, 2, device="cuda", requires_grad=True)
        y = compiled(x)
        y.sum().backward()
        assert torch.equal(y, model(x)) and x.grad.is_cuda and model.layer.weight.grad.is_cuda


def test_compiled_functions_of_devices() -> None:
    """Compiled code that asks for devices: `torch.device`, `current_device`, `is_available`, `module.to(x.device)`."""

    def f(x: torch.Tensor) -> torch.Tensor:
        y = torch.ones(2, device=torch.device("cuda", 1))
        if x.device == torch.device("cuda", 0) and torch.cuda.current_device() == 0 and not torch.cuda.is_available():
            return y.to(x.device) + x
        return x * 0

    torch._dynamo.reset()
    x = torch.ones(2, device="cuda")
    assert torch.compile(f, backend="eager", fullgraph=True)(x).tolist() == f(x).tolist() == [2, 2]
    layer = nn.Linear(2, 2)
    moved = torch.compile(lambda x: layer.to(x.device)(x), backend="eager")
    assert moved(x).device == layer.weight.device == FIRST
    around = torch.compile(lambda x: torch.ones(2) + x, backend="eager", fullgraph=True)
    with torch.device("cuda:1"):
        assert around(x.to("cuda:1")).device == SECOND


def test_compiled_autocast() -> None:
    """A region of `torch.autocast("cuda")` in compiled code, and around it."""

    def f(x: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            return x @ x

    x = torch.eye(2, device="cuda")
    for backend in ("eager", "aot_eager"):
        torch._dynamo.reset()
        assert torch.compile(f, backend=backend, fullgraph=True)(x).dtype == torch.bfloat16
    torch._dynamo.reset()
    with torch.autocast("cuda", dtype=torch.float16):
        assert torch.compile(lambda x: x @ x, backend="aot_eager")(x).dtype == torch.float16


def test_compiled_streams() -> None:
    """Compiled code that uses a stream or an event gives the same result, with graph breaks where it must."""

    def f(x: torch.Tensor) -> torch.Tensor:
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            y = x + 1
        torch.cuda.current_stream().wait_stream(stream)
        torch.cuda.synchronize()
        return y

    torch._dynamo.reset()
    assert torch.compile(f, backend="eager")(torch.ones(2, device="cuda")).tolist() == [2, 2]


def test_compiled_once() -> None:
    """What is compiled for the CPU is compiled anew for MUSA, and for its second device: guards see the device."""
    counter = CompileCounter()
    torch._dynamo.reset()
    f = torch.compile(lambda x: x + torch.ones(2, device=x.device), backend=counter)
    for device in ("cpu", "cuda:0", "cuda:1", "cuda:0"):
        assert f(torch.ones(2, device=device)).device == torch.device(device)
    assert counter.frame_count == 3


def test_script() -> None:
    """TorchScript: `torch.device("cuda")`, `x.cuda()`, `x.is_cuda`, `zeros(device=)`, saved and loaded on a device."""

    def f(x: torch.Tensor) -> torch.Tensor:
        d = torch.device("cuda:1")
        if x.is_cuda:
            return x
        return x.to("cuda:1") + torch.zeros(2, device=d) + torch.ones_like(x, device="cuda:1")

    scripted = torch.jit.script(f)
    assert scripted(torch.ones(2)).device == SECOND and scripted(torch.ones(2)).tolist() == [2, 2]
    file = io.BytesIO()
    torch.jit.save(torch.jit.script(nn.Linear(2, 2)), file)
    for where, device in (("cuda", FIRST), ("cuda:1", SECOND), (torch.device("cuda:1"), SECOND), ("cpu", None)):
        file.seek(0)
        weight = torch.jit.load(file, map_location=where).weight
        assert weight.device == (device or torch.device("cpu"))


def test_script_of_classes() -> None:
    """A scripted module with devices as attribute, argument, default and constant, moved by `cuda()`, and frozen."""

    _SECOND = torch.device("cuda:1")

    class Places(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.device = torch.device("cuda:1")
            self.weight = nn.Parameter(torch.ones(2))

        def forward(self, x: torch.Tensor, device: torch.device = _SECOND) -> torch.Tensor:
            return (x + self.weight).to(self.device) + torch.zeros(2, device=device)

    scripted = torch.jit.script(Places()).cuda()
    x = torch.ones(2, device="cuda")
    assert scripted(x).device == SECOND and scripted.weight.device == FIRST
    assert torch.jit.freeze(scripted.eval())(x).device == SECOND
    assert copy.deepcopy(scripted)(x).device == SECOND


def test_traced() -> None:
    """`torch.jit.trace` of code that makes and moves tensors."""

    def f(x: torch.Tensor) -> torch.Tensor:
        return x.cuda() + torch.ones(2, device="cuda")

    traced = torch.jit.trace(f, (torch.ones(2),))
    assert traced(torch.zeros(2)).device == FIRST and traced(torch.zeros(2)).tolist() == [1, 1]
    assert "cuda" not in str(traced.graph)


def test_symbolic() -> None:
    """`torch.fx`: traced, pickled, printed as code, and `make_fx` of functions that say `"cuda"`."""
    from torch.fx.experimental.proxy_tensor import make_fx

    class Model(nn.Module):
        def forward(self, x):
            return x.to("cuda") + torch.zeros(2, device="cuda") + torch.zeros_like(x, device="cuda").cuda()

    graph = torch.fx.symbolic_trace(Model())
    x = torch.ones(2)
    assert graph(x).tolist() == pickle.loads(pickle.dumps(graph))(x).tolist() == [1, 1]
    made = make_fx(lambda x: x.cuda() + torch.ones(2, device="cuda"))(x)
    assert made(x).is_cuda and "cuda" not in made.code
    fake = make_fx(lambda x: x.cuda() + torch.ones(2, device="cuda"), tracing_mode="fake")(x)
    assert fake(x).device == FIRST


def test_graphs() -> None:
    """A graph is captured and replayed with new inputs; an exception in the capture leaves no capture behind."""
    x = torch.zeros(2, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = x * 2 + 1
    x.fill_(3)
    graph.replay()
    assert y.tolist() == [7, 7]
    with pytest.raises(ZeroDivisionError), torch.cuda.graph(torch.cuda.CUDAGraph()):
        1 / 0  # noqa: B018
    assert not torch.cuda.is_current_stream_capturing()
    with torch.cuda.graph(graph2 := torch.cuda.CUDAGraph(), pool=torch.cuda.graph_pool_handle()):
        z = x + 1
    graph2.replay()
    assert z.tolist() == [4, 4]


def test_operators_of_their_own() -> None:
    """A custom operator with a kernel for `"cuda"`, a fake one and a derivative, compiled and transformed."""

    @torch.library.custom_op("attack::scale", mutates_args=(), device_types="cuda")
    def scale(x: torch.Tensor, by: float) -> torch.Tensor:
        assert x.is_cuda
        return x * by

    @scale.register_fake
    def _(x, by):
        return torch.empty_like(x)

    scale.register_autograd(
        lambda ctx, g: (g * ctx.by, None), setup_context=lambda ctx, inputs, output: setattr(ctx, "by", inputs[1])
    )
    scale.register_vmap(lambda info, in_dims, x, by: (scale(x, by), in_dims[0]))
    x = torch.ones(2, device="cuda", requires_grad=True)
    torch._dynamo.reset()
    torch.compile(lambda x: scale(x, 3.0), backend="aot_eager", fullgraph=True)(x).sum().backward()
    assert x.grad.tolist() == [3, 3]
    assert torch.vmap(lambda x: scale(x, 2.0))(x.detach()).tolist() == [2, 2]
    torch.library.opcheck(scale, (torch.ones(2, device="cuda", requires_grad=True), 2.0))
    with pytest.raises((NotImplementedError, RuntimeError)):
        scale(torch.ones(2), 2.0)
