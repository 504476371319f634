"""The types that tensors and storages had before devices and dtypes, as older programs for CUDA use them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch


@pytest.fixture(autouse=True)
def default_type() -> Iterator[None]:
    yield
    torch.set_default_tensor_type(torch.FloatTensor)


def test_making_tensors() -> None:
    x = torch.cuda.FloatTensor(2, 3)
    assert x.is_cuda and x.dtype == torch.float32 and x.shape == (2, 3)
    assert torch.cuda.LongTensor([[1], [2]]).tolist() == [[1], [2]]
    assert torch.cuda.HalfTensor(torch.Size([4])).shape == (4,)
    assert torch.cuda.ByteTensor().numel() == 0
    assert torch.cuda.FloatTensor(x).data_ptr() == x.data_ptr()
    assert torch.cuda.FloatTensor(x.untyped_storage()).numel() == 6
    assert torch.cuda.IntTensor(2, device="cuda:1").device == torch.device("cuda:1")
    with pytest.raises(TypeError, match="FloatTensor"):
        torch.cuda.FloatTensor(torch.ones(1))


def test_isinstance() -> None:
    x = torch.ones(2, device="cuda")
    assert isinstance(x, torch.cuda.FloatTensor)
    assert not isinstance(x, (torch.cuda.HalfTensor, torch.FloatTensor, torch.cuda.sparse.FloatTensor))
    assert not isinstance(torch.ones(2), torch.cuda.FloatTensor)
    assert torch.cuda.FloatTensor.dtype == torch.float32 and torch.cuda.FloatTensor.is_cuda
    assert repr(torch.cuda.FloatTensor) == "<class 'torch.cuda.FloatTensor'>"


def test_conversion() -> None:
    x = torch.ones(2)
    assert isinstance(x.type("torch.cuda.HalfTensor"), torch.cuda.HalfTensor)
    assert isinstance(x.type(torch.cuda.DoubleTensor), torch.cuda.DoubleTensor)
    y = torch.ones(2, device="cuda:1")
    assert y.type(torch.cuda.FloatTensor) is y
    assert y.type(torch.float16).dtype == y.type("torch.cuda.HalfTensor").dtype == torch.float16
    assert y.type(dtype=torch.cuda.HalfTensor, non_blocking=True).device == torch.device("cuda:1")
    assert y.type("torch.FloatTensor").device.type == y.type(torch.FloatTensor).device.type == "cpu"
    assert x.type() == "torch.FloatTensor" and y.type() == "torch.musa.FloatTensor"


@pytest.mark.parametrize("kind", ["torch.cuda.HalfTensor", torch.cuda.HalfTensor], ids=["name", "type"])
def test_the_default(kind: object) -> None:
    torch.set_default_tensor_type(kind)
    assert torch.zeros(1).is_cuda and torch.tensor([1.0]).dtype == torch.float16
    torch.set_default_tensor_type("torch.FloatTensor")
    assert not torch.zeros(1).is_cuda and torch.zeros(1).dtype == torch.float32


def test_storages() -> None:
    storage = torch.ones(4).untyped_storage()
    assert not storage.is_cuda
    assert storage.cuda().is_cuda and storage.cuda(1).device == torch.device("cuda:1")
    assert storage.to(device="cuda").device == torch.device("cuda:0")
    assert torch.UntypedStorage(4, device="cuda:1").device == torch.device("cuda:1")
    assert torch.UntypedStorage(4).device.type == "cpu"
    assert storage.cuda().cpu().device.type == "cpu"


def test_typed_storages() -> None:
    typed = torch.ones(4).storage()
    assert not typed.is_cuda and isinstance(typed, torch.FloatStorage)
    assert typed.cuda().is_cuda and isinstance(typed.cuda(), torch.cuda.FloatStorage)
    assert not isinstance(typed.cuda(), torch.FloatStorage)
    assert torch.cuda.FloatStorage(3).device == torch.device("cuda:0")
    assert torch.TypedStorage(3, dtype=torch.half, device="cuda").is_cuda
