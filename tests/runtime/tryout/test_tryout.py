"""Programs written for CUDA, unchanged, on the try-out's device: numbers, refusals, and what a program asks about."""

from __future__ import annotations

import copy
import io
import subprocess
import sys

import pytest
import torch


def both(make: object, *inputs: torch.Tensor) -> float:
    """How far a module is from itself on the CPU: results and gradients."""
    torch.manual_seed(0)
    here = make()
    there = copy.deepcopy(here).cuda()
    worst = 0.0
    results = []
    for module, given in ((here, inputs), (there, [each.cuda() for each in inputs])):
        found = module(*given)
        found = found[0] if isinstance(found, tuple) else found
        found.sum().backward()
        results.append(found)
    pairs = [(results[0], results[1])] + [(p.grad, q.grad) for p, q in zip(here.parameters(), there.parameters())]
    for one, other in pairs:
        assert other.is_cuda and other.device.type == "musa"
        worst = max(worst, (one - other.cpu()).abs().max().item())
    return worst


@pytest.mark.parametrize(
    ("make", "sizes"),
    [
        (lambda: torch.nn.LSTM(4, 3), (5, 2, 4)),
        (lambda: torch.nn.GRU(4, 3), (5, 2, 4)),
        (lambda: torch.nn.Conv2d(3, 4, 3), (2, 3, 6, 6)),
        (lambda: torch.nn.ConvTranspose1d(3, 4, 3), (2, 3, 6)),
        (lambda: torch.nn.BatchNorm1d(4), (5, 4)),
        (lambda: torch.nn.TransformerEncoderLayer(8, 2, dropout=0, batch_first=True), (2, 5, 8)),
    ],
)
def test_numbers_are_those_of_the_cpu(make: object, sizes: tuple[int, ...]) -> None:
    assert both(make, torch.randn(sizes, generator=torch.Generator().manual_seed(1))) < 1e-5


def test_a_parameter_that_moves_stays_the_same_and_tied() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
    model[1].weight = model[0].weight
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    weight = model[0].weight
    model.cuda()
    assert model[0].weight is weight is model[1].weight and weight.is_cuda
    before = weight.sum().item()
    model(torch.ones(1, 2, device="cuda")).sum().backward()
    optimizer.step()
    assert weight.sum().item() != before


def test_mixed_precision_and_its_scaler() -> None:
    model = torch.nn.Linear(4, 4).cuda()
    scaler = torch.cuda.amp.GradScaler()
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    with torch.autocast("cuda", dtype=torch.bfloat16):
        made = model(torch.ones(2, 4, device="cuda"))
        loss = torch.nn.functional.mse_loss(made, torch.zeros_like(made))
    assert made.dtype == torch.bfloat16 and loss.dtype == torch.float32
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert (torch.ones(2, 2, device="cuda") @ torch.ones(2, 2, device="cuda")).dtype == torch.float32


def test_generators_are_the_devices_own() -> None:
    generator = torch.Generator("cuda").manual_seed(5)
    first = torch.randn(3, device="cuda", generator=generator)
    assert generator.device.type == "musa"
    assert torch.equal(first, torch.randn(3, device="cuda", generator=torch.Generator("cuda").manual_seed(5)))
    with pytest.raises(RuntimeError, match="generator"):
        torch.randn(3, device="cuda", generator=torch.Generator())
    before = torch.get_rng_state()
    torch.nn.functional.dropout(torch.ones(9, device="cuda"))
    assert torch.equal(before, torch.get_rng_state())


def test_checkpoints_go_and_come() -> None:
    file = io.BytesIO()
    torch.save({"w": torch.arange(3.0, device="cuda:1")}, file)
    file.seek(0)
    assert torch.load(file, map_location="cuda")["w"].device == torch.device("musa", 0)
    assert copy.deepcopy(torch.ones(2, device="cuda")).is_cuda


def test_pinned_memory_and_copies_that_do_not_block() -> None:
    pinned = torch.empty(3, pin_memory=True)
    assert pinned.is_pinned() and torch.ones(2).pin_memory().is_pinned() and not torch.ones(2).is_pinned()
    assert pinned.cuda(non_blocking=True).to("cpu", non_blocking=True).device.type == "cpu"


@pytest.mark.parametrize("backend", ["eager", "aot_eager", "inductor"])
def test_compiled_functions_run(backend: str) -> None:
    compiled = torch.compile(lambda x: torch.relu(x @ x) + 1, backend=backend)
    x = torch.randn(3, 3, device="cuda", requires_grad=True)
    compiled(x).sum().backward()
    assert x.grad is not None and x.grad.is_cuda


def test_what_has_no_meaning_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="try-out"):
        torch.ones(3, device="cuda").untyped_storage().resize_(0)
    with pytest.raises(NotImplementedError, match="try-out"):
        torch.eye(2, device="cuda").to_sparse()
    with pytest.raises(NotImplementedError, match="dense tensors only"):
        torch.sparse_coo_tensor(torch.tensor([[0], [1]]), torch.ones(1), (2, 2), device="cuda")


def test_a_child_has_the_device_too() -> None:
    code = "import torch; print(torch.ones(2, device='cuda').sum().item(), torch.cuda.device_count())"
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout.split() == ["2.0", "2"]
