"""Functions that make tensors, asked for CUDA's."""

from __future__ import annotations

import tempfile

import pytest
import torch

MAKERS = {
    "empty": lambda device: torch.empty(2, device=device),
    "zeros_like": lambda device: torch.zeros_like(torch.ones(2), device=device),
    "rand_like": lambda device: torch.rand_like(torch.ones(2), device=device),
    "tensor": lambda device: torch.tensor([1, 2], device=device),
    "as_tensor": lambda device: torch.as_tensor([1, 2], device=device),
    "asarray": lambda device: torch.asarray([1, 2], device=device),
    "arange": lambda device: torch.arange(3, device=device),
    "full": lambda device: torch.full((2,), 1.0, device=device),
    "randint": lambda device: torch.randint(0, 5, (2,), device=device),
    "randperm": lambda device: torch.randperm(4, device=device),
    "eye": lambda device: torch.eye(2, device=device),
    "linspace": lambda device: torch.linspace(0, 1, 3, device=device),
    "tril_indices": lambda device: torch.tril_indices(3, 3, device=device),
    "hann_window": lambda device: torch.hann_window(4, device=device),
    "empty_strided": lambda device: torch.empty_strided((2, 2), (1, 2), device=device),
    "scalar_tensor": lambda device: torch.scalar_tensor(1.0, device=device),
    "normal": lambda device: torch.normal(0.0, 1.0, (2,), device=device),
    "fft.fftfreq": lambda device: torch.fft.fftfreq(4, device=device),
    "fft.rfftfreq": lambda device: torch.fft.rfftfreq(4, device=device),
    "nested_tensor": lambda device: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], device=device),
    "as_nested_tensor": lambda device: torch.nested.as_nested_tensor([torch.ones(2), torch.ones(3)], device=device),
    "as_nested_tensor, by place": lambda device: torch.nested.as_nested_tensor([torch.ones(2)], None, device),
    "signal.windows": lambda device: torch.signal.windows.cosine(4, device=device),
    "new_zeros": lambda device: torch.ones(1).new_zeros(2, device=device),
    "new_tensor": lambda device: torch.ones(1).new_tensor([1.0], device=device),
    "new_full": lambda device: torch.ones(1).new_full((2,), 1.0, device=device),
    "new_empty": lambda device: torch.ones(1).new_empty(2, device=device),
    "complex": lambda device: torch.polar(torch.ones(2, device=device), torch.ones(2, device=device)),
}


@pytest.mark.parametrize("device", ["cuda:1", torch.device("cuda:1")], ids=str)
@pytest.mark.parametrize("make", MAKERS.values(), ids=list(MAKERS))
def test_on_the_device(make, device) -> None:
    assert make(device).device == torch.device("musa:1")


@pytest.mark.parametrize("make", MAKERS.values(), ids=list(MAKERS))
def test_elsewhere(make) -> None:
    assert make("cpu").device.type == "cpu"
    assert make(None).device.type == "cpu"


def test_a_number_is_a_device() -> None:
    assert torch.empty(1, device=1).device == torch.device("musa:1")


def test_from_file() -> None:
    with tempfile.NamedTemporaryFile() as file:
        file.write(bytes(8))
        file.flush()
        # torch maps files into the CPU's memory, whatever device it is asked for
        assert torch.from_file(file.name, size=2, device="cpu").tolist() == [0.0, 0.0]


def test_the_default_device() -> None:
    torch.set_default_device("cuda:1")
    assert torch.get_default_device() == torch.device("musa:1")
    assert torch.empty(1).device == torch.nn.Linear(1, 1).weight.device == torch.device("musa:1")
    assert torch.zeros_like(torch.ones(1, device="cpu")).device.type == "cpu"


def test_a_device_as_context() -> None:
    with torch.device("cuda:1"):
        assert torch.empty(1).device == torch.fft.fftfreq(2).device == torch.device("musa:1")
        assert torch.empty(1, device="cpu").device.type == "cpu"


def test_operators_asked_for_cuda_by_other_ways() -> None:
    # the function that is called has never been touched
    assert torch._C._VariableFunctions.zeros(2, device="cuda:1").device == torch.device("musa:1")
    assert torch.ops.aten.empty_strided([2], [1], device="cuda").device.type == "musa"


def test_signatures_are_kept() -> None:
    assert torch.empty.__name__ == "empty"
    assert "out" in torch.empty.__doc__
    with pytest.raises(TypeError):
        torch.empty(2, device=3.5)
    with pytest.raises(TypeError):
        torch.zeros(2, nothing=1)


def test_a_class_finds_the_function_that_it_handles() -> None:
    handled = {
        torch.zeros_like: "zeros_like",
        torch.Tensor.new_ones: "new_ones",
        torch.Tensor.to: "to",
        torch.Tensor.cuda: "cuda",
    }

    class Handles(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return handled.get(func) or super().__torch_function__(func, types, args, kwargs or {})

    made = torch.zeros(2).as_subclass(Handles)
    assert torch.zeros_like(made) == "zeros_like"
    assert made.new_ones(2) == "new_ones"
    assert made.to("cuda") == "to"
    assert made.cuda() == "cuda"


def test_a_mode_finds_the_function_that_is_called() -> None:
    class Mode(torch.overrides.TorchFunctionMode):
        seen: list[bool] = []

        def __torch_function__(self, func, types, args=(), kwargs=None):
            self.seen.append(func is torch.zeros)
            return func(*args, **(kwargs or {}))

    with Mode():
        made = torch.zeros(2, device="cuda:1")
    assert made.device == torch.device("musa:1")
    assert Mode.seen == [True]
