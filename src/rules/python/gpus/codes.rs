//! The name of the rules for what a GPU can do, and the codes of its findings.

use crate::diagnostic::{Code, Severity};

/// A number of CUDA's for what a GPU can do is asked for, and not compared where it can be seen.
pub const CAPABILITY: Code = Code {
    id: "PY021",
    severity: Severity::Warning,
    title: "a compute capability of CUDA's is asked for",
};

pub(super) const RULE: &str = "python-gpus";

/// A function is asked for a GPU of NVIDIA's.
pub const ASKS: Code = Code {
    id: "PY027",
    severity: Severity::Warning,
    title: "a function is asked for an architecture of CUDA's",
};
