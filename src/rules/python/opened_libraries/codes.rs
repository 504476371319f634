//! The name of the rule for native libraries, and the codes of its findings.

use torchada_diagnostic::Code;

/// The name of a library's file that stays.
pub const LIBRARY_FILE: Code = Code::warning("PY056", "the name of a library of CUDA's that stays");

/// The name of a function that may be CUDA's.
pub const FUNCTION_NAME: Code = Code::note("PY057", "may name a function of a library of CUDA's");

/// Declarations of CUDA's functions in a string.
pub const DECLARATIONS: Code =
    Code::warning("PY058", "declarations of CUDA's functions in a string");

pub(super) const RULE: &str = "python-native";
