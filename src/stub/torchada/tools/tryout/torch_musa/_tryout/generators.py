"""Random numbers of the device: a generator of the CPU's for each, which says that it is the device's."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Iterator
from typing import Any

import torch

from . import devices

_Base = torch._C.Generator


#: What makes a generator of torch's, once `construct` has taken its place.
_construct: list[Any] = []


#: The device's generators by what torch's C++ half knows them by: it hands out other objects for them.
_known: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()


class Generator(_Base):  # type: ignore[misc,valid-type]
    """A generator of the device."""

    def __new__(cls, index: int = 0) -> Generator:
        made: Generator = _construct[-1](cls, (), {"device": "cpu"})
        made._index = devices.checked(index)
        _known[made._cdata] = made
        return made

    _index: int
    _offset = 0

    @property
    def device(self) -> torch.device:  # type: ignore[override]
        """The device that it is for."""
        return torch.device("musa", self._index)

    def get_offset(self) -> int:
        """A device's generator is pickled as seed and offset, which the CPU's has not."""
        return self._offset

    def set_offset(self, offset: int) -> Generator:
        """Kept, and not used."""
        self._offset = offset
        return self

    def clone_state(self) -> Generator:
        """Another one in the same state."""
        made = Generator(self._index)
        made.set_state(self.get_state())
        return made

    def graphsafe_get_state(self) -> Generator:
        """The same as a clone."""
        return self.clone_state()

    def graphsafe_set_state(self, state: torch.Generator) -> Generator:
        """Take over another one's state."""
        self.set_state(state.get_state())
        return self

    def __reduce__(self) -> Any:
        return _rebuild, (self._index, self.get_state())


def _rebuild(index: int, state: torch.Tensor) -> Generator:
    made = Generator(index)
    made.set_state(state)
    return made


_defaults: list[Generator] = []


def default(index: int) -> Generator:
    """The generator of a device."""
    if not _defaults:
        for each in range(devices.COUNT):
            _defaults.append(Generator(each))
            _defaults[-1].seed()
    return _defaults[devices.checked(index)]


def give(plan: Any, args: list[Any], kwargs: dict[str, Any], index: int) -> None:
    """Have an operator use the device's generator where none was given; refuse one of the CPU's."""
    place = plan.names.index(plan.generator)
    given = args[place] if place < len(args) else kwargs.get(plan.generator)
    if given is None:
        if place < len(args):
            args[place] = default(index)
        else:
            kwargs[plan.generator] = default(index)
    elif given._cdata not in _known:
        raise RuntimeError("Expected a 'musa' device type for generator but found 'cpu'")


@contextlib.contextmanager
def seeded(index: int) -> Iterator[None]:
    """For operators that take no generator: the CPU's own is in the state of the device's meanwhile."""
    cpu, mine = torch.default_generator, default(index)
    before = cpu.get_state()
    cpu.set_state(mine.get_state())
    try:
        yield
    finally:
        mine.set_state(cpu.get_state())
        cpu.set_state(before)


def construct(make: Any) -> Any:
    """`torch.Generator(device)`, with the device's own for the device."""
    _construct.append(make)

    def new(cls: type, *args: Any, **kwargs: Any) -> Any:
        device = args[0] if args else kwargs.get("device", "cpu")
        if cls is _Base and device is not None:
            wanted = torch.device(device)
            if wanted.type == "musa":
                return Generator(devices.current() if wanted.index is None else wanted.index)
        return make(cls, args, kwargs)

    return new
