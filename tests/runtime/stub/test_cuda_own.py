"""Names of torch.cuda that torch.musa lacks, written for CUDA."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import torch.cuda.nvtx as nvtx

RUNTIME = r"""
int musaDeviceGetAttribute(int* value, int attribute, int device) {
    if (attribute == 10) { *value = 32 + device; return 0; }
    return 1;
}
"""


def test_device_properties() -> None:
    properties = torch.cuda.get_device_properties(0)
    assert isinstance(properties, torch.cuda._CudaDeviceProperties)
    assert properties.name == torch.cuda.get_device_name(0)
    assert (properties.major, properties.minor) == torch.cuda.get_device_capability("cuda:0")
    assert properties.total_memory == torch.cuda.mem_get_info()[1]
    assert properties.multi_processor_count > 0
    assert repr(properties).startswith(f"_CudaDeviceProperties(name='{properties.name}', major=3, minor=1, ")


@pytest.mark.parametrize("device", [None, 1, "cuda", "cuda:1", torch.device("cuda:1")], ids=str)
def test_device_properties_of(device: object) -> None:
    assert torch.cuda.get_device_properties(device).major == 3
    assert torch.cuda.get_device_properties() is torch.cuda.get_device_properties(torch.cuda.current_device())


def test_no_such_device() -> None:
    with pytest.raises((AssertionError, RuntimeError)):
        torch.cuda.get_device_properties(9)
    with pytest.raises(ValueError):
        torch.cuda.get_device_properties("cpu")


def test_a_field_that_nothing_tells() -> None:
    properties = torch.cuda.get_device_properties(0)
    with pytest.raises(NotImplementedError, match="gcnArchName"):
        properties.gcnArchName  # noqa: B018
    assert not hasattr(properties, "gcnArchName")
    assert getattr(properties, "uuid", None) is None


def test_a_field_that_the_runtime_tells(tmp_path: Path) -> None:
    (tmp_path / "runtime.c").write_text(RUNTIME)
    library = tmp_path / "libmusart.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", str(library), str(tmp_path / "runtime.c")], check=True)
    program = (
        "import torch, torchada\n"
        "properties = torch.cuda.get_device_properties(1)\n"
        "print(properties.warp_size, hasattr(properties, 'L2_cache_size'), 'warp_size' in dir(properties))\n"
    )
    paths = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("LD_LIBRARY_PATH"))))
    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        env={**os.environ, "LD_LIBRARY_PATH": paths},
        capture_output=True,
        text=True,
    )
    assert result.stdout.split() == ["33", "False", "True"], result.stderr


def test_cudart() -> None:
    cudart = torch.cuda.cudart()
    memory = torch.ones(4)
    code = cudart.cudaHostRegister(memory.data_ptr(), memory.numel() * memory.element_size(), 0)
    torch.cuda.check_error(code)
    assert code == cudart.cudaError.success
    torch.cuda.check_error(cudart.cudaHostUnregister(memory.data_ptr()))
    torch.cuda.check_error(cudart.cudaProfilerStart())
    torch.cuda.check_error(cudart.cudaProfilerStop())
    assert cudart.cudaMemGetInfo(0) == torch.cuda.mem_get_info(0)
    assert cudart.cudaGetErrorString(cudart.cudaError.success) == "no error"
    assert "cudaHostRegister" in dir(cudart)


def test_what_cudart_lacks_is_named() -> None:
    with pytest.raises(NotImplementedError, match="musaMalloc"):
        torch.cuda.cudart().cudaMalloc  # noqa: B018
    assert not hasattr(torch.cuda.cudart(), "cudaMalloc")
    with pytest.raises(torch.cuda.CudaError, match="2"):
        torch.cuda.check_error(2)


def test_generators_are_those_of_the_devices() -> None:
    assert [each.device for each in torch.cuda.default_generators] == [torch.device("cuda:0"), torch.device("cuda:1")]
    torch.cuda.manual_seed_all(7)
    assert torch.cuda.default_generators[1].initial_seed() == 7
    assert torch.cuda._initialized == torch.cuda.is_initialized()


def test_only_the_mode_that_watches_nothing() -> None:
    torch.cuda.set_sync_debug_mode("default")
    assert torch.cuda.get_sync_debug_mode() == 0
    with pytest.raises(NotImplementedError, match="set_sync_debug_mode"):
        torch.cuda.set_sync_debug_mode("warn")


def test_small_ones() -> None:
    assert torch.cuda._is_compiled()
    assert torch.cuda.get_gencode_flags().split() == []
    assert torch.cuda._get_device_index("cuda:1") == 1
    assert torch.cuda._utils._get_device_index(torch.device("cuda"), optional=True) == 0
    with pytest.raises(ValueError):
        torch.cuda._get_device_index(None)
    stream = torch.cuda.Stream()
    assert torch.cuda.get_stream_from_external(stream.cuda_stream, "cuda:0").cuda_stream == stream.cuda_stream


def test_nvtx_marks_nothing_and_counts() -> None:
    assert nvtx.range_push("outer") == 0
    assert nvtx.range_push("inner") == 1
    assert (nvtx.range_pop(), nvtx.range_pop()) == (1, 0)
    nvtx.range_end(nvtx.range_start("elsewhere"))
    nvtx.mark("here")
    with nvtx.range("step {}", 1):
        pass

    @nvtx.range("function")
    def function() -> int:
        return 3

    assert function() == 3
    with torch.autograd.profiler.emit_nvtx(record_shapes=True):
        assert torch.ones(2, device="cuda").sum().item() == 2


def test_the_profiler_of_the_driver() -> None:
    torch.cuda.profiler.start()
    torch.cuda.profiler.stop()
    with torch.cuda.profiler.profile():
        assert torch.ones(2, device="cuda").sum().item() == 2


def test_a_function_of_the_jiterator_can_be_made_and_not_called() -> None:
    made = torch.cuda.jiterator._create_jit_fn("template <typename T> T twice(T x) { return x + x; }")
    with pytest.raises(NotImplementedError, match="torch_musa has no jiterator"):
        made(torch.ones(2, device="cuda"))
