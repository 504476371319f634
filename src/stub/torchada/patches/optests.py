"""`torch.library.opcheck`: what a library tests its own operators with."""

from __future__ import annotations

import functools
import sys
from typing import Any

import torch

from .._journal import Journal
from .._registry import patch

_MODULE = "torch.testing._internal.optests.autograd_registration"

#: Where an operator has a derivative, for a tensor on MUSA.
_KEYS = ("AutogradPrivateUse1", "Autograd", "CompositeImplicitAutograd")


@patch("opcheck", module=_MODULE)
def opcheck(journal: Journal) -> None:
    """Have `torch.library.opcheck` find the derivative of an operator that it is given tensors on MUSA for, which
    PyTorch does for the CPU's and CUDA's only."""
    module: Any = sys.modules[_MODULE]
    original = module.autograd_registration_check

    @functools.wraps(original)
    def autograd_registration_check(op: Any, args: Any, kwargs: Any) -> None:
        try:
            original(op, args, kwargs)
        except NotImplementedError:
            if not any(torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), key) for key in _KEYS):
                raise

    # Its package has it by name, too.
    for name in (_MODULE, _MODULE.rpartition(".")[0], f"{_MODULE.rpartition('.')[0]}.generate_tests"):
        holder = sys.modules.get(name)
        if getattr(holder, "autograd_registration_check", None) is original:
            journal.set(holder, "autograd_registration_check", autograd_registration_check)
