import torch
from glow import ops


def test_each_device_has_a_kernel(device):
    before = dict(ops.calls)
    x = torch.linspace(-9, 9, 5, device=device, requires_grad=True)
    y = ops.squash(x)
    y.sum().backward()
    assert y.abs().max() < 3
    assert x.grad.device == x.device
    kernel = "gpu" if device.type == "cuda" else "cpu"
    assert ops.calls == {**before, kernel: before[kernel] + 1}


def test_a_custom_operator_runs(device):
    x = torch.full((3,), 4.0, device=device)
    assert ops.halve(x).tolist() == [2.0, 2.0, 2.0]


def test_a_graph_is_replayed(gpu_device):
    x = torch.zeros(4, device="cuda")
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        x.mul(2)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = x * 2
    x.fill_(21)
    graph.replay()
    torch.cuda.synchronize()
    assert y.tolist() == [42.0] * 4
