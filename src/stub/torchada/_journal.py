"""What was changed in the running process, so that all of it can be put back."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from types import ModuleType
from typing import Any

# The same after `importlib.reload`: what was written down before it holds this one.
_NOTHING = globals().get("_NOTHING") or object()


class Journal:
    """Changes things and remembers how to undo each change.

    Every change that a patch makes goes through its journal. Undoing runs backwards, so an attribute that
    was set twice gets the value that it had before the first time.
    """

    def __init__(self) -> None:
        self._undo: list[Callable[[], None]] = []
        #: The objects that a patch replaced in modules, by their identity: the dotted name of each, and the object,
        #: which stays alive by that.
        self.replaced: dict[int, tuple[str, Any]] = {}

    def set(self, owner: Any, name: str, value: Any) -> None:
        """Give a module, class or object an attribute of its own."""
        # The raw entry, not getattr's: a class's static method or property must go back as it is, and an
        # inherited attribute is no attribute of its own.
        before = vars(owner).get(name, _NOTHING)
        setattr(owner, name, value)
        if isinstance(owner, ModuleType) and callable(before):
            self.replaced.setdefault(id(before), (f"{owner.__name__}.{name}", before))
        self._undo.append(_restore_attribute(owner, name, before))

    def item(self, mapping: MutableMapping[Any, Any], key: Any, value: Any) -> None:
        """Set a mapping's item, such as an environment variable or an entry of `sys.modules`."""
        before = mapping.get(key, _NOTHING)
        mapping[key] = value
        self._undo.append(_restore_item(mapping, key, before))

    def undo_with(self, undo: Callable[[], None]) -> None:
        """Remember how to undo a change that was made by other means."""
        self._undo.append(undo)

    def take(self, other: Journal) -> None:
        """Take over another journal's changes, as later than one's own; what it writes from now on, too."""
        self._undo.extend(other._undo)
        for key, value in other.replaced.items():
            self.replaced.setdefault(key, value)
        other._undo, other.replaced = self._undo, self.replaced

    def roll_back(self) -> None:
        """Undo everything, the last change first."""
        while self._undo:
            self._undo.pop()()
        self.replaced.clear()

    def __len__(self) -> int:
        return len(self._undo)


def _restore_attribute(owner: Any, name: str, before: Any) -> Callable[[], None]:
    def restore() -> None:
        if before is _NOTHING:
            if name in vars(owner):
                delattr(owner, name)
        else:
            setattr(owner, name, before)

    return restore


def _restore_item(mapping: MutableMapping[Any, Any], key: Any, before: Any) -> Callable[[], None]:
    def restore() -> None:
        if before is _NOTHING:
            mapping.pop(key, None)
        else:
            mapping[key] = before

    return restore
