"""What programs that train do around their tensors: precision, random numbers, streams, loaders, names of modules."""

from __future__ import annotations

import contextlib
import copy
import importlib
import pickle
import sys
import types
import warnings
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, RandomSampler, TensorDataset, random_split

FIRST, SECOND = torch.device("musa:0"), torch.device("musa:1")


def test_nested_autocast() -> None:
    """Regions of `autocast` in each other, off and on, of both devices, as decorator, left by an exception."""
    x, c = torch.eye(2, device="cuda"), torch.eye(2)
    with torch.autocast("cuda", dtype=torch.float16):
        assert (x @ x).dtype == torch.float16
        with torch.autocast("cuda", dtype=torch.bfloat16):
            assert (x @ x).dtype == torch.bfloat16
            with torch.autocast("cuda", enabled=False):
                assert (x @ x).dtype == torch.float32
            with torch.autocast("cpu", dtype=torch.bfloat16):
                assert (c @ c).dtype == (x @ x).dtype == torch.bfloat16
            assert (c @ c).dtype == torch.float32
        assert (x @ x).dtype == torch.float16
        with pytest.raises(ZeroDivisionError), torch.cuda.amp.autocast(enabled=False):
            1 / 0  # noqa: B018
        assert torch.is_autocast_enabled("cuda") and torch.get_autocast_dtype("cuda") == torch.float16
    assert not torch.is_autocast_enabled("cuda") and (x @ x).dtype == torch.float32

    @torch.autocast(device_type="cuda", dtype=torch.bfloat16)
    def f(x: torch.Tensor) -> torch.Tensor:
        return x @ x

    assert f(x).dtype == torch.bfloat16
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.autocast("cuda"))
        assert (x @ x).dtype == torch.float16


def test_autocast_of_a_device() -> None:
    """`torch.autocast(x.device.type)`, in a thread of its own, pickled by a model, and a wrong device."""
    x = torch.eye(2, device="cuda")
    with torch.autocast(x.device.type, dtype=torch.bfloat16):
        assert (x @ x).dtype == torch.bfloat16
    with pytest.raises((RuntimeError, ValueError)):
        torch.autocast("cudda")
    with pytest.raises((RuntimeError, ValueError, TypeError)):
        torch.autocast(torch.device("cuda:0"))
    assert torch.amp.is_autocast_available("cuda")


def test_scalers() -> None:
    """`GradScaler("cuda")`: steps, skips an infinite gradient, and its state is pickled and copied."""
    p = nn.Parameter(torch.ones(1, device="cuda"))
    optimizer = torch.optim.SGD([p], lr=1.0)
    scaler = torch.amp.GradScaler("cuda", init_scale=4.0)
    scaler.scale((p * 2).sum()).backward()
    scaler.unscale_(optimizer)
    assert p.grad.tolist() == [2]
    nn.utils.clip_grad_norm_([p], 1.0)
    scaler.step(optimizer)
    scaler.update()
    assert p.item() == pytest.approx(0.0, abs=1e-5)
    optimizer.zero_grad()
    before = p.item()
    scaler.scale((p * float("inf")).sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    assert p.item() == before and scaler.get_scale() == 2.0
    assert copy.deepcopy(scaler).get_scale() == pickle.loads(pickle.dumps(scaler)).get_scale() == 2.0


def test_generators() -> None:
    """`Generator("cuda")`: seeds, states, use in every sampler and factory; one of the wrong device is refused."""
    g = torch.Generator("cuda").manual_seed(3)
    assert g.device == FIRST and torch.Generator(device="cuda:1").device == SECOND
    a = torch.rand(4, device="cuda", generator=g)
    state = g.get_state()
    b = torch.randn(4, device="cuda", generator=g)
    g.set_state(state)
    assert torch.equal(b, torch.randn(4, device="cuda", generator=g))
    assert torch.equal(a, torch.rand(4, device="cuda", generator=g.manual_seed(3)))
    assert torch.randperm(4, device="cuda", generator=g).is_cuda
    assert torch.ones(3, device="cuda").bernoulli_(0.5, generator=g).is_cuda
    assert torch.multinomial(torch.ones(3, device="cuda"), 2, generator=g).is_cuda
    assert torch.normal(torch.zeros(2, device="cuda"), 1.0, generator=g).is_cuda
    assert nn.init.normal_(torch.empty(2, device="cuda"), generator=g).is_cuda
    with pytest.raises(RuntimeError):
        torch.rand(2, generator=g)
    assert torch.Generator().device.type == "cpu" and type(g) is torch.Generator


def test_seeds() -> None:
    """`torch.manual_seed` seeds all devices; `fork_rng`, states of one and all devices, and back."""
    torch.manual_seed(5)
    first = [torch.rand(2, device=f"cuda:{i}") for i in range(2)]
    torch.manual_seed(5)
    assert all(torch.equal(torch.rand(2, device=f"cuda:{i}"), first[i]) for i in range(2))
    states = torch.cuda.get_rng_state_all()
    one = torch.cuda.get_rng_state("cuda:1")
    a = torch.rand(2, device="cuda:1")
    with torch.random.fork_rng(devices=[0, 1]):
        torch.cuda.manual_seed_all(1)
        torch.rand(2, device="cuda:1")
    b = torch.rand(2, device="cuda:1")
    torch.cuda.set_rng_state_all(states)
    assert torch.equal(torch.rand(2, device="cuda:1"), a) and torch.equal(torch.rand(2, device="cuda:1"), b)
    torch.cuda.set_rng_state(one, "cuda:1")
    assert torch.equal(torch.rand(2, device="cuda:1"), a)
    with torch.random.fork_rng(device_type="cuda"):
        torch.rand(2, device="cuda")


class Squares(Dataset):
    """Tensors of the CPU."""

    def __len__(self) -> int:
        return 8

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        return torch.tensor([index, index**2]), index


def test_loaders() -> None:
    """`DataLoader(pin_memory=True)`, also with `pin_memory_device="cuda"`, `generator`, and tensors on MUSA inside."""
    for options in ({}, {"pin_memory_device": "cuda"}, {"pin_memory_device": "cuda:1"}):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            batches = list(DataLoader(Squares(), batch_size=4, pin_memory=True, **options))
        assert all(batch.is_pinned() and batch.cuda(non_blocking=True).is_cuda for batch, _ in batches)
    loader = DataLoader(TensorDataset(torch.arange(6.0, device="cuda")), batch_size=2, shuffle=True)
    assert sorted(x for (batch,) in loader for x in batch.tolist()) == [0, 1, 2, 3, 4, 5]
    assert all(batch.is_cuda for (batch,) in loader)
    torch.set_default_device("cuda")
    assert len(list(DataLoader(Squares(), batch_size=4, collate_fn=lambda x: x))) == 2
    order = list(DataLoader(Squares(), shuffle=True, generator=torch.Generator("cuda"), batch_size=None))
    assert len(order) == 8
    assert len(list(RandomSampler(range(5), generator=torch.Generator("cuda")))) == 5
    assert [len(part) for part in random_split(range(6), [2, 4], generator=torch.Generator("cuda"))] == [2, 4]


def test_streams() -> None:
    """Streams and events: equality, hashes, contexts in each other, `record_stream`, timing, `isinstance`."""
    s, t = torch.cuda.Stream(), torch.cuda.Stream(device="cuda:1", priority=-1)
    assert isinstance(s, torch.cuda.Stream) and s != t and len({s, t, s}) == 2 and t.device == SECOND
    outer = torch.cuda.current_stream()
    with torch.cuda.stream(s):
        with torch.cuda.stream(t):
            assert torch.cuda.current_stream() == t and torch.cuda.current_device() == 1
        with torch.cuda.stream(None):
            assert torch.cuda.current_stream() == s
        x = torch.ones(2, device="cuda")
        x.record_stream(s)
    assert torch.cuda.current_stream() == outer
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    end.record(s)
    end.synchronize()
    assert start.elapsed_time(end) >= 0 and end.query()
    with pytest.raises((RuntimeError, ValueError)):
        torch.cuda.Event().elapsed_time(end)
    s.wait_event(end)
    s.wait_stream(outer)
    assert torch.cuda.ExternalStream(s.cuda_stream).cuda_stream == s.cuda_stream
    assert isinstance(torch.Stream(device="cuda"), torch.Stream)


FORMS = """
import torch.cuda
import torch.cuda as c
from torch import cuda
from torch.cuda import *
from torch.cuda import amp, Stream, memory_allocated as m, nvtx, random, comm, nccl, profiler, sparse, graphs, memory, streams
import torch.cuda.amp.grad_scaler, torch.cuda.amp.autocast_mode as autocast_mode, torch.cuda.amp.common
from torch.cuda.amp import autocast, GradScaler, custom_fwd, custom_bwd
from torch.cuda.memory import memory_reserved, CUDAPluggableAllocator
from torch.cuda.random import manual_seed, get_rng_state
from torch.cuda.streams import Event, Stream as S
from torch.cuda.graphs import CUDAGraph, graph, make_graphed_callables
from torch.cuda.nvtx import range_push, range_pop
import torch.cuda.tunable, torch.cuda.gds, torch.cuda.jiterator, torch.cuda._utils, torch.cuda._memory_viz, torch.cuda._sanitizer
"""


def test_every_form_of_import() -> None:
    """Every form of importing `torch.cuda` and its submodules leads to the same functions, which are MUSA's."""
    space: dict[str, object] = {}
    for line in FORMS.strip().splitlines():
        try:
            exec(line, space)
        except ModuleNotFoundError as error:
            assert "gds" in str(error) or "_" in str(error)
    assert space["c"] is space["cuda"] is torch.cuda is sys.modules["torch.cuda"]
    assert space["Stream"] is space["S"] is torch.musa.Stream and space["Event"] is torch.musa.Event
    assert space["m"] is torch.musa.memory_allocated is torch.cuda.memory.memory_allocated
    assert space["manual_seed"] is torch.musa.manual_seed
    assert importlib.import_module("torch.cuda.random").get_rng_state is torch.musa.get_rng_state
    assert getattr(torch, "cuda").synchronize is torch.musa.synchronize  # noqa: B009
    assert isinstance(torch.cuda, types.ModuleType)
    assert space["memory_reserved"](0) >= 0


def test_no_name_of_torch_cuda_fails_in_an_unclear_way() -> None:
    """Each public function of `torch.cuda`, called without an argument, works or says what is missing."""
    unclear = {}
    leave = {"init", "graph", "seed", "seed_all", "nvtx"}
    for name in torch.cuda.__all__:
        value = getattr(torch.cuda, name, None)
        if name in leave or not isinstance(value, (types.FunctionType, types.BuiltinFunctionType)):
            continue
        try:
            value()
        except (NotImplementedError, TypeError, ValueError):
            pass
        except Exception as error:
            if "not compiled with CUDA" in str(error) or "NVIDIA" in str(error) or isinstance(error, AttributeError):
                unclear[name] = f"{type(error).__name__}: {error}"
    assert not unclear


def test_memory_figures() -> None:
    """Memory figures follow tensors, by device; `empty_cache`, peaks, an allocation that is too large."""
    before = torch.cuda.memory_allocated("cuda:1")
    x = torch.empty(1 << 20, device="cuda:1")
    assert torch.cuda.memory_allocated(torch.device("cuda:1")) - before >= 4 << 20
    assert torch.cuda.max_memory_allocated(1) >= torch.cuda.memory_allocated(1)
    free, total = torch.cuda.mem_get_info("cuda:1")
    assert 0 < free < total
    del x
    torch.cuda.empty_cache()
    assert torch.cuda.memory_allocated(1) == before
    with pytest.raises(torch.cuda.OutOfMemoryError):
        torch.empty(1 << 50, device="cuda")
    with pytest.raises(torch.OutOfMemoryError):
        torch.empty(1 << 50, device="cuda")
    torch.cuda.reset_peak_memory_stats()
    assert torch.cuda.memory_stats()["allocated_bytes.all.current"] >= 0 and torch.cuda.memory_summary()


def test_parallel_models() -> None:
    """`nn.DataParallel`, replicas, `parameters_to_vector`, optimizers with `fused`, `foreach` and `capturable`."""
    model = nn.DataParallel(nn.Linear(2, 2).cuda(), device_ids=[0, 1])
    assert model(torch.ones(4, 2, device="cuda")).shape == (4, 2)
    assert nn.utils.parameters_to_vector(model.parameters()).is_cuda
    for options in ({}, {"foreach": True}, {"fused": True}, {"foreach": False}, {"capturable": True}):
        p = nn.Parameter(torch.ones(2, device="cuda"))
        optimizer = torch.optim.Adam([p], lr=0.1, **options)
        p.grad = torch.ones_like(p)
        optimizer.step()
        assert p.is_cuda and p[0].item() == pytest.approx(0.9)
        again = torch.optim.Adam([p], lr=0.1, **options)
        again.load_state_dict(copy.deepcopy(optimizer.state_dict()))
        again.step()


def test_profile() -> None:
    """A profile with CUDA's activity, a schedule, and sorted by time on the device."""
    from torch.profiler import ProfilerActivity, profile, schedule

    tables: list[str] = []

    def ready(p: Any) -> None:
        tables.append(p.key_averages().table(sort_by="cuda_time_total", row_limit=20))

    with profile(
        activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
        schedule=schedule(wait=0, warmup=1, active=2),
        on_trace_ready=ready,
    ) as p:
        for _ in range(3):
            torch.ones(2, device="cuda") * 2
            p.step()
    assert "aten::mul" in tables[0]
