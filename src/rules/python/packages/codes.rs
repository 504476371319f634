//! The name of the rule for packages, and the codes of its findings.

use torchada_diagnostic::Code;

/// A package for CUDA is imported.
pub const CUDA_PACKAGE: Code =
    Code::warning("PY040", "a package that is made for CUDA is imported");

/// The tree does not start without a package that MUSA lacks.
pub const STOPS_START: Code = Code::error("PY043", "the start loads a package that MUSA lacks");

/// A package that MUSA lacks is imported where the module can be loaded without it.
pub const GUARDED: Code = Code::note(
    "PY044",
    "a package that MUSA lacks, where the module is loaded without it",
);

/// The tree does not start before a build for MUSA is installed.
pub const START_NEEDS_BUILD: Code = Code::warning(
    "PY045",
    "the start loads a package that has to be MUSA's build of it",
);

/// A package whose kernels are Triton's.
pub const TRITON_KERNELS: Code =
    Code::note("PY046", "a package with kernels in Triton is imported");

/// A package that is imported under the same name on MUSA, where a build of its own serves it.
pub const OTHER_BUILD: Code = Code::note("PY070", "a package that has to be MUSA's build of it");

/// A package with CUDA kernels of its own is imported.
pub const HAS_KERNELS: Code = Code::warning(
    "PY071",
    "a package with CUDA kernels of its own is imported",
);

/// A flag that tells of a GPU is false on MUSA, because only a package that MUSA lacks sets it.
pub const ONLY_BY_PACKAGE: Code = Code::error(
    "PY059",
    "the GPU is reached by a package only that MUSA lacks",
);

pub(super) const RULE: &str = "python-packages";
