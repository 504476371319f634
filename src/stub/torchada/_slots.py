"""Another constructor for a class that is written in C and can't be changed from Python.

`torch.device` is such a class. A class put in its place would not be the type of any device, so that
`type(d) is torch.device` and everything keyed by the class would break. Instead the class keeps its
identity, and its slot `tp_new` leads to Python code.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Any

from ._journal import Journal

_WORD = ctypes.sizeof(ctypes.c_void_p)

# Where a type object has what is read here, in words from its start: CPython's Include/cpython/object.h,
# the same from 3.9 to 3.14 in builds with a global interpreter lock.
_BASICSIZE = 4
_FLAGS = 21
_NEW = 39

#: The flag of types that don't let their attributes be set: Py_TPFLAGS_IMMUTABLETYPE, since CPython 3.10.
_IMMUTABLE = 1 << 8

#: `tp_new`: the type, the positional arguments, and a dictionary of the others.
_Constructor = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object, ctypes.py_object, ctypes.py_object)


def can_replace(cls: type) -> bool:
    """Whether this interpreter lays the class out as expected: what Python says of it is found there."""
    return (
        sys.implementation.name == "cpython"
        and sys.version_info >= (3, 10)
        and _WORD == 8
        and _word(cls, _BASICSIZE).value == cls.__basicsize__
        and _word(cls, _FLAGS).value == cls.__flags__
        and bool(cls.__flags__ & _IMMUTABLE)
        and bool(_word(cls, _NEW).value)
    )


def replace_constructor(
    cls: type, make: Callable[[Callable[[tuple[Any, ...], dict[str, Any]], Any]], Callable[..., Any]], journal: Journal
) -> None:
    """Have `cls(…)` call what `make` gives, as `new(cls, *args, **kwargs)`.

    `make` gets the constructor that the class had; it takes positional and keyword arguments as a tuple
    and a dictionary.
    """
    replace_constructor_of_base(cls, lambda construct: make(lambda args, kwargs: construct(cls, args, kwargs)), journal)


def replace_constructor_of_base(
    cls: type,
    make: Callable[[Callable[[type, tuple[Any, ...], dict[str, Any]], Any]], Callable[..., Any]],
    journal: Journal,
) -> None:
    """As `replace_constructor`, for a class with subclasses: `make` gets a constructor that takes the class
    to be made as well.

    Nothing is done where the interpreter lays the class out in another way.
    """
    if not can_replace(cls):
        return
    slot = _word(cls, _NEW)
    before = slot.value
    was = cls.__dict__["__new__"]
    _set_attribute(cls, "__new__", staticmethod(make(_constructor(was, before))))

    def restore() -> None:
        # The slot comes first, and setting a builtin constructor leaves the slot as it is: a builtin one that a slot for
        # Python's constructors leads to refuses to make anything, and another thread may want an object just then.
        slot.value = before
        _set_attribute(cls, "__new__", was)

    journal.undo_with(restore)


def _constructor(was: Any, slot: int) -> Callable[[type, tuple[Any, ...], dict[str, Any]], Any]:
    """What makes objects so far. Where somebody has replaced it, the slot leads to whatever the class has now."""
    if isinstance(was, staticmethod):
        return lambda cls, args, kwargs: was.__func__(cls, *args, **kwargs)
    return _Constructor(slot)


def _set_attribute(cls: type, name: str, value: Any) -> None:
    """Set an attribute of a type that is closed to it; the interpreter updates the slot."""
    flags = _word(cls, _FLAGS)
    flags.value &= ~_IMMUTABLE
    try:
        setattr(cls, name, value)
    finally:
        flags.value |= _IMMUTABLE


def _word(cls: type, place: int) -> ctypes.c_size_t:
    return ctypes.c_size_t.from_address(id(cls) + place * _WORD)
