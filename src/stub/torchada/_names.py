"""Names of C functions, as programs that look them up at run time spell them."""

from __future__ import annotations


def _swap(name: str, ours: str, theirs: str) -> str:
    return theirs + name[len(ours) :] if name.startswith(ours) else name


def cuda_to_musa_name(name: str) -> str:
    """`cudaMalloc` becomes `musaMalloc`; what has another prefix stays."""
    return _swap(name, "cuda", "musa")


def nccl_to_mccl_name(name: str) -> str:
    """`ncclAllReduce` becomes `mcclAllReduce`; what has another prefix stays."""
    return _swap(name, "nccl", "mccl")


def cublas_to_mublas_name(name: str) -> str:
    """`cublasCreate` becomes `mublasCreate`; what has another prefix stays."""
    return _swap(name, "cublas", "mublas")


def curand_to_murand_name(name: str) -> str:
    """`curand_init` becomes `murand_init`; what has another prefix stays."""
    return _swap(name, "curand", "murand")
