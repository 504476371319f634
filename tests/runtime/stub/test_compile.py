"""`torch.compile` of code that was written for CUDA."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torchada
import warm
from torch import Tensor, nn
from torch._dynamo.testing import CompileCounter

GPU = torch.device("cuda:0")


@pytest.fixture(autouse=True)
def nothing_compiled() -> None:
    torch._dynamo.reset()


def _moved(x: Tensor) -> Tensor:
    return x.to("cuda") + x.to(device="cuda:0") + x.cuda() + x.to(torch.device("cuda"))


def _made(x: Tensor) -> Tensor:
    y = (
        torch.zeros(3, device="cuda")
        + torch.arange(3, device=torch.device("cuda", 0))
        + torch.fft.fftfreq(3, device="cuda")
    )
    return x.cuda() + y + torch.zeros_like(x, device="cuda") + torch.tensor([1, 2, 3], device="cuda")


def _of_itself(x: Tensor) -> Tensor:
    x = x.cuda()
    return x + x.new_zeros(3, device="cuda") + torch.empty_like(x).fill_(1) if x.is_cuda else x


def _asked(x: Tensor) -> Tensor:
    return x.cuda() + torch.cuda.current_device() + (100 if torch.cuda.is_available() else 0)


@pytest.mark.parametrize("function", [_moved, _made, _of_itself, _asked])
def test_one_graph_gives_what_python_gives(function: Callable[[Tensor], Tensor]) -> None:
    x = torch.arange(3.0)
    found = torch.compile(function, backend="aot_eager", fullgraph=True)(x)
    expected = function(x)
    assert found.device == expected.device == GPU
    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize("function", [_moved, _made, _of_itself])
def test_compiled_once(function: Callable[[Tensor], Tensor]) -> None:
    counter = CompileCounter()
    compiled = torch.compile(function, backend=counter)
    for _ in range(5):
        compiled(torch.arange(3.0))
    assert counter.frame_count == 1


def test_default_device() -> None:
    torch.set_default_device("cuda")
    compiled = torch.compile(lambda: torch.zeros(2) + torch.ones(2), backend="aot_eager", fullgraph=True)
    assert compiled().device == GPU


def test_autocast() -> None:
    def multiply(x: Tensor) -> Tensor:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            return x @ x

    x = torch.ones(3, 3, device="cuda")
    assert torch.compile(multiply, backend="aot_eager", fullgraph=True)(x).dtype == torch.bfloat16


def test_training_a_model() -> None:
    def train(compiled: bool) -> list[float]:
        torch.manual_seed(0)
        model: Any = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1)).cuda()
        call = torch.compile(model, backend="aot_eager", fullgraph=True) if compiled else model
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        losses = []
        for _ in range(3):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(call(torch.ones(2, 4, device="cuda")), torch.ones(2, 1).cuda())
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses

    assert train(True) == pytest.approx(train(False))


def test_what_is_compiled_can_be_cached() -> None:
    from torch._functorch._aot_autograd.autograd_cache import check_node_safe

    graph = torch.fx.Graph()
    for function in (torch.zeros, torch.ones, torch.full):
        check_node_safe(graph.call_function(function, (2,)))


@pytest.mark.skipif(sys.platform != "linux", reason="the compiler of the test bed")
def test_inductor_on_the_cpu() -> None:
    compiled = torch.compile(lambda x: torch.zeros(3, device="cpu") + x * 2)
    assert compiled(torch.ones(3)).tolist() == [2, 2, 2]


def test_the_device_is_part_of_the_key_of_caches() -> None:
    from torch._inductor.codecache import CacheBase

    system = CacheBase.get_system()
    assert system["device"]["name"] == torch.cuda.get_device_name() and system["hash"]


def test_processes_that_measure_are_given_musas_variable() -> None:
    from torch._inductor import autotune_process

    assert autotune_process.CUDA_VISIBLE_DEVICES == "MUSA_VISIBLE_DEVICES"
    if hasattr(autotune_process, "get_visible_devices_env_var"):
        assert autotune_process.get_visible_devices_env_var("cuda") == "MUSA_VISIBLE_DEVICES"
        assert autotune_process.get_visible_devices_env_var("xpu") == "ZE_AFFINITY_MASK"


def test_templates() -> None:
    choices = pytest.importorskip("torch._inductor.choices")
    if not hasattr(choices, "get_template_heuristic"):
        pytest.skip("this torch has no heuristics for templates")
    import torch._inductor.kernel.mm  # noqa: F401

    for_cuda = choices.get_template_heuristic("triton::mm", "cuda", "mm")
    assert type(choices.get_template_heuristic("triton::mm", "musa", "mm")) is type(for_cuda)
    assert type(choices.get_template_heuristic("triton::mm", "cpu", "mm")) is not type(for_cuda)


def test_steps() -> None:
    torch.compiler.cudagraph_mark_step_begin()


@pytest.mark.parametrize("compiled", [False, True])
def test_flex_attention(compiled: bool) -> None:
    from torch.nn.attention.flex_attention import flex_attention

    query = torch.randn(1, 2, 16, 8, device="cuda")
    call = torch.compile(flex_attention, backend="aot_eager", fullgraph=True) if compiled else flex_attention
    found = call(query, query, query)
    torch.testing.assert_close(found, nn.functional.scaled_dot_product_attention(query, query, query))
    assert found.is_cuda


def test_nothing_heavy_is_imported_for_it() -> None:
    modules = "torch._inductor.autotune_process torch.nn.attention.flex_attention torch._inductor.cudagraph_trees"
    program = f"import torchada, sys; print([name for name in {modules.split()} if name in sys.modules])"
    found = warm.run(["-c", program])
    assert found.stdout.strip() == "[]", found.stderr


def test_unpatch() -> None:
    rules = torch._dynamo.trace_rules
    check = rules.check
    torchada.unpatch()
    try:
        assert rules.check is not check
        assert rules.lookup(torch.zeros) is rules.TorchInGraphFunctionVariable
        x = torch.arange(3.0, device="musa")
        compiled = torch.compile(lambda x: x + torch.zeros(3, device="musa"), backend="aot_eager", fullgraph=True)
        assert compiled(x).tolist() == [0, 1, 2]
    finally:
        torchada.apply_patches()


def test_properties_of_a_device_are_constants() -> None:
    def scaled(x: torch.Tensor) -> torch.Tensor:
        return x * torch.cuda.get_device_properties(0).multi_processor_count

    x = torch.ones(2, device="cuda")
    assert torch.equal(torch.compile(scaled, backend="eager")(x), scaled(x))
