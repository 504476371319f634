"""The adapter's table of replacements, by key: what the translator makes of the key as a line of CUDA code."""

from __future__ import annotations

from torchada.utils.cpp_extension import port_source

#: Where a name stands that only some files have: what tells whose it is.
_PREAMBLE = "#include <ATen/ATen.h>\n#include <cuda_runtime.h>\n#include <nccl.h>\n//---\n"


class _Rules(dict):  # type: ignore[type-arg]
    def __missing__(self, key: str) -> str:
        value = port_source(f"{_PREAMBLE}{key}\n").partition("//---\n")[2][:-1]
        if value == key:
            raise KeyError(key)
        self[key] = value
        return value

    def __contains__(self, key: object) -> bool:
        try:
            return isinstance(key, str) and self[key] is not None
        except KeyError:
            return False


_MAPPING_RULE: dict[str, str] = _Rules()
