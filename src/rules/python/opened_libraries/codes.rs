//! The name of the rule for native libraries, and the codes of its findings.

use torchada_diagnostic::{Code, Severity};

/// The name of a library's file that stays.
pub const LIBRARY_FILE: Code = Code {
    id: "PY056",
    severity: Severity::Warning,
    title: "the name of a library of CUDA's that stays",
};

/// The name of a function that may be CUDA's.
pub const FUNCTION_NAME: Code = Code {
    id: "PY057",
    severity: Severity::Note,
    title: "may name a function of a library of CUDA's",
};

/// Declarations of CUDA's functions in a string.
pub const DECLARATIONS: Code = Code {
    id: "PY058",
    severity: Severity::Warning,
    title: "declarations of CUDA's functions in a string",
};

pub(super) const RULE: &str = "python-native";
