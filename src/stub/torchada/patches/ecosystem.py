"""Libraries that ask for CUDA in ways of their own. Each is patched when it is imported, and never before.

accelerate and transformers have no patch: they know torch_musa and choose the MUSA device themselves.
"""

from __future__ import annotations

import functools
import os
import sys
import types
from collections.abc import Callable
from typing import Any

import torch

from .. import _libraries, _report
from .._journal import Journal
from .._platform import is_gpu_device
from .._registry import patch


@patch("deepspeed", module="deepspeed.accelerator.real_accelerator")
def deepspeed(journal: Journal) -> None:
    """Have DeepSpeed choose its accelerator for CUDA, which is MUSA then, where it would fall back to the CPU
    since `torch.cuda.is_available()` is false. `DS_ACCELERATOR`, or a DeepSpeed that knows MUSA, decides first."""
    theirs = sys.modules["deepspeed.accelerator.real_accelerator"]
    if "musa" in getattr(theirs, "SUPPORTED_ACCELERATOR_LIST", ()):
        return
    original = theirs.get_accelerator
    count = _report.counter("deepspeed", "deepspeed.accelerator.get_accelerator")

    @functools.wraps(original)
    def get_accelerator() -> Any:
        if theirs.ds_accelerator is None and "DS_ACCELERATOR" not in os.environ and torch.musa.is_available():
            from deepspeed.accelerator.cuda_accelerator import CUDA_Accelerator

            count()
            theirs.set_accelerator(CUDA_Accelerator())
        return original()

    journal.set(theirs, "get_accelerator", get_accelerator)


@patch("deepspeed-accelerator", module="deepspeed.accelerator.cuda_accelerator")
def deepspeed_accelerator(journal: Journal) -> None:
    """Have DeepSpeed's accelerator for CUDA be available, and take tensors on the MUSA device for its own."""
    accelerator = sys.modules["deepspeed.accelerator.cuda_accelerator"].CUDA_Accelerator

    @functools.wraps(accelerator.on_accelerator)
    def on_accelerator(self: Any, tensor: torch.Tensor) -> bool:
        return is_gpu_device(tensor.device)

    @functools.wraps(accelerator.is_available)
    def is_available(self: Any) -> bool:
        return torch.musa.is_available()

    journal.set(accelerator, "on_accelerator", on_accelerator)
    journal.set(accelerator, "is_available", is_available)


def _lightning_accelerator(module: str) -> Callable[[Journal], None]:
    def lightning_accelerator(journal: Journal) -> None:
        accelerator = sys.modules[module].CUDAAccelerator
        original = accelerator.setup_device

        @functools.wraps(original)
        def setup_device(self: Any, device: torch.device) -> None:
            if device.type == "musa":
                torch.musa.set_device(device)
            else:
                original(self, device)

        journal.set(accelerator, "setup_device", setup_device)

    lightning_accelerator.__doc__ = f"""Have the `CUDAAccelerator` of `{module}`, which Lightning chooses for "gpu",
    take a MUSA device for the GPU that it expects."""
    return lightning_accelerator


def _lightning_module(module: str) -> Callable[[Journal], None]:
    def lightning_module(journal: Journal) -> None:
        theirs = sys.modules[module].LightningModule
        doc = getattr(vars(theirs).get("on_gpu"), "__doc__", None)
        journal.set(theirs, "on_gpu", property(lambda self: is_gpu_device(self.device), doc=doc))

    lightning_module.__doc__ = f"""Have `on_gpu` of the `LightningModule` of `{module}` be true on a MUSA device."""
    return lightning_module


# Lightning comes as one package and as two, with the same code.
for _name, _module in (
    ("fabric", "lightning_fabric"),
    ("trainer", "pytorch_lightning"),
    ("lightning-fabric", "lightning.fabric"),
    ("lightning-trainer", "lightning.pytorch"),
):
    _place = f"{_module}.accelerators.cuda"
    patch(f"{_name}-accelerator", module=_place)(_lightning_accelerator(_place))
    if "trainer" in _name:
        _place = f"{_module}.core.module"
        patch(f"{_name}-module", module=_place)(_lightning_module(_place))


def _loaded_library(module: str) -> Callable[[Journal], None]:
    def loaded_library(journal: Journal) -> None:
        theirs = sys.modules[module]
        original = getattr(theirs, "find_loaded_library", None)
        if original is None:
            return

        @functools.wraps(original)
        def find_loaded_library(lib_name: str, *args: Any, **kwargs: Any) -> Any:
            stem = _libraries.counterpart(lib_name[3:]) if lib_name.startswith("lib") else None
            found = original(f"lib{stem}", *args, **kwargs) if stem else None
            return found or original(lib_name, *args, **kwargs)

        journal.set(theirs, "find_loaded_library", find_loaded_library)

    loaded_library.__doc__ = f"""Have `{module}`, which looks for `libcudart` among the libraries of the process,
    find `libmusart`."""
    return loaded_library


def _nccl_library(module: str) -> Callable[[Journal], None]:
    def nccl_library(journal: Journal) -> None:
        theirs = sys.modules[module]
        original = getattr(theirs, "find_nccl_library", None)
        if original is None:
            return

        @functools.wraps(original)
        def find_nccl_library(*args: Any, **kwargs: Any) -> str:
            try:
                return original(*args, **kwargs)
            except ValueError:
                # It knows CUDA and ROCm only, by torch's versions; ctypes leads this name to MCCL.
                return "libnccl.so.2"

        journal.set(theirs, "find_nccl_library", find_nccl_library)

    nccl_library.__doc__ = f"""Have `{module}`, which refuses a torch that is built for neither CUDA nor ROCm, use
    MCCL."""
    return nccl_library


for _name, _module in (
    ("sglang", "sglang.srt.distributed.device_communicators"),
    ("vllm", "vllm.distributed.device_communicators"),
):
    patch(f"{_name}-cudart", module=f"{_module}.cuda_wrapper")(_loaded_library(f"{_module}.cuda_wrapper"))
    patch(f"{_name}-nccl", module=f"{_module}.pynccl_wrapper")(_nccl_library(f"{_module}.pynccl_wrapper"))


@patch("sglang-rope", module="sglang.kernels.ops.attention.rope")
def sglang_rope(journal: Journal) -> None:
    """Have SGLang's rotary embedding, a kernel that is compiled by nvcc when it is first called, be made of PyTorch's
    operators."""
    from .._rope import apply_rope_inplace

    journal.set(sys.modules["sglang.kernels.ops.attention.rope"], "apply_rope_inplace", apply_rope_inplace)


#: Functions of `tl.extra.cuda` that kernels name in branches for newer NVIDIA GPUs.
_HOPPER = ("gdc_wait", "gdc_launch_dependents")


@patch("triton-extra", module="triton.language.extra")
def triton_extra(journal: Journal) -> None:
    """Have `tl.extra.cuda` be `tl.extra.musa` where this Triton has it. Triton looks up every name in a kernel,
    also in branches that it leaves out: what is not there is there, and raises NotImplementedError when called."""
    extra: Any = sys.modules["triton.language.extra"]
    name = "triton.language.extra.cuda"
    cuda = getattr(extra, "musa", None)
    if cuda is None:
        cuda = getattr(extra, "cuda", None) or types.ModuleType(name)
    if getattr(extra, "cuda", None) is not cuda:
        journal.set(extra, "cuda", cuda)
        journal.item(sys.modules, name, cuda)
        if isinstance(getattr(cuda, "libdevice", None), types.ModuleType):
            journal.item(sys.modules, f"{name}.libdevice", cuda.libdevice)
    for missing in _HOPPER:
        if not hasattr(cuda, missing):
            journal.set(cuda, missing, _not_on_musa(missing))


def _not_on_musa(name: str) -> Callable[..., Any]:
    def absent(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(
            f"tl.extra.cuda.{name} has no counterpart on MUSA: launch the kernel without dependent launches"
        )

    absent.__name__ = absent.__qualname__ = name
    return absent
