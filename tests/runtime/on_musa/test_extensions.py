"""Building extensions: what needs mcc is refused with its name."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch_musa.utils import musa_extension, simple_porting


def test_extension() -> None:
    extension = torch.musa.MUSAExtension(
        "name", ["a.cpp", "b.mu"], include_dirs=["own"], extra_compile_args={"cxx": ["-O2"], "mcc": ["-g"]}
    )
    assert extension.include_dirs[0] == "own"
    assert any(path.endswith("/include") and "torch" in path for path in extension.include_dirs)
    assert extension.extra_compile_args == {"cxx": ["-O2"], "mcc": ["-g", "--offload-arch=mp_22"]}
    assert not issubclass(torch.musa.BuildExtension, torch.utils.cpp_extension.BuildExtension)


def test_device_code_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "kernel.mu"
    source.write_text("__global__ void kernel() {}\n")
    with pytest.raises(RuntimeError, match=r"mcc not found.*kernel\.mu"):
        musa_extension.load("kernel", [str(source)])
    with pytest.raises(RuntimeError, match="mcc not found"):
        musa_extension.load_inline("kernel", "", musa_sources="__global__ void kernel() {}", with_musa=True)


def test_porter(tmp_path: Path) -> None:
    folder = tmp_path / "cuda"
    folder.mkdir()
    (folder / "a.cu").write_text("cudaMalloc ours\n")
    simple_porting.SimplePorting(str(folder), mapping_rule={"ours": "theirs"}).run()
    assert (tmp_path / "cuda_musa" / "a.mu").read_text() == "musaMalloc theirs\n"
