"""The patches, a file for each area. The order is the one in which they are applied."""

from __future__ import annotations

#: The modules of this package, each of which registers its patches when it is imported.
AREAS = (
    "environment",
    "device",
    "torch_cuda",
    "cuda_state",
    "tensors",
    "factories",
    "tensor_types",
    "pinning",
    "streams",
    "amp",
    "serialization",
    "graphs",
    "profiler",
    "backends",
    "dispatch",
    "faults",
    "optests",
    "exports",
    "distributed",
    "scripting",
    "compile",
    "accelerator",
    "ctypes_libraries",
    "cpp_extension",
    "cpp_ops",
    "ecosystem",
    "flash_attention",
)
