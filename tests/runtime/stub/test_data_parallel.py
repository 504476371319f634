"""Several devices in one process, written for CUDA."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.cuda import comm, nccl

FIRST, SECOND = torch.device("cuda:0"), torch.device("cuda:1")


def pair() -> tuple[torch.Tensor, torch.Tensor]:
    return torch.ones(4, device=FIRST), torch.full((4,), 2.0, device=SECOND)


def test_broadcast() -> None:
    x = torch.arange(4.0, device=FIRST)
    copies = comm.broadcast(x, [0, "cuda:1"])
    assert copies[0] is x and copies[1].device == SECOND and copies[1].tolist() == x.tolist()
    out = torch.empty(4, device=SECOND)
    comm.broadcast(x, out=[out])
    assert out.tolist() == x.tolist()
    with pytest.raises(RuntimeError, match="same shape"):
        comm.broadcast(x, out=[torch.empty(3, device=SECOND)])
    lists = comm.broadcast_coalesced([x, x + 1], [0, 1])
    assert [each.device for each in lists[1]] == [SECOND, SECOND] and lists[1][1].tolist() == [1, 2, 3, 4]


def test_scatter_and_gather() -> None:
    x = torch.arange(6.0)
    parts = comm.scatter(x, [0, 1], chunk_sizes=[2, 4])
    assert [part.device for part in parts] == [FIRST, SECOND] and parts[1].tolist() == [2, 3, 4, 5]
    streams = [torch.cuda.Stream(0), None]
    assert comm.gather(comm.scatter(x, [0, 1], streams=streams), destination=1).device == SECOND
    assert comm.gather(parts, destination="cpu").tolist() == x.tolist()
    out = torch.empty(6, device=SECOND)
    comm.gather(parts, out=out)
    assert out.tolist() == x.tolist()
    comm.scatter(x + 1, out=parts)
    assert parts[0].tolist() == [1, 2]


def test_reduce_add() -> None:
    a, b = pair()
    total = comm.reduce_add([a, b], destination=1)
    assert total.device == SECOND and total.tolist() == [3] * 4
    assert comm.reduce_add_coalesced([[a, a], [b, b]], 0)[1].tolist() == [3] * 4
    assert a.tolist() == [1] * 4


def test_collectives() -> None:
    a, b = pair()
    assert nccl.is_available([a, b])
    nccl.all_reduce([a, b])
    assert a.tolist() == b.tolist() == [3] * 4
    nccl.all_reduce([a, b], op=2)
    assert a.tolist() == [3] * 4
    a.fill_(5)
    nccl.broadcast([a, b], root=0)
    assert b.tolist() == [5] * 4
    nccl.reduce([a, b], output=b, root=1)
    assert b.tolist() == [10] * 4 and a.tolist() == [5] * 4
    gathered = [torch.empty(8, device=FIRST), torch.empty(8, device=SECOND)]
    nccl.all_gather([a, b], gathered)
    assert gathered[1].tolist() == [5] * 4 + [10] * 4
    scattered = [torch.empty(2, device=FIRST), torch.empty(2, device=SECOND)]
    nccl.reduce_scatter([a, b], scattered)
    assert scattered[1].tolist() == [15, 15]
    assert len(nccl.version()) >= 3


def test_streams_and_communicators_are_refused() -> None:
    a, b = pair()
    with pytest.raises(NotImplementedError, match="streams"):
        nccl.all_reduce([a, b], streams=[torch.cuda.Stream(0), torch.cuda.Stream(1)])
    with pytest.raises(NotImplementedError):
        nccl.unique_id()


@pytest.mark.parametrize("options", [{}, {"device_ids": ["cuda:0", "cuda:1"], "output_device": "cuda:1"}], ids=str)
def test_data_parallel(options: dict) -> None:
    single = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2)).cuda()
    parallel = nn.DataParallel(single, **options)
    x = torch.randn(6, 4)
    y = parallel(x)
    assert y.device == torch.device(options.get("output_device", "cuda:0"))
    assert torch.allclose(y.cpu(), single(x.cuda()).cpu())
    y.sum().backward()
    assert single[0].weight.grad is not None and single[0].weight.grad.is_cuda
