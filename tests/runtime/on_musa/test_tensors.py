"""Tensors: factories, views, copies, and what a device refuses."""

from __future__ import annotations

from typing import Callable

import pytest
import torch

FACTORIES: dict[str, Callable[..., torch.Tensor]] = {
    "arange": lambda **kw: torch.arange(6, **kw),
    "empty": lambda **kw: torch.empty(2, 3, **kw).fill_(1),
    "empty_strided": lambda **kw: torch.empty_strided((2, 3), (1, 2), **kw).fill_(1),
    "eye": lambda **kw: torch.eye(3, **kw),
    "fftfreq": lambda **kw: torch.fft.fftfreq(4, **kw),
    "full": lambda **kw: torch.full((2,), 7.0, **kw),
    "hann_window": lambda **kw: torch.hann_window(5, **kw),
    "linspace": lambda **kw: torch.linspace(0, 1, 5, **kw),
    "ones": lambda **kw: torch.ones(2, 2, **kw),
    "tensor": lambda **kw: torch.tensor([[1, 2], [3, 4]], **kw),
    "tril_indices": lambda **kw: torch.tril_indices(3, 3, **kw),
    "zeros": lambda **kw: torch.zeros(3, dtype=torch.bfloat16, **kw),
}


@pytest.mark.parametrize("name", FACTORIES)
def test_factories(name: str, musa: torch.device) -> None:
    made = FACTORIES[name](device="musa")
    assert made.device == musa
    assert torch.equal(made.cpu(), FACTORIES[name](device="cpu"))


def test_arithmetic_is_the_cpus(musa: torch.device) -> None:
    left, right = torch.randn(5, 4), torch.randn(4, 3)
    result = left.to(musa) @ right.to(musa)
    assert result.device == musa
    torch.testing.assert_close(result.cpu(), left @ right)
    assert (left.to(musa) + 1).sum().item() == pytest.approx((left + 1).sum().item(), rel=1e-5)


def test_views_share_memory(musa: torch.device) -> None:
    whole = torch.arange(12.0, device=musa).view(3, 4)
    whole.t()[1:3].zero_()
    assert whole.cpu()[:, 1:3].count_nonzero() == 0
    whole.as_strided((2,), (4,)).fill_(9)
    assert whole.cpu()[:2, 0].tolist() == [9, 9]
    assert whole.unfold(1, 2, 1).shape == (3, 3, 2)
    assert whole.reshape(-1).data_ptr() == whole.data_ptr()
    assert whole.narrow(0, 1, 1).storage_offset() == 4


def test_in_place_out_and_indexing(musa: torch.device) -> None:
    values = torch.arange(6.0, device=musa)
    out = torch.empty(0, device=musa)
    torch.add(values, values, out=out)
    assert out.tolist() == [0, 2, 4, 6, 8, 10]
    values[values > 3] = 1
    values.masked_fill_(values == 0, 5)
    assert values.tolist() == [5, 1, 2, 3, 1, 1]
    assert values[torch.tensor([0, 2])].tolist() == [5, 2]  # an index on the host is allowed
    assert values.unique().numel() == 4
    assert values.topk(1).values.item() == 5
    assert torch.cat([values, out]).numel() == 12
    assert values.nonzero().device == musa


def test_dtypes_and_layout_of_copies(musa: torch.device) -> None:
    source = torch.randn(2, 3, 4, 4).to(memory_format=torch.channels_last)
    there = source.to(musa, torch.float16, memory_format=torch.preserve_format)
    assert there.is_contiguous(memory_format=torch.channels_last)
    torch.testing.assert_close(there.cpu(), source.half())
    there.copy_(torch.ones_like(source))
    assert there.float().mean().item() == 1
    assert torch.ones(3, device=musa).to("cpu", non_blocking=True).tolist() == [1, 1, 1]


def test_complex_views(musa: torch.device) -> None:
    numbers = torch.view_as_complex(torch.randn(3, 2)).to(musa)
    squared = numbers.conj() * numbers
    assert squared.imag.abs().max().item() < 1e-6
    torch.testing.assert_close(numbers.conj().cpu(), numbers.cpu().conj())
    torch.testing.assert_close(numbers.conj().imag.clone().cpu(), -numbers.imag.cpu())
    assert torch.fft.fft(torch.randn(8, device=musa)).device == musa


def test_storages(musa: torch.device) -> None:
    tensor = torch.arange(4.0, device=musa)
    assert tensor.untyped_storage().device == musa
    other = torch.empty(0, device=musa).set_(tensor.untyped_storage(), 1, (2,), (1,))
    assert other.tolist() == [1, 2]
    other.set_(tensor)
    assert other.data_ptr() == tensor.data_ptr()
    tensor.resize_(8)
    assert tensor.untyped_storage().nbytes() == 32
    tensor.set_()
    assert tensor.numel() == 0 and tensor.device == musa
    assert torch.UntypedStorage(4, device="musa").copy_(torch.UntypedStorage([1, 2, 3, 4])).cpu().tolist() == [
        1,
        2,
        3,
        4,
    ]


def test_mixed_devices_are_refused(musa: torch.device) -> None:
    for action in (
        lambda: torch.ones(3, device=musa) + torch.ones(3),
        lambda: torch.ones(3, device="musa:0") + torch.ones(3, device="musa:1"),
        lambda: torch.nn.Linear(3, 3).to(musa)(torch.ones(1, 3)),
        lambda: torch.nn.Conv1d(1, 1, 1).to(musa)(torch.ones(1, 1, 3)),
        lambda: torch.cat([torch.ones(3, device=musa), torch.ones(3)]),
    ):
        with pytest.raises(RuntimeError, match="same device"):
            action()
    assert (torch.ones(3, device=musa) + torch.tensor(2.0)).tolist() == [3, 3, 3]  # a number goes with all


def test_numpy_is_refused(musa: torch.device) -> None:
    with pytest.raises(TypeError, match="can't convert musa:0 device type tensor to numpy"):
        torch.ones(3, device=musa).numpy()


def test_an_unknown_operator_says_so(musa: torch.device) -> None:
    with pytest.raises((NotImplementedError, RuntimeError)):
        torch.ops.aten._cudnn_init_dropout_state(0.5, True, 1, dtype=torch.uint8, device=musa)


def test_printing(musa: torch.device) -> None:
    assert repr(torch.ones(2, device=musa)) == "tensor([1., 1.], device='musa:0')"


def test_types_of_tensors() -> None:
    x = torch.musa.FloatTensor([1, 2])
    assert x.device.type == "musa" and x.dtype == torch.float32 and x.tolist() == [1, 2]
    assert isinstance(x, torch.musa.FloatTensor)
    assert not isinstance(x, (torch.musa.HalfTensor, torch.FloatTensor)) and not isinstance(
        x.cpu(), torch.musa.FloatTensor
    )
    assert torch.musa.LongTensor(2, 3).shape == (2, 3) and torch.musa.IntTensor().numel() == 0
    assert torch.musa.FloatTensor(x).data_ptr() == x.data_ptr()
    assert torch.musa.FloatTensor(x.untyped_storage()).numel() == 2
    assert torch.musa.ByteTensor(1, device="musa:1").device == torch.device("musa:1")
    with pytest.raises(TypeError, match=r"torch\.musa\.HalfTensor"):
        torch.musa.HalfTensor(x)
    with pytest.raises(RuntimeError, match="device type"):
        torch.musa.HalfTensor(1, device="cpu")
    assert torch.musa.BFloat16Tensor.dtype is torch.bfloat16 and torch.musa.FloatTensor.add is torch.Tensor.add
    assert repr(torch.musa.FloatTensor) == "<class 'torch_musa.FloatTensor'>"


def test_tensors_become_other_types() -> None:
    x = torch.ones(2)
    for kind in ("torch.musa.HalfTensor", "torch_musa.HalfTensor", torch.musa.HalfTensor):
        assert isinstance(x.type(kind), torch.musa.HalfTensor)
        assert x.type(kind).type() == "torch.musa.HalfTensor"
    assert x.type() == "torch.FloatTensor" and x.type(torch.int64).dtype == torch.int64
    assert x.musa().type("torch.FloatTensor").device.type == "cpu"


def test_operators_that_know_of_conjugates_numbers_and_columns() -> None:
    one, other = torch.tensor([[1 + 2j, 3 - 1j], [2j, 1]]), torch.tensor([[2 - 1j, 1j], [1, 4 + 4j]])
    assert torch.equal((one.musa().mH @ other.musa().conj()).cpu(), one.mH @ other.conj())
    numbers = torch.tensor([1.5, -2.5], dtype=torch.float64)
    assert torch.equal(torch.copysign(numbers.musa(), -3.14).cpu(), torch.copysign(numbers, -3.14))
    assert torch.equal(torch.remainder(numbers.musa(), 0.7).cpu(), torch.remainder(numbers, 0.7))
    assert (torch.ones((), dtype=torch.float16, device="musa") * 2.0).dtype == torch.float16
    tall, right = torch.randn(4, 3), torch.randn(4, 3)
    found = torch.linalg.lstsq(tall.musa(), right.musa()).solution
    assert torch.allclose(found.cpu(), torch.linalg.lstsq(tall, right).solution, atol=1e-5)


def test_parts_of_complex_numbers_are_views() -> None:
    numbers = torch.zeros(2, 3, dtype=torch.complex64, device="musa")[1]
    numbers.imag.fill_(2.0)
    torch.view_as_real(numbers)[0, 0] = 1.0
    assert numbers.cpu().tolist() == [1 + 2j, 2j, 2j]
    pairs = torch.arange(4.0, device="musa").view(2, 2)
    torch.view_as_complex(pairs).mul_(1j)
    assert pairs.cpu().tolist() == [[-1.0, 0.0], [-3.0, 2.0]]
