//! The codes of the rules for `CMake`.

use torchada_diagnostic::Code;

/// An option of nvcc's was left out.
pub const OPTION_LEFT_OUT: Code = Code::note("BLD040", "option of nvcc's left out of the build");

/// The build decides by CUDA's numbers of GPUs.
pub const ARCHITECTURE_LOGIC: Code =
    Code::warning("BLD042", "build decides by CUDA's numbers of GPUs");

/// The build asks for a version of CUDA's.
pub const VERSION_REQUIRED: Code = Code::warning("BLD043", "build asks for a version of CUDA's");

/// A library, package, command or variable has no counterpart.
pub const NO_COUNTERPART: Code = Code::error(
    "BLD044",
    "build needs something of CUDA's that MUSA does not have",
);

/// A setting that only CUDA's language reads was left out.
pub const SETTING_LEFT_OUT: Code = Code::note(
    "BLD045",
    "setting that only CUDA's language reads left out of the build",
);

/// Sources are compiled as MUSA's by the compiler of C++.
pub const AS_MUSA: Code = Code::warning(
    "BLD046",
    "sources are compiled as MUSA's by the compiler of C++",
);

/// Flags reach a target too late, or not at all.
pub const FLAGS_TOO_LATE: Code = Code::warning(
    "BLD047",
    "flags that MUSA's sources do not get where they stand",
);

/// A name became MUSA's by a rule alone.
pub const BY_RULE: Code = Code::warning("BLD048", "name in a build became MUSA's by rule alone");

/// A build looks for an option of nvcc's.
pub const OPTION_SOUGHT: Code = Code::note(
    "BLD049",
    "build looks for an option of nvcc's among the flags",
);

/// An ending of sources stays in a variable.
pub const ENDING_STAYS: Code = Code::warning(
    "BLD050",
    "ending of sources that are renamed stays in a variable",
);

/// All of them.
pub const CODES: &[Code] = &[
    OPTION_LEFT_OUT,
    ARCHITECTURE_LOGIC,
    VERSION_REQUIRED,
    NO_COUNTERPART,
    SETTING_LEFT_OUT,
    AS_MUSA,
    FLAGS_TOO_LATE,
    BY_RULE,
    OPTION_SOUGHT,
    ENDING_STAYS,
];
