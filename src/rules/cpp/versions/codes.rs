//! The codes of the findings on versions of CUDA.

use torchada_diagnostic::codes::cpp::CONDITION;
use torchada_diagnostic::{Code, Severity};

/// A condition on a version of CUDA's, where the branch that is taken does not compile.
pub(super) const STOPS: Code = Code {
    severity: Severity::Error,
    ..CONDITION
};
