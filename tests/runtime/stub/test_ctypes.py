"""Libraries that programs load by CUDA's names, over real shared libraries."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import subprocess
from pathlib import Path

import pytest
import torchada

RUNTIME = r"""
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
static int current;
int musaSetDevice(int device) { current = device; return 0; }
int musaGetDevice(int* device) { *device = current; return 0; }
int musaMalloc(void** pointer, size_t size) { *pointer = malloc(size); return 0; }
int musaFree(void* pointer) { free(pointer); return 0; }
int musaMemset(void* pointer, int value, size_t size) { memset(pointer, value, size); return 0; }
int musaMemcpy(void* to, const void* from, size_t size, int kind) { memcpy(to, from, size); return 0; }
const char* musaGetErrorString(int error) { return error ? "wrong" : "no error"; }
"""

COLLECTIVES = r"""
#include <string.h>
typedef struct { char internal[128]; } mcclUniqueId;
int mcclGetVersion(int* version) { *version = 21304; return 0; }
int mcclGetUniqueId(mcclUniqueId* id) { memset(id, 7, sizeof *id); return 0; }
int mcclCommInitRank(void** comm, int size, mcclUniqueId id, int rank) {
    *comm = (void*)(long)(size * 1000 + rank * 100 + id.internal[127]);
    return 0;
}
int mcclAllReduce(const float* from, float* to, size_t count, int type, int op, void* comm, void* stream) {
    for (size_t i = 0; i < count; i++) to[i] = 2 * from[i];
    return 0;
}
const char* mcclGetErrorString(int error) { return "no error"; }
"""


def compiled(folder: Path, name: str, source: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    code = folder / "source.c"
    code.write_text(source.replace("size_t count", "unsigned long count"))
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", str(folder / name), str(code), f"-Wl,-soname,{name}"], check=True)
    return folder / name


@pytest.fixture(scope="module")
def musa_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("musa")
    compiled(home / "lib", "libmusart.so", RUNTIME)
    compiled(home / "lib", "libmccl.so", COLLECTIVES)
    return home


@pytest.fixture(autouse=True)
def sdk(musa_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The SDK is found by its variable only: the loader does not know its folder."""
    monkeypatch.setenv("MUSA_HOME", str(musa_home))


@pytest.mark.parametrize(
    "name", ["libcudart.so", "libcudart.so.12", "libcudart-d0da41ae.so.11.0", "/usr/local/cuda-12.4/lib64/libcudart.so"]
)
def test_the_runtime_by_its_cuda_names(name: str) -> None:
    library = ctypes.CDLL(name)
    assert type(library) is ctypes.CDLL
    pointer = ctypes.c_void_p()
    library.cudaMalloc.restype = ctypes.c_int
    library.cudaMalloc.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t]
    library.cudaFree.argtypes = [ctypes.c_void_p]
    assert library.cudaMalloc(ctypes.byref(pointer), 64) == 0
    assert pointer.value
    assert library.cudaFree(pointer) == 0
    assert library.cudaMalloc is library.cudaMalloc
    assert library["cudaMalloc"].__name__ == "musaMalloc"
    assert os.path.basename(library._name) == "libmusart.so"


@pytest.mark.parametrize(
    "load",
    [
        ctypes.cdll.LoadLibrary,
        ctypes.PyDLL,
        lambda name: ctypes.CDLL(name=name),
        lambda name: ctypes.CDLL(name, ctypes.RTLD_GLOBAL, use_errno=True),
        lambda name: ctypes.CDLL(name.encode()),
        lambda name: ctypes.CDLL(Path(name)),
        lambda name: ctypes.cdll[name],
    ],
)
def test_every_way_to_load(load: object) -> None:
    library = load("libcudart.so.12")  # type: ignore[operator]
    assert isinstance(library, ctypes.CDLL)
    device = ctypes.c_int(-1)
    assert library.cudaSetDevice(1) == 0
    assert library.cudaGetDevice(ctypes.byref(device)) == 0
    assert device.value == 1


class _Function:
    def __init__(self, name: str, restype: object, argtypes: list[object]) -> None:
        self.name, self.restype, self.argtypes = name, restype, argtypes


class _Runtime:
    """As serving engines wrap the runtime: a path from /proc/self/maps, then functions by CUDA's names."""

    functions = [
        _Function("cudaSetDevice", ctypes.c_int, [ctypes.c_int]),
        _Function("cudaGetErrorString", ctypes.c_char_p, [ctypes.c_int]),
        _Function("cudaMalloc", ctypes.c_int, [ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t]),
        _Function("cudaMemset", ctypes.c_int, [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]),
        _Function("cudaMemcpy", ctypes.c_int, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]),
        _Function("cudaFree", ctypes.c_int, [ctypes.c_void_p]),
    ]

    def __init__(self, path: str) -> None:
        self.lib = ctypes.CDLL(path)
        self.funcs = {}
        for each in self.functions:
            function = getattr(self.lib, each.name)
            function.restype = each.restype
            function.argtypes = each.argtypes
            self.funcs[each.name] = function


def test_a_library_that_is_loaded_already(musa_home: Path) -> None:
    first = ctypes.CDLL(str(musa_home / "lib" / "libmusart.so"))
    with open("/proc/self/maps") as maps:
        path = next(line.split()[-1] for line in maps if "libmusart" in line)
    runtime = _Runtime(path)
    assert runtime.funcs["cudaGetErrorString"](0) == b"no error"
    pointer = ctypes.c_void_p()
    assert runtime.funcs["cudaMalloc"](ctypes.byref(pointer), 4) == 0
    assert runtime.funcs["cudaMemset"](pointer, 9, 4) == 0
    host = (ctypes.c_ubyte * 4)()
    assert runtime.funcs["cudaMemcpy"](host, pointer, 4, 2) == 0
    assert bytes(host) == b"\t\t\t\t"
    assert runtime.funcs["cudaFree"](pointer) == 0
    assert first.musaFree(None) == 0


def test_collectives() -> None:
    """As serving engines wrap NCCL: structures by value, pointers, error strings."""

    class UniqueId(ctypes.Structure):
        _fields_ = [("internal", ctypes.c_byte * 128)]

    library = ctypes.CDLL("libnccl.so.2")
    version, unique, comm = ctypes.c_int(), UniqueId(), ctypes.c_void_p()
    library.ncclGetErrorString.restype = ctypes.c_char_p
    library.ncclCommInitRank.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_int, UniqueId, ctypes.c_int]
    assert library.ncclGetVersion(ctypes.byref(version)) == 0 and version.value == 21304
    assert library.ncclGetUniqueId(ctypes.byref(unique)) == 0
    assert library.ncclCommInitRank(ctypes.byref(comm), 2, unique, 1) == 0 and comm.value == 2107
    sent, got = (ctypes.c_float * 2)(1, 2), (ctypes.c_float * 2)()
    library.ncclAllReduce.argtypes = (
        [ctypes.c_void_p] * 2 + [ctypes.c_size_t] + [ctypes.c_int] * 2 + [ctypes.c_void_p] * 2
    )
    assert library.ncclAllReduce(sent, got, 2, 7, 0, comm, None) == 0
    assert list(got) == [2, 4]
    assert library.ncclGetErrorString(0) == b"no error"


def test_a_missing_function_is_probed_for() -> None:
    library = ctypes.CDLL("libcudart.so")
    assert not hasattr(library, "cudaNoSuchFunction")
    with pytest.raises(AttributeError, match="musaNoSuchFunction, which is cudaNoSuchFunction on MUSA"):
        library.cudaNoSuchFunction  # noqa: B018
    with pytest.raises(AttributeError, match="noSuchFunction"):
        library.noSuchFunction  # noqa: B018


def test_a_missing_library_says_what_the_program_asked_for() -> None:
    with pytest.raises(OSError, match=r"libcublas\.so\.99"):
        ctypes.CDLL("libcublas.so.99")


def test_a_file_that_is_there_is_loaded(tmp_path: Path) -> None:
    path = compiled(tmp_path, "libcudart.so.12", "int cudaGetDevice(int* device) { *device = 42; return 0; }")
    library = ctypes.CDLL(str(path))
    device = ctypes.c_int()
    assert library.cudaGetDevice(ctypes.byref(device)) == 0
    assert device.value == 42


def test_other_libraries_are_as_ever(tmp_path: Path) -> None:
    path = compiled(tmp_path, "libown.so", "int cudaOwn(void) { return 5; }")
    library = ctypes.CDLL(str(path))
    assert library.cudaOwn() == 5
    assert not hasattr(library, "cudaMalloc")
    assert ctypes.CDLL(None).getpid() == os.getpid()
    handle = ctypes.CDLL("libcudart.so", handle=library._handle)
    assert handle._name == "libcudart.so"


def test_subclasses(musa_home: Path) -> None:
    class Mine(ctypes.CDLL):
        def __init__(self, name: str) -> None:
            super().__init__(name, mode=ctypes.RTLD_GLOBAL)

    library = Mine("libcudart.so")
    assert type(library) is Mine
    assert library.cudaSetDevice(0) == 0


def test_find_library(musa_home: Path) -> None:
    assert ctypes.util.find_library("cudart") == str(musa_home / "lib" / "libmusart.so")
    assert ctypes.util.find_library("nccl") == str(musa_home / "lib" / "libmccl.so")
    assert ctypes.util.find_library("c") == "libc.so.6"
    assert ctypes.util.find_library("no_such_library") is None


def test_unpatch() -> None:
    library = ctypes.CDLL("libcudart.so")
    initialize, look_up = ctypes.CDLL.__init__, ctypes.CDLL.__getitem__
    torchada.unpatch()
    try:
        assert ctypes.CDLL.__init__ is initialize.__wrapped__  # type: ignore[attr-defined]
        assert ctypes.CDLL.__getitem__ is look_up.__wrapped__  # type: ignore[attr-defined]
        assert not hasattr(library, "cudaMemset")
        with pytest.raises(OSError):
            ctypes.CDLL("libcudart.so.99")
    finally:
        torchada.apply_patches()
