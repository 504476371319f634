"""What torch.compile knows of the device.

torch_musa loads Dynamo when it is imported. That takes as long as the rest of torch, so the stand-in waits until a
program loads it, or asks for a name that comes from it.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = [
    "MusaInterface",
    "get_registered_device_interfaces",
    "musagraphs",
    "register_interface_for_device",
    "supported_ctx_manager_classes",
]

_INTERFACES = "torch._dynamo.device_interface"
_VARIABLES = "torch._dynamo.variables.torch"


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "musagraphs":
        return importlib.import_module(".backend.musagraphs", __name__)
    module = _VARIABLES if name == "supported_ctx_manager_classes" else f"{__name__}.device_interface"
    return getattr(importlib.import_module(module), name)


def _register_interface() -> None:
    importlib.import_module(".device_interface", __name__)


def _register_autocast() -> None:
    import torch_musa

    classes: Any = sys.modules[_VARIABLES]
    classes.supported_ctx_manager_classes[torch_musa.core.amp.autocast_mode.autocast] = None


def _waiting() -> ModuleType:
    """torchada's file for that, by itself: importing the package would change torch."""
    name = f"{__name__}._later"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).resolve().parents[4] / "_later.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _when_loaded(module: str, call: Callable[[], None]) -> None:
    if module in sys.modules:
        call()
    else:
        _later.when_imported(module, call, None)


_later = _waiting()
_when_loaded(_INTERFACES, _register_interface)
_when_loaded(_VARIABLES, _register_autocast)
