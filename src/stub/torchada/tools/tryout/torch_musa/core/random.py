"""Random numbers: the default generators of the devices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
import torch_musa
from torch_musa import _MUSAC

from ._utils import DeviceUnion, _get_musa_device_index

__all__ = [
    "fork_rng",
    "get_rng_state",
    "get_rng_state_all",
    "initial_seed",
    "manual_seed",
    "manual_seed_all",
    "seed",
    "seed_all",
    "set_rng_state",
    "set_rng_state_all",
]

_torch_fork_rng = torch.random.fork_rng


def _default_generators() -> tuple[torch.Generator, ...]:
    return tuple(_MUSAC._musa_getDefaultGenerator(index) for index in range(_MUSAC._musa_getDeviceCount()))


def _generator(device: DeviceUnion = "musa") -> torch.Generator:
    return torch_musa.default_generators[_get_musa_device_index(device, optional=True)]


def get_rng_state(device: DeviceUnion = "musa") -> torch.Tensor:
    """The state of a device's generator."""
    return _generator(device).get_state()


def set_rng_state(new_state: torch.Tensor, device: DeviceUnion = "musa") -> None:
    """Put a device's generator into a state."""
    _generator(device).set_state(new_state.clone(memory_format=torch.contiguous_format))


def get_rng_state_all() -> list[torch.Tensor]:
    """The states of all."""
    return [generator.get_state() for generator in torch_musa.default_generators]


def set_rng_state_all(new_states: Iterable[torch.Tensor]) -> None:
    """Put all into their states."""
    for index, state in enumerate(new_states):
        set_rng_state(state, index)


def manual_seed(seed: int) -> None:
    """Seed the current device."""
    _generator().manual_seed(int(seed))


def manual_seed_all(seed: int) -> None:
    """Seed all devices."""
    for generator in torch_musa.default_generators:
        generator.manual_seed(int(seed))


def seed() -> None:
    """Seed the current device with a number that nobody knows."""
    _generator().seed()


def seed_all() -> None:
    """Seed all devices with one number that nobody knows."""
    seed()
    manual_seed_all(initial_seed())


def initial_seed() -> int:
    """What the current device was seeded with."""
    return _generator().initial_seed()


def fork_rng(devices: Iterable[Any] | None = None, enabled: bool = True, **kwargs: Any) -> Any:
    """torch's own, for this device where none is named."""
    kwargs.setdefault("device_type", "musa")
    return _torch_fork_rng(devices, enabled, **kwargs)
