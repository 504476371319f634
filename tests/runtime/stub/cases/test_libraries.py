"""Libraries of CUDA's that are loaded by name where MUSA's are not to be found."""

from __future__ import annotations

import ctypes
import os
import warnings

import pytest


@pytest.fixture(autouse=True)
def no_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUSA_HOME", "/nonexistent")


def test_a_shell_of_cuda() -> None:
    """Where `libmusart` can't be loaded, `CDLL("libcudart.so.12")` gives CUDA's library with a warning that says so."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        name = next(os.path.basename(line.split()[-1]) for line in maps if "libcudart.so" in line)
    with pytest.warns(RuntimeWarning, match=r"libcudart.* is CUDA's.* libmusart\.so of MUSA's could not be loaded"):
        library = ctypes.CDLL(name)
    assert library._name == name


def test_no_library_at_all() -> None:
    """Where neither MUSA's nor CUDA's library can be loaded, the error names both, and what to set."""
    for name in ("libcublas.so.99", "libnccl.so.99", b"libcudart.so.99"):
        with pytest.raises(OSError, match=r"lib\w+\.so\.99.*libm\w+\.so.*MUSA's.*LD_LIBRARY_PATH"):
            ctypes.CDLL(name)  # type: ignore[arg-type]


def test_other_libraries() -> None:
    """Libraries that are not CUDA's load without a word, and their errors stay as they are."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ctypes.CDLL("libc.so.6").getpid() == os.getpid()
        with pytest.raises(OSError) as error:
            ctypes.CDLL("libnothing.so.3")
    assert "MUSA" not in str(error.value)
