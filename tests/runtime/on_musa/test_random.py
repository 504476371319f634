"""Random numbers: generators, seeds, states."""

from __future__ import annotations

import pytest
import torch


def test_own_generators(musa: torch.device) -> None:
    generator = torch.Generator(device="musa").manual_seed(3)
    assert generator.device == musa
    first = torch.randn(4, device=musa, generator=generator)
    second = torch.randn(4, device=musa, generator=generator)
    assert not torch.equal(first, second)
    generator.manual_seed(3)
    assert torch.equal(first, torch.randn(4, device=musa, generator=generator))
    assert torch.equal(second, torch.empty(4, device=musa).normal_(generator=generator))


def test_seeding_torch_seeds_the_device(musa: torch.device) -> None:
    torch.manual_seed(1)
    first = torch.rand(3, device=musa)
    torch.manual_seed(1)
    assert torch.equal(first, torch.rand(3, device=musa))
    assert not torch.equal(first, torch.rand(3, device=musa))


def test_states(musa: torch.device) -> None:
    torch.musa.manual_seed_all(5)
    assert torch.musa.initial_seed() == 5
    state, states = torch.musa.get_rng_state(), torch.musa.get_rng_state_all()
    first = torch.randperm(9, device=musa)
    torch.musa.set_rng_state(state)
    assert torch.equal(first, torch.randperm(9, device=musa))
    torch.musa.set_rng_state_all(states)
    assert torch.equal(first, torch.randperm(9, device=musa))


def test_devices_have_their_own(musa: torch.device) -> None:
    torch.musa.manual_seed_all(5)
    first = torch.rand(3, device="musa:0")
    assert torch.equal(first.cpu(), torch.rand(3, device="musa:1").cpu())
    assert torch.musa.default_generators[1].device.index == 1


def test_fork_rng(musa: torch.device) -> None:
    torch.musa.manual_seed(2)
    expected = torch.rand(2, device=musa)
    torch.musa.manual_seed(2)
    with torch.random.fork_rng(devices=[0]):
        torch.rand(2, device=musa)
    assert torch.equal(expected, torch.rand(2, device=musa))


def test_a_generator_of_another_device_is_refused(musa: torch.device) -> None:
    with pytest.raises(RuntimeError):
        torch.randn(2, generator=torch.Generator(device="musa"))


def test_dropout_keeps_its_share(musa: torch.device) -> None:
    kept = torch.nn.functional.dropout(torch.ones(2000, device=musa), 0.25).count_nonzero().item()
    assert 1350 < kept < 1650
