//! The codes of the rules for `CMake`.

use torchada_diagnostic::{Code, Severity};

/// An option of nvcc's was left out.
pub const OPTION_LEFT_OUT: Code = Code {
    id: "BLD040",
    severity: Severity::Note,
    title: "option of nvcc's left out of the build",
};

/// CUDA's numbers of GPUs became MUSA's.
pub const ARCHITECTURES: Code = Code {
    id: "BLD041",
    severity: Severity::Note,
    title: "CUDA's numbers of GPUs became MUSA's in the build",
};

/// The build decides by CUDA's numbers of GPUs.
pub const ARCHITECTURE_LOGIC: Code = Code {
    id: "BLD042",
    severity: Severity::Warning,
    title: "build decides by CUDA's numbers of GPUs",
};

/// The build asks for a version of CUDA's.
pub const VERSION_REQUIRED: Code = Code {
    id: "BLD043",
    severity: Severity::Warning,
    title: "build asks for a version of CUDA's",
};

/// A library, package, command or variable has no counterpart.
pub const NO_COUNTERPART: Code = Code {
    id: "BLD044",
    severity: Severity::Error,
    title: "build needs something of CUDA's that MUSA does not have",
};

/// A setting that only CUDA's language reads was left out.
pub const SETTING_LEFT_OUT: Code = Code {
    id: "BLD045",
    severity: Severity::Note,
    title: "setting that only CUDA's language reads left out of the build",
};

/// Sources are compiled as MUSA's by the compiler of C++.
pub const AS_MUSA: Code = Code {
    id: "BLD046",
    severity: Severity::Warning,
    title: "sources are compiled as MUSA's by the compiler of C++",
};

/// Flags reach a target too late, or not at all.
pub const FLAGS_TOO_LATE: Code = Code {
    id: "BLD047",
    severity: Severity::Warning,
    title: "flags that MUSA's sources do not get where they stand",
};

/// A name became MUSA's by a rule alone.
pub const BY_RULE: Code = Code {
    id: "BLD048",
    severity: Severity::Warning,
    title: "name in a build became MUSA's by rule alone",
};

/// A build looks for an option of nvcc's.
pub const OPTION_SOUGHT: Code = Code {
    id: "BLD049",
    severity: Severity::Note,
    title: "build looks for an option of nvcc's among the flags",
};

/// An ending of sources stays in a variable.
pub const ENDING_STAYS: Code = Code {
    id: "BLD050",
    severity: Severity::Warning,
    title: "ending of sources that are renamed stays in a variable",
};

/// All of them.
pub const CODES: &[Code] = &[
    OPTION_LEFT_OUT,
    ARCHITECTURES,
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
