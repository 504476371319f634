//! The codes of the findings on versions of CUDA.

use torchada_diagnostic::{Code, Severity};

/// A condition asks for a version of CUDA's.
pub const CONDITION: Code = Code::warning(
    "CPP055",
    "a version of CUDA's decides a condition, and MUSA does not define it",
);

/// The same, where the branch that is taken does not compile.
pub(super) const STOPS: Code = Code {
    severity: Severity::Error,
    ..CONDITION
};

/// A version of CUDA's is used as a value.
pub const VALUE: Code = Code::error(
    "CPP056",
    "a version of CUDA's is used as a value, and MUSA has none that means the same",
);
