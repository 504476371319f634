"""Graphs and memory pools, written for CUDA."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import torch
import warm
from torch import nn


def test_capture_by_cudas_keywords() -> None:
    graph = torch.cuda.CUDAGraph()
    x = torch.ones(3, device="cuda")
    with torch.cuda.graph(cuda_graph=graph, pool=None, stream=torch.cuda.Stream(), capture_error_mode="relaxed"):
        assert torch.cuda.is_current_stream_capturing()
        y = x * 2
    x.fill_(5)
    graph.replay()
    assert y.tolist() == [10, 10, 10]
    assert isinstance(graph, torch.cuda.CUDAGraph) and isinstance(graph, torch.cuda.graphs.CUDAGraph)
    other = torch.cuda.CUDAGraph()
    with torch.cuda.graph(other, graph.pool()) as _:
        z = x + 1
    other.replay()
    assert z.tolist() == [6, 6, 6]
    assert torch.cuda.graph(other).cuda_graph is other
    graph.reset()


def test_capture_by_hand(tmp_path: Path) -> None:
    graph = torch.cuda.CUDAGraph()
    graph.enable_debug_mode()
    x = torch.ones(2, device="cuda")
    with torch.cuda.stream(torch.cuda.Stream()):
        graph.capture_begin(pool=torch.cuda.graph_pool_handle(), capture_error_mode="thread_local")
        y = x + 1
        graph.capture_end()
    graph.replay()
    assert y.tolist() == [2, 2]
    graph.debug_dump(str(tmp_path / "graph.dot"))


def test_graphs_are_drawn(tmp_path: Path) -> None:
    program = """if True:
        import torch, torchada
        x = torch.ones(2, device="cuda")
        for _ in range(2):
            with torch.cuda.graph(torch.cuda.CUDAGraph()):
                y = x + 1
    """
    environment = {**os.environ, "TORCHADA_CUDA_GRAPH_DEBUG_DUMP_PATH": str(tmp_path / "graphs")}
    warm.run(["-c", program], env=environment).check_returncode()
    drawn = list((tmp_path / "graphs").glob("graph_*.dot"))
    assert len(drawn) == 2 and all(path.stat().st_size for path in drawn)


def test_what_newer_versions_add() -> None:
    torch.cuda.CUDAGraph(keep_graph=False)
    torch.cuda.CUDAGraph(False)
    with pytest.raises(NotImplementedError, match="keep_graph"):
        torch.cuda.CUDAGraph(keep_graph=True)
    with pytest.raises(NotImplementedError, match="enable_annotations"):
        torch.cuda.graph(torch.cuda.CUDAGraph(), enable_annotations=True)

    class Mine(torch.cuda.CUDAGraph):
        pass

    assert isinstance(Mine(), torch.cuda.CUDAGraph)


def test_graphed_callables() -> None:
    x = torch.ones(1, 2, device="cuda")
    layer = nn.Linear(2, 2).cuda()
    expected = layer(x).tolist()
    pool = torch.cuda.graph_pool_handle()
    graphed = torch.cuda.make_graphed_callables(layer, (x,), num_warmup_iters=2, pool=pool)
    assert graphed(x).tolist() == expected
    assert torch.cuda.graphs.make_graphed_callables(torch.relu, (x,))(x).tolist() == [[1, 1]]


def test_pools() -> None:
    pool = torch.cuda.MemPool()
    with torch.cuda.use_mem_pool(pool):
        assert torch.ones(2, device="cuda").sum().item() == 2
    assert len(pool.id) == 2
