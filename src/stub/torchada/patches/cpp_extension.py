"""Building extensions that were written for CUDA."""

from __future__ import annotations

import functools
from typing import Any

from .. import _report
from .._journal import Journal
from .._registry import patch


@patch("cpp-extension", module="torch.utils.cpp_extension")
def cpp_extension(journal: Journal) -> None:
    """Have `CUDAExtension`, `load`, `load_inline`, `include_paths`, `library_paths` and `CUDA_HOME` of
    `torch.utils.cpp_extension` be about MUSA: CUDA sources are ported into the build folder by the program
    `torchada` and compiled by mcc. They are those of `torchada.utils.cpp_extension`."""
    from torch.utils import cpp_extension as theirs

    from ..utils import cpp_extension as ours

    for name in ("CUDAExtension", "include_paths", "library_paths", "load", "load_inline", "CUDA_HOME"):
        journal.set(theirs, name, getattr(ours, name))


@patch("build-extension", module="torch_musa.utils.musa_extension")
def build_extension(journal: Journal) -> None:
    """Have `BuildExtension`, of torch and of torch_musa, port the CUDA sources of extensions and build them
    with mcc, whoever made the extension; what is only C++ is built as ever. The class stays itself."""
    from torch.utils.cpp_extension import BuildExtension
    from torch_musa.utils.musa_extension import BuildExtension as MusaBuildExtension

    torch_build, musa_build = BuildExtension.build_extensions, MusaBuildExtension.build_extensions
    count = _report.counter("build-extension", "torch.utils.cpp_extension.BuildExtension")

    @functools.wraps(musa_build)
    def build_musa(self: Any) -> None:
        from ..utils import _build

        count()
        with _build.ported(self):
            musa_build(self)

    @functools.wraps(torch_build)
    def build(self: Any) -> None:
        from ..utils import _build

        _build.build_extensions(torch_build, build_musa)(self)

    def get_mapping_rule(self: Any) -> dict[str, str]:
        """Names of the project's own and what MUSA's are, for a subclass to add to; the translator has its tables."""
        return {}

    for owner in (BuildExtension, MusaBuildExtension):
        journal.set(owner, "get_mapping_rule", get_mapping_rule)
    journal.set(MusaBuildExtension, "build_extensions", build_musa)
    journal.set(BuildExtension, "build_extensions", build)
