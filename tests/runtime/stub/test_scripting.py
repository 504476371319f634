"""TorchScript and FX, with devices in the code."""

from __future__ import annotations

import io
import pickle

import pytest
import torch
import torchada
from torch import Tensor, nn

GPU = torch.device("cuda:0")


def _helper(x: Tensor) -> Tensor:
    return x.to("cuda")


@torch.jit.script
def of_module_level(x: Tensor) -> Tensor:
    return x.to(device="cuda:0") + torch.zeros(1, device="cuda")


def test_a_function() -> None:
    assert of_module_level(torch.ones(2)).device == GPU


def test_devices_in_branches_and_callees() -> None:
    @torch.jit.script
    def choose(x: Tensor, gpu: bool) -> Tensor:
        if gpu:
            for _ in range(2):
                x = _helper(x) + torch.ones(2, device=torch.device("cuda", 0))
        return x

    assert choose(torch.ones(2), True).tolist() == [3, 3]
    assert choose(torch.ones(2), True).device == GPU
    assert choose(torch.ones(2), False).device == torch.device("cpu")


def test_what_is_there_is_not_copied() -> None:
    @torch.jit.script
    def move(x: Tensor) -> Tensor:
        return x.to("cuda:0")

    x = torch.ones(2, device="cuda:0")
    assert move(x).data_ptr() == x.data_ptr()


def test_questions_about_devices() -> None:
    @torch.jit.script
    def ask(x: Tensor) -> tuple[bool, bool, bool]:
        return x.is_cuda, x.device == torch.device("cuda:0"), x.device == torch.device("cpu")

    assert ask(torch.ones(1, device="cuda")) == (True, True, False)
    assert ask(torch.ones(1)) == (False, False, True)


class Inner(nn.Module):
    """Makes a tensor."""

    def forward(self, x: Tensor) -> Tensor:
        return x + torch.arange(2, device="cuda")


class Outer(nn.Module):
    """Has another module and a second method."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = Inner()

    def forward(self, x: Tensor) -> Tensor:
        return self.more(self.inner(x.to("cuda")))

    @torch.jit.export
    def more(self, x: Tensor) -> Tensor:
        return x + torch.full([2], 10.0, device="cuda:0")


def test_a_module() -> None:
    scripted = torch.jit.script(Outer())
    assert scripted(torch.zeros(2)).tolist() == [10, 11]
    assert scripted.more(torch.zeros(2, device="cuda")).device == GPU


def test_a_module_that_was_saved_on_cuda() -> None:
    torchada.unpatch()
    try:
        saved = io.BytesIO()
        torch.jit.save(torch.jit.script(Outer()), saved)
    finally:
        torchada.apply_patches()
    saved.seek(0)
    assert torch.jit.load(saved, map_location="cuda")(torch.zeros(2)).device == GPU


def test_script_is_torchs_own() -> None:
    before = torch.jit.script
    torchada.unpatch()
    try:
        assert torch.jit.script is before
    finally:
        torchada.apply_patches()


def test_trace() -> None:
    traced = torch.jit.trace(lambda x: x.to("cuda") + torch.ones(2, device="cuda"), torch.zeros(2))
    assert traced(torch.zeros(2)).device == GPU


class Made(nn.Module):
    """Makes tensors and moves them."""

    def forward(self, x: Tensor) -> Tensor:
        y = torch.zeros_like(x, device="cuda") + torch.ones_like(x, device=torch.device("cuda:0"))
        return y + x.to("cuda") + x.to(torch.device("cuda", 0)) + torch.ones(2, device="cuda")


def test_fx() -> None:
    traced = torch.fx.symbolic_trace(Made())
    assert "torch.zeros_like" in traced.code
    assert traced(torch.ones(2)).tolist() == [4, 4]
    assert traced(torch.ones(2)).device == GPU


def test_a_graph_with_wrapped_and_original_functions() -> None:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    ours = graph.call_function(torch.zeros, (2,), {"device": torch.device("cuda:0")})
    original = graph.call_function(torch.zeros.__wrapped__, (2,), {"device": torch.device("cuda:0")})
    graph.output((x, ours, original))
    module = torch.fx.GraphModule(nn.Module(), graph)
    assert module.code.count("torch.zeros(2, device = device(type='musa', index=0))") == 2
    assert [tensor.device for tensor in module(torch.ones(1))] == [torch.device("cpu"), GPU, GPU]
    assert pickle.loads(pickle.dumps(module))(torch.ones(1))[1].device == GPU


def test_what_fx_cannot_name_is_still_an_error() -> None:
    graph = torch.fx.Graph()
    graph.output(graph.call_function(torch._C._nn.gelu, (graph.placeholder("x"),)))
    torch.fx.GraphModule(nn.Module(), graph)
    with pytest.raises(RuntimeError, match="cannot find module"):
        torch.fx.node._find_module_of_method(type("f", (), {"__name__": "nowhere", "__module__": None}))


def test_functions_are_pickled_by_name() -> None:
    function = (torch.zeros, torch.ones_like, torch.fft.fftfreq, torch.tensor)
    assert pickle.loads(pickle.dumps(function)) == function


def test_moving_to_the_device_in_a_script() -> None:
    @torch.jit.script
    def there(x: torch.Tensor) -> torch.Tensor:
        return x.cuda()

    @torch.jit.script
    def second(x: torch.Tensor) -> torch.Tensor:
        return x.to(torch.device("cuda:1"))

    assert there(torch.ones(2)).is_cuda
    assert second(torch.ones(2)).device == torch.device("musa:1")
