"""Libraries that ask for CUDA in their own ways: stand-ins that ask as the real ones do."""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
import torchada

Write = Callable[[dict[str, str]], None]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes modules that can be imported in this test; afterwards all is forgotten."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)

    def write(modules: dict[str, str]) -> None:
        for name, text in modules.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            for folder in path.relative_to(tmp_path).parents:
                if str(folder) != ".":
                    (tmp_path / folder / "__init__.py").touch()
            path.write_text(text)
        importlib.invalidate_caches()

    # What waits for an import waits again for each test.
    torchada.unpatch()
    torchada.apply_patches()
    yield write
    for name in set(sys.modules) - before:
        del sys.modules[name]


DEEPSPEED = {
    "deepspeed/accelerator/__init__.py": "from .real_accelerator import get_accelerator, set_accelerator\n",
    "deepspeed/accelerator/real_accelerator.py": """
import os
SUPPORTED_ACCELERATOR_LIST = ["cuda", "cpu"]
ds_accelerator = None

def get_accelerator():
    global ds_accelerator
    if ds_accelerator is None:
        import torch
        name = os.environ.get("DS_ACCELERATOR")
        if name is None:
            name = "cuda" if torch.cuda.device_count() > 0 and torch.cuda.is_available() else "cpu"
        if name == "cuda":
            from .cuda_accelerator import CUDA_Accelerator
            ds_accelerator = CUDA_Accelerator()
        else:
            ds_accelerator = "the CPU"
    return ds_accelerator

def set_accelerator(accelerator):
    global ds_accelerator
    ds_accelerator = accelerator
""",
    "deepspeed/accelerator/cuda_accelerator.py": """
import functools, torch

class CUDA_Accelerator:
    def device_name(self, device_index=None):
        return "cuda" if device_index is None else f"cuda:{device_index}"
    def current_device_name(self):
        return f"cuda:{torch.cuda.current_device()}"
    def device_count(self):
        return torch.cuda.device_count()
    def is_available(self):
        return torch.cuda.is_available()
    def on_accelerator(self, tensor):
        return str(tensor.device).startswith("cuda:")
    @property
    def HalfTensor(self):
        return functools.partial(torch.tensor, dtype=torch.half, device="cuda")
""",
}


def test_deepspeed(package: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    package(DEEPSPEED)
    from deepspeed.accelerator import get_accelerator  # type: ignore[import-not-found]

    chosen = get_accelerator()
    assert type(chosen).__name__ == "CUDA_Accelerator"
    assert get_accelerator() is chosen
    assert chosen.is_available() and chosen.device_count() == 2
    made = chosen.HalfTensor([1.0])
    assert chosen.on_accelerator(made) and not chosen.on_accelerator(torch.ones(1))
    assert torch.ones(1).to(chosen.current_device_name()).device == torch.device("musa:0")


def test_deepspeed_may_be_told(package: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    package(DEEPSPEED)
    monkeypatch.setenv("DS_ACCELERATOR", "cpu")
    assert importlib.import_module("deepspeed.accelerator").get_accelerator() == "the CPU"


def test_a_deepspeed_that_knows_musa(package: Write) -> None:
    modules = dict(DEEPSPEED)
    name = "deepspeed/accelerator/real_accelerator.py"
    modules[name] = modules[name].replace('"cuda", "cpu"]', '"cuda", "cpu", "musa"]')
    package(modules)
    assert importlib.import_module("deepspeed.accelerator").get_accelerator() == "the CPU"


ACCELERATOR = """
import torch

class CUDAAccelerator:
    def setup_device(self, device):
        if device.type != "cuda":
            raise ValueError(f"Device should be CUDA, got {device} instead.")
        torch.cuda.set_device(device)
    @staticmethod
    def get_parallel_devices(devices):
        return [torch.device("cuda", i) for i in devices]
    @staticmethod
    def is_available():
        return torch.cuda.device_count() > 0
"""

MODULE = """
import torch

class LightningModule(torch.nn.Module):
    device = torch.device("cuda", 1)
    @property
    def on_gpu(self):
        return self.device.type == "cuda"
"""


@pytest.mark.parametrize("name", ["lightning_fabric", "pytorch_lightning", "lightning/fabric", "lightning/pytorch"])
def test_lightning(package: Write, name: str) -> None:
    package({f"{name}/accelerators/cuda.py": ACCELERATOR, f"{name}/core/module.py": MODULE})
    accelerator = importlib.import_module(f"{name.replace('/', '.')}.accelerators.cuda").CUDAAccelerator
    assert accelerator.is_available()
    device = accelerator.get_parallel_devices([1])[0]
    accelerator().setup_device(device)
    assert torch.cuda.current_device() == 1
    with pytest.raises(ValueError, match="should be CUDA"):
        accelerator().setup_device(torch.device("cpu"))
    if "fabric" not in name:
        assert importlib.import_module(f"{name.replace('/', '.')}.core.module").LightningModule().on_gpu


def test_accelerate_and_transformers_choose_musa_themselves(package: Write) -> None:
    """How both ask; nothing is patched for it."""
    package({
        "asker.py": """
import importlib.util, torch
def is_musa_available():
    if importlib.util.find_spec("torch_musa") is None:
        return False
    import torch_musa
    return hasattr(torch, "musa") and torch.musa.is_available()
def default_device():
    if is_musa_available():
        return torch.device("musa")
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")
"""
    })  # fmt: skip
    asker = importlib.import_module("asker")
    assert asker.default_device() == torch.device("musa")
    assert not torch.cuda.is_available()
    assert torch.musa.is_bf16_supported() in (True, False)


FLASH = """
calls = []
def flash_attn_func(q, k, v, softmax_scale=None, causal=False, window_size=(-1, -1), softcap=0.0,
                    return_softmax_lse=False):
    calls.append(window_size)
    return (q, "lse") if return_softmax_lse and q != "alone" else q
def flash_attn_varlen_func(q, k, v): return q
def flash_attn_with_kvcache(q, **options): return options
"""


@pytest.mark.parametrize("installed", [True, False])
def test_flash_attention(package: Write, installed: bool) -> None:
    package({"flash_attn_interface.py": FLASH})
    if installed:
        package({"sgl_kernel/__init__.py": "silu = 1\n", "sgl_kernel/flash_attn.py": "raise OSError('for CUDA')\n"})
    assert "flash_attn_interface" not in sys.modules
    import sgl_kernel.flash_attn as attention  # type: ignore[import-not-found]
    from sgl_kernel.flash_attn import flash_attn_func, flash_attn_varlen_func  # type: ignore[import-not-found]

    interface = sys.modules["flash_attn_interface"]
    assert attention is interface
    assert interface.__name__ == interface.__spec__.name == "flash_attn_interface"
    assert hasattr(sys.modules["sgl_kernel"], "silu") is installed
    assert flash_attn_func(1, 2, 3, causal=True, only_qv=False) == 1
    assert flash_attn_varlen_func(1, 2, 3, only_qv=False) == 1
    with pytest.raises(NotImplementedError, match="only_qv"):
        flash_attn_varlen_func(1, 2, 3, only_qv=True)
    assert interface.flash_attn_with_kvcache(1, only_qv=True) == {"only_qv": True}
    assert interface._flash_attn_forward(1, 2, 3, window_size_left=4) == (1, "lse", None, None)
    assert interface.calls[-1] == (4, -1)
    with pytest.raises(RuntimeError, match="must return"):
        interface._flash_attn_forward("alone", 2, 3)
    torchada.unpatch()
    try:
        assert not hasattr(interface, "_flash_attn_forward")
        assert "sgl_kernel.flash_attn" not in sys.modules
    finally:
        torchada.apply_patches()


def test_without_flash_attention(package: Write) -> None:
    assert importlib.util.find_spec("sgl_kernel") is None
    with pytest.raises(ImportError):
        importlib.import_module("sgl_kernel.flash_attn")


@pytest.mark.parametrize("musa", [True, False])
def test_triton(package: Write, musa: bool) -> None:
    package({
        "triton/language/extra/__init__.py": "from . import cuda\n" + ("from . import musa\n" if musa else ""),
        "triton/language/extra/cuda.py": "which = 'cuda'\n",
        "triton/language/extra/musa/__init__.py": "from . import libdevice\nwhich = 'musa'\ndef gdc_wait(): return 1\n",
        "triton/language/extra/musa/libdevice.py": "",
    })  # fmt: skip
    extra = importlib.import_module("triton.language.extra")
    assert extra.cuda.which == ("musa" if musa else "cuda")
    assert importlib.import_module("triton.language.extra.cuda") is extra.cuda
    with pytest.raises(NotImplementedError, match="gdc_launch_dependents"):
        extra.cuda.gdc_launch_dependents()
    if musa:
        assert extra.cuda.gdc_wait() == 1
        from triton.language.extra.cuda import libdevice  # type: ignore[import-not-found]

        assert libdevice is extra.musa.libdevice


WRAPPER = """
import ctypes

def find_loaded_library(lib_name):
    with open("/proc/self/maps") as file:
        for line in file:
            if lib_name in line:
                return line[line.index("/"):].strip()
    return None

class CudaRTLibrary:
    def __init__(self, so_file=None):
        if so_file is None:
            so_file = find_loaded_library("libcudart")
            assert so_file is not None, "libcudart is not loaded in the current process"
        self.lib = ctypes.CDLL(so_file)
        self.lib.cudaSetDevice.argtypes = [ctypes.c_int]
"""

NCCL = """
import torch

def find_nccl_library():
    if torch.version.cuda is not None:
        return "libnccl.so.2"
    raise ValueError("NCCL only supports CUDA and ROCm backends.")
"""


@pytest.mark.parametrize("name", ["sglang/srt", "vllm"])
def test_serving_engines(package: Write, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = f"{name}/distributed/device_communicators"
    package({f"{place}/cuda_wrapper.py": WRAPPER, f"{place}/pynccl_wrapper.py": NCCL})
    (tmp_path / "runtime.c").write_text("int musaSetDevice(int device) { return device + 100; }\n")
    runtime = tmp_path / "libmusart.so.4"
    subprocess.run(["gcc", "-shared", "-o", str(runtime), str(tmp_path / "runtime.c")], check=True)
    loaded = ctypes.CDLL(str(runtime))
    assert loaded is not None
    dotted = place.replace("/", ".")
    wrapper = importlib.import_module(f"{dotted}.cuda_wrapper")
    assert wrapper.CudaRTLibrary(str(runtime)).lib.cudaSetDevice(1) == 101
    assert "libmusart" in wrapper.find_loaded_library("libcudart")
    assert wrapper.find_loaded_library("libtorch_python") is not None
    monkeypatch.setattr(torch.version, "cuda", None)
    assert importlib.import_module(f"{dotted}.pynccl_wrapper").find_nccl_library() == "libnccl.so.2"
