"""Graphs: capture, replay, and what may not be captured."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn


def test_replay(musa: torch.device) -> None:
    inputs, output = torch.ones(2, 2, device=musa), torch.zeros(2, 2, device=musa)
    graph = torch.musa.MUSAGraph()
    with torch.musa.graph(graph):
        assert torch.musa.is_current_stream_capturing()
        tripled = inputs * 3
        torch.mm(tripled, inputs, out=output)
        shifted = output + 1
    assert not torch.musa.is_current_stream_capturing()
    inputs.fill_(2)
    output.zero_()
    graph.replay()
    assert output[0, 0].item() == 24
    assert shifted[0, 0].item() == 25
    inputs.copy_(torch.zeros(2, 2))
    graph.replay()
    assert shifted.cpu().tolist() == [[1, 1], [1, 1]]


def test_a_whole_training_step(musa: torch.device) -> None:
    model = nn.Linear(3, 1).to(musa)
    inputs, targets = torch.randn(16, 3, device=musa), torch.randn(16, 1, device=musa)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    side = torch.musa.Stream()
    side.wait_stream(torch.musa.current_stream())
    with torch.musa.stream(side):
        for _ in range(2):
            optimizer.zero_grad(set_to_none=True)
            nn.functional.mse_loss(model(inputs), targets).backward()
            optimizer.step()
    torch.musa.current_stream().wait_stream(side)
    graph = torch.musa.MUSAGraph()
    optimizer.zero_grad(set_to_none=True)
    with torch.musa.graph(graph):
        loss = nn.functional.mse_loss(model(inputs), targets)
        loss.backward()
        optimizer.step()
    losses = []
    for _ in range(20):
        model.zero_grad(set_to_none=False)
        graph.replay()
        losses.append(loss.item())
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]


def test_only_the_captured_stream_is_captured(musa: torch.device) -> None:
    values, graph = torch.zeros(1, device=musa), torch.musa.MUSAGraph()
    with torch.musa.graph(graph, stream=torch.musa.Stream()):
        with torch.musa.stream(torch.musa.Stream()):
            values.add_(10)
        values.add_(1)
    values.zero_()
    graph.replay()
    assert values.item() == 1


def test_what_may_not_be_captured(musa: torch.device) -> None:
    with pytest.raises(RuntimeError, match="non-default stream"):
        torch.musa.MUSAGraph().capture_begin()
    values = torch.ones(1, device=musa)
    with (
        pytest.raises(RuntimeError, match="not permitted when stream is capturing"),
        torch.musa.graph(torch.musa.MUSAGraph()),
    ):
        values.item()
    with torch.musa.graph(torch.musa.MUSAGraph()), pytest.raises(RuntimeError, match="another capture"):
        torch.musa.MUSAGraph().capture_begin()
    with pytest.raises(RuntimeError, match="without a preceding successful capture"):
        torch.musa.MUSAGraph().replay()


def test_pools(musa: torch.device) -> None:
    handle = torch.musa.graph_pool_handle()
    first, second = torch.musa.MUSAGraph(), torch.musa.MUSAGraph()
    with torch.musa.graph(musa_graph=first, pool=handle):
        torch.ones(1, device=musa)
    assert first.pool() == handle
    with torch.musa.graph(second, pool=first.pool(), capture_error_mode="thread_local"):
        torch.ones(1, device=musa)
    assert second.pool() == handle != torch.musa.graph_pool_handle()
    second.reset()
    with pytest.raises(RuntimeError, match="pool"):
        second.pool()


def test_what_a_graph_holds(musa: torch.device, tmp_path: Path) -> None:
    graph, values = torch.musa.MUSAGraph(), torch.ones(2, 2, device=musa)
    graph.enable_debug_mode()
    with torch.musa.graph(graph):
        values.mm(values).relu()
    graph.debug_dump(str(tmp_path / "graph"))
    # torch picks the overload: mm is asked for as mm.out
    names = [line.partition(".")[0] for line in (tmp_path / "graph").read_text().split()]
    assert names == ["aten::mm", "aten::relu"]


def test_graphed_callables(musa: torch.device) -> None:
    model, inputs = nn.Linear(2, 2).to(musa), torch.randn(1, 2, device=musa)
    assert torch.equal(torch.musa.make_graphed_callables(model, (inputs,))(inputs), model(inputs))
