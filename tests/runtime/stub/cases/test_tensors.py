"""Tensors that other code makes, reads, hooks into and takes apart."""

from __future__ import annotations

import array
import copy
import gc
import io
import weakref

import numpy
import pytest
import torch
from torch import nn

CPU, FIRST, SECOND = torch.device("cpu"), torch.device("musa:0"), torch.device("musa:1")


def test_parse_to() -> None:
    """`torch._C._nn._parse_to("cuda:1", …)`, which libraries with a `.to` of their own call, gives MUSA's device."""
    for given in (("cuda:1",), (torch.device("cuda:1"),), (torch.device("cuda:1"), torch.float16, True)):
        assert torch._C._nn._parse_to(*given)[0] == SECOND
    assert torch._C._nn._parse_to(device="cuda:1")[0] == torch._C._nn._parse_to(1)[0] == SECOND
    assert torch._C._nn._parse_to(torch.float16)[:2] == (None, torch.float16)
    assert torch._C._nn._parse_to(torch.ones(1, device="cuda:1"))[0] == SECOND
    assert torch._C._nn._parse_to("cuda", memory_format=torch.channels_last)[3] == torch.channels_last


def test_array_interface() -> None:
    """A tensor on MUSA does not offer `__cuda_array_interface__`: CuPy and Numba would take its pointer for CUDA's."""
    x = torch.ones(3, device="cuda")
    assert not hasattr(x, "__cuda_array_interface__")
    assert not hasattr(torch.ones(3), "__cuda_array_interface__")
    with pytest.raises(AttributeError, match="MUSA"):
        x.__cuda_array_interface__  # noqa: B018
    with pytest.raises((AttributeError, RuntimeError)):
        torch.ones(1).to_sparse().__cuda_array_interface__  # noqa: B018


def test_arrays_that_claim_to_be_of_cuda() -> None:
    """An object with a `__cuda_array_interface__` is not read as if its pointer were the host's or MUSA's."""

    class Foreign:
        __cuda_array_interface__ = {"shape": (2,), "typestr": "<f4", "data": (0, False), "version": 2}

    for make in (torch.as_tensor, torch.asarray, torch.tensor):
        with pytest.raises((RuntimeError, TypeError, ValueError, NotImplementedError, AssertionError)):
            made = make(Foreign(), device="cuda")
            assert made.device.type == "cuda"


def test_dlpack() -> None:
    """DLPack of a tensor on MUSA says MUSA's kind of device, never CUDA's, and comes back as it was."""
    x = torch.arange(4.0, device="cuda:1")
    kind, index = x.__dlpack_device__()
    assert int(kind) not in (1, 2, 3, 13) and index == 1
    y = torch.from_dlpack(x)
    assert y.device == SECOND and y.tolist() == x.tolist()
    z = torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(x))
    assert z.device == SECOND
    y[0] = 7
    assert x[0].item() == z[0].item() == 7
    assert torch.from_dlpack(numpy.arange(3)).device == CPU


def test_numpy() -> None:
    """`numpy()` of a tensor on MUSA is refused, as is an array protocol's: no pointer of the device is read."""
    x = torch.ones(2, device="cuda")
    for read in (lambda: x.numpy(), lambda: numpy.asarray(x), lambda: numpy.array([x, x]), lambda: memoryview(x)):
        with pytest.raises((TypeError, RuntimeError, ValueError)):
            read()
    assert x.cpu().numpy().tolist() == x.numpy(force=True).tolist() == x.tolist() == [1, 1]
    assert torch.from_numpy(numpy.ones(2)).cuda().is_cuda
    assert torch.as_tensor(numpy.ones(2, numpy.float32), device="cuda:1").device == SECOND
    assert torch.tensor(numpy.float32(3), device="cuda").item() == 3
    assert torch.frombuffer(array.array("f", [1, 2]), dtype=torch.float32).cuda().sum() == 3


def test_sparse() -> None:
    """Sparse tensors, however they are asked for, are MUSA's: where it has no kernel, the error names its backend."""
    indices, values = torch.tensor([[0, 1], [1, 0]]), torch.tensor([3.0, 4.0])
    for make in (
        lambda: torch.sparse_coo_tensor(indices, values, (2, 2), device="cuda"),
        lambda: torch.sparse_coo_tensor(indices.cuda(), values.cuda(), (2, 2)),
        lambda: torch.sparse_coo_tensor(indices.cuda(), values.cuda()),
        lambda: torch.eye(2, device="cuda").to_sparse(),
        lambda: torch.sparse_coo_tensor(indices, values, (2, 2)).to("cuda"),
        lambda: torch.sparse_coo_tensor(indices, values, (2, 2)).cuda(),
        lambda: torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1.0, 2.0], (2, 2), device="cuda"),
    ):
        with pytest.raises(NotImplementedError, match="Sparse.*musa"):
            make()
            raise NotImplementedError("SparseCsrmusa: made, and read by nobody yet")


def test_nested_tensors() -> None:
    """Nested tensors are made on MUSA, and those of the jagged layout are moved there and computed with."""
    parts = [torch.ones(2, 3), torch.ones(4, 3)]
    assert torch.nested.nested_tensor(parts, device="cuda").is_cuda
    jagged = torch.nested.nested_tensor(parts, layout=torch.jagged, device="cuda")
    assert jagged.is_cuda and jagged.offsets().is_cuda
    assert torch.nested.nested_tensor(parts, layout=torch.jagged).to("cuda").is_cuda
    with pytest.raises(NotImplementedError, match="NestedTensormusa"):
        torch.nested.nested_tensor(parts).cuda()
    assert (jagged * 2).values().sum().item() == 36


def test_quantization() -> None:
    """Fake quantization runs on MUSA; a quantized tensor, for which it has no kernel, is refused and not left behind."""
    q = torch.quantize_per_tensor(torch.ones(2), 0.5, 0, torch.qint8)
    for move in (lambda: q.to("cuda"), lambda: q.cuda()):
        with pytest.raises(NotImplementedError, match="Quantizedmusa"):
            move()
    x = torch.fake_quantize_per_tensor_affine(torch.ones(2, device="cuda"), 0.5, 0, 0, 255)
    assert x.is_cuda and x.tolist() == [1, 1]


def test_copies() -> None:
    """`copy.deepcopy` keeps the device, shared memory, `requires_grad` and Python attributes of tensors."""
    x = torch.ones(2, device="cuda:1", requires_grad=True)
    x.note = "kept"
    y, z = copy.deepcopy([x, x.detach()]), copy.copy(x)
    assert y[0].device == SECOND and y[0].requires_grad and y[0].note == "kept" and z.device == SECOND
    a = torch.zeros(4, device="cuda")
    first, second = copy.deepcopy((a[:2], a[2:]))
    assert first.untyped_storage().data_ptr() == second.untyped_storage().data_ptr() != a.untyped_storage().data_ptr()


def test_references() -> None:
    """A tensor on MUSA dies with its last reference; weak references, finalizers and cycles work."""
    died = []
    x = torch.ones(2, device="cuda")
    seen = weakref.ref(x)
    weakref.finalize(x, died.append, "x")
    before = torch.cuda.memory_allocated()
    del x
    assert seen() is None and died == ["x"] and torch.cuda.memory_allocated() < before
    y = torch.ones(2, device="cuda")
    y.itself = y
    seen = weakref.ref(y)
    del y
    gc.collect()
    assert seen() is None
    assert weakref.WeakValueDictionary(a=(z := torch.ones(1, device="cuda")))["a"] is z


def test_hooks() -> None:
    """Hooks of tensors, of gradients and of modules see tensors on MUSA, and may move them."""
    seen = []
    model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1)).cuda()
    model[0].register_forward_hook(lambda module, given, made: seen.append(made.is_cuda))
    model[1].register_full_backward_hook(lambda module, gi, go: seen.append(go[0].is_cuda))
    model[1].register_forward_pre_hook(lambda module, given: (given[0].to("cuda:0"),))
    weight = model[0].weight
    weight.register_hook(lambda grad: grad.cpu().cuda() * 0 + 1)
    weight.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.is_cuda))
    model(torch.ones(1, 2, device="cuda")).sum().backward()
    assert seen == [True, True, True] and weight.grad.tolist() == [[1, 1], [1, 1]]
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x.cpu(), lambda x: x.cuda()):
        y = torch.ones(2, device="cuda", requires_grad=True)
        (y * y).sum().backward()
    with torch.autograd.graph.save_on_cpu(pin_memory=True):
        z = torch.ones(2, device="cuda", requires_grad=True)
        (z * z).sum().backward()
    assert y.grad.tolist() == z.grad.tolist() == [2, 2] and y.grad.device == FIRST


def test_gradients_across_devices() -> None:
    """Gradients cross devices: from the second to the first and to the CPU; checkpointing keeps random numbers."""
    x = torch.ones(2, requires_grad=True)
    (x.cuda(0).to("cuda:1") * 3).sum().backward()
    assert x.grad.device == CPU and x.grad.tolist() == [3, 3]
    from torch.utils.checkpoint import checkpoint

    y = torch.ones(64, device="cuda", requires_grad=True)
    dropped = []

    def f(y: torch.Tensor) -> torch.Tensor:
        dropped.append(nn.functional.dropout(y, 0.5))
        return dropped[-1] * y

    checkpoint(f, y, use_reentrant=False).sum().backward()
    checkpoint(f, y, use_reentrant=True).sum().backward()
    assert len(dropped) == 4
    assert torch.equal(dropped[0], dropped[1]) and torch.equal(dropped[2], dropped[3])


def test_parametrizations() -> None:
    """Parametrized modules, weight norm, spectral norm, lazy modules and buffers move to MUSA as a whole."""
    layer = nn.utils.parametrizations.weight_norm(nn.Linear(3, 2)).cuda()
    assert layer.weight.is_cuda and layer(torch.ones(1, 3, device="cuda")).is_cuda
    layer = nn.utils.parametrizations.spectral_norm(nn.Linear(3, 2)).to("cuda")
    assert layer(torch.ones(1, 3, device="cuda")).is_cuda
    lazy = nn.LazyLinear(2).cuda()
    assert lazy(torch.ones(1, 3, device="cuda")).is_cuda and lazy.weight.is_cuda
    assert nn.UninitializedParameter(device="cuda").device.type == "musa"
    module = nn.BatchNorm1d(2)
    module.register_buffer("mask", torch.ones(1), persistent=False)
    module.cuda()
    assert module.mask.is_cuda and module.running_mean.is_cuda and module.num_batches_tracked.is_cuda
    assert nn.utils.skip_init(nn.Linear, 2, 2, device="cuda").weight.is_cuda


def test_modules_of_their_own() -> None:
    """A module with a `to`, `cuda` or `_apply` of its own, and one whose `to` takes keywords only."""
    moved = []

    class Mine(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.extra = torch.ones(1)
            self.w = nn.Parameter(torch.ones(1))

        def _apply(self, fn, recurse=True):
            self.extra = fn(self.extra)
            return super()._apply(fn, recurse)

        def to(self, *args, **kwargs):
            moved.append(torch._C._nn._parse_to(*args, **kwargs)[0])
            return super().to(*args, **kwargs)

        def cuda(self, device=None):
            moved.append("cuda")
            return super().cuda(device)

    assert Mine().to("cuda").extra.is_cuda and Mine().cuda().extra.is_cuda and Mine().to(device="cuda:1").w.is_cuda
    assert moved == [torch.device("musa"), "cuda", SECOND]
    assert nn.Sequential(Mine()).cuda()[0].extra.is_cuda


def test_storages() -> None:
    """Storages: `cuda()`, `is_cuda`, copies to and from the device, resizing, shared memory refused or right."""
    s = torch.UntypedStorage(4).fill_(7)
    there = s.cuda()
    assert there.device == FIRST and there.is_cuda and there.cpu().tolist() == [7] * 4
    assert torch.UntypedStorage(4, device="cuda:1").device == SECOND
    there.copy_(torch.UntypedStorage(4).fill_(3))
    assert there.tolist() == [3] * 4
    assert torch.ones(2, device="cuda").storage().is_cuda
    x = torch.ones(2, device="cuda")
    assert x.set_(torch.zeros(3, device="cuda").untyped_storage(), 0, (3,)).tolist() == [0, 0, 0]
    assert x.is_shared() in (True, False)
    assert torch.ones(2).share_memory_().is_shared()


def test_mixed_devices() -> None:
    """Tensors of two devices in one operator are refused; a number on the CPU goes with all."""
    a, b, c = torch.ones(2, device="cuda:0"), torch.ones(2, device="cuda:1"), torch.ones(2)
    for x, y in ((a, b), (a, c), (c, b)):
        with pytest.raises(RuntimeError, match="same device"):
            x + y
    assert (a + torch.tensor(1.0)).tolist() == [2, 2]
    with pytest.raises(RuntimeError):
        torch.nn.functional.linear(torch.ones(1, 2, device="cuda"), torch.ones(2, 2))


def test_printed() -> None:
    """`repr` and `print` of tensors and modules say MUSA; `str(x)` reads the tensor once and not its pointer."""
    x = torch.ones(2, device="cuda:1")
    assert repr(x) == "tensor([1., 1.], device='musa:1')"
    assert "device='musa:0'" in repr(nn.Parameter(torch.ones(1, device="cuda")))
    assert f"{torch.tensor(2.5, device='cuda'):.1f}" == "2.5"
    torch.set_default_device("cuda")
    assert "musa" in repr(torch.ones(1)) or "device" not in repr(torch.ones(1))


def test_old_constructors() -> None:
    """`torch.cuda.FloatTensor(2, 3)`, `x.new(…)`, `x.type(…)` and `isinstance` with the old types."""
    x = torch.cuda.FloatTensor([1, 2])
    assert x.is_cuda and isinstance(x, torch.cuda.FloatTensor) and not isinstance(x.cpu(), torch.cuda.FloatTensor)
    assert x.new(3).is_cuda and x.new([1.0]).is_cuda and x.new_tensor([1.0]).is_cuda
    assert x.type(torch.cuda.HalfTensor).dtype == torch.float16 and x.type("torch.cuda.LongTensor").is_cuda
    assert torch.cuda.LongTensor(2).fill_(1).sum() == 2
    assert x.type_as(torch.ones(1)).device == CPU and torch.ones(1).type_as(x).is_cuda


def test_data_is_set() -> None:
    """`p.data = p.data.cuda()` moves a parameter to the device or is an error; never neither."""
    p = nn.Parameter(torch.ones(2))
    try:
        p.data = p.data.cuda()
    except RuntimeError as error:
        assert "incompatible tensor type" in str(error)
        assert p.device == CPU
    else:
        assert p.is_cuda and p.tolist() == [1, 1]
    q = nn.Parameter(torch.ones(2, device="cuda:0"))
    q.data = q.data.to("cuda:1")
    assert q.device == SECOND


def test_out() -> None:
    """`out=` on MUSA is written, and one on another device is refused."""
    x = torch.ones(2, device="cuda")
    out = torch.empty(2, device="cuda")
    torch.add(x, 1, out=out)
    assert out.tolist() == [2, 2]
    torch.zeros(2, out=out)
    assert out.tolist() == [0, 0]
    with pytest.raises(RuntimeError):
        torch.zeros(2, out=out, device="cpu")
    torch.arange(3, out=(a := torch.empty(0, device="cuda")))
    assert a.is_cuda and a.tolist() == [0, 1, 2]


def test_a_file_that_holds_the_devices_memory() -> None:
    """`torch.save` of views, of a tensor with hooks, and of a whole module on MUSA, read again on the CPU."""
    x = torch.arange(6.0, device="cuda").view(2, 3)
    file = io.BytesIO()
    torch.save({"t": x.t(), "row": x[1]}, file)
    file.seek(0)
    loaded = torch.load(file, map_location="cpu")
    assert loaded["t"].tolist() == x.t().tolist() and loaded["row"].device == CPU
    assert loaded["t"].untyped_storage().data_ptr() == loaded["row"].untyped_storage().data_ptr()
