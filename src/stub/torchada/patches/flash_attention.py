"""Attention kernels, which MUSA has under the name `flash_attn_interface`.

The package `flash_attn` is not led there: its functions take other arguments in the same places, such as
the dropout before the scale.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from .. import _report
from .._journal import Journal
from .._registry import patch

_INTERFACE = "flash_attn_interface"
_PACKAGE = "sgl_kernel"
_NAME = "sgl_kernel.flash_attn"


def _is_installed(name: str) -> bool:
    try:
        return name in sys.modules or importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


class _Loader(Loader):
    """Gives a module that has been loaded under another name, or an empty package."""

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        if spec.name == _PACKAGE:
            return None
        module = importlib.import_module(_INTERFACE)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        if module.__name__ == _INTERFACE:
            # The import system has given it the spec of its second name.
            module.__spec__ = self._spec


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname == self.name and _is_installed(_INTERFACE):
            self.count()
            return ModuleSpec(fullname, _Loader(), is_package=fullname == _PACKAGE)
        return None

    def __init__(self, name: str, count: Callable[[], None]) -> None:
        self.name = name
        self.count = count


@patch("sgl-kernel-flash-attn")
def sgl_kernel(journal: Journal) -> None:
    """Have `sgl_kernel.flash_attn` be `flash_attn_interface` where that is installed, imported only when it is
    asked for; where there is no `sgl_kernel`, it is an empty package then."""
    count = _report.counter("sgl-kernel-flash-attn", _NAME)
    # Before the package's own module, which is for CUDA; after a package that is installed.
    first, last = _Finder(_NAME, count), _Finder(_PACKAGE, lambda: None)
    sys.meta_path.insert(0, first)
    sys.meta_path.append(last)

    def undo() -> None:
        for finder in (first, last):
            if finder in sys.meta_path:
                sys.meta_path.remove(finder)
        interface, package = sys.modules.get(_INTERFACE), sys.modules.get(_PACKAGE)
        if interface is not None and sys.modules.get(_NAME) is interface:
            del sys.modules[_NAME]
            if getattr(package, "flash_attn", None) is interface:
                del package.flash_attn  # type: ignore[union-attr]
        if package is not None and isinstance(getattr(package.__spec__, "loader", None), _Loader):
            del sys.modules[_PACKAGE]

    journal.undo_with(undo)


@patch("flash-attn-interface", module=_INTERFACE)
def flash_attn_interface(journal: Journal) -> None:
    """Have the functions of `flash_attn_interface` take `only_qv=False`, which callers of newer interfaces pass,
    and `_flash_attn_forward` be there for ring attention, made of the public function that gives the same."""
    module = sys.modules[_INTERFACE]
    for name in sorted({*dir(module), "flash_attn_func", "flash_attn_varlen_func", "flash_attn_with_kvcache"}):
        function = getattr(module, name, None) if name.startswith("flash_attn") else None
        if function is not None and not isinstance(function, type) and _refuses(function, "only_qv"):
            journal.set(module, name, _without_only_qv(name, function))
    public = getattr(module, "flash_attn_func", None)
    if not hasattr(module, "_flash_attn_forward") and public is not None and _takes(public, "return_softmax_lse"):
        journal.set(module, "_flash_attn_forward", _forward(public))


def _parameters(function: Any) -> Any:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return None


def _takes(function: Any, name: str) -> bool:
    parameters = _parameters(function)
    return parameters is not None and name in parameters


def _refuses(function: Any, name: str) -> bool:
    """Whether a call with this keyword is sure to fail."""
    parameters = _parameters(function)
    if parameters is None or name in parameters:
        return False
    return all(each.kind is not inspect.Parameter.VAR_KEYWORD for each in parameters.values())


def _without_only_qv(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs.pop("only_qv", False):
            raise NotImplementedError(f"this {_INTERFACE}.{name} has no only_qv: another attention backend is needed")
        return function(*args, **kwargs)

    return call


def _forward(public: Callable[..., Any]) -> Callable[..., Any]:
    def _flash_attn_forward(
        q: Any,
        k: Any,
        v: Any,
        *,
        softmax_scale: float | None = None,
        causal: bool = False,
        window_size_left: int = -1,
        window_size_right: int = -1,
        softcap: float = 0.0,
    ) -> tuple[Any, Any, None, None]:
        """The output and the softmax's log-sum-exp; there are no auxiliaries for a backward pass."""
        found = public(
            q,
            k,
            v,
            softmax_scale=softmax_scale,
            causal=causal,
            window_size=(window_size_left, window_size_right),
            softcap=softcap,
            return_softmax_lse=True,
        )
        if not isinstance(found, (tuple, list)) or len(found) < 2:
            raise RuntimeError(
                "flash_attn_func(return_softmax_lse=True) must return (output, softmax_lse), and does not"
            )
        return found[0], found[1], None, None

    _flash_attn_forward.__module__ = _INTERFACE
    return _flash_attn_forward
