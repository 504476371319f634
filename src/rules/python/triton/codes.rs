//! The name of the rules for Triton, and the codes of its findings.

use torchada_diagnostic::{Code, Severity};

/// A name of NVIDIA's backend.
pub const BACKEND_NAME: Code = Code {
    id: "PY072",
    severity: Severity::Warning,
    title: "a name of Triton's that is made for NVIDIA's GPUs",
};

/// A launch has more warps than fit into a block on MUSA.
pub const WARPS: Code = Code {
    id: "PY073",
    severity: Severity::Warning,
    title: "more warps than a block holds on some of MUSA's GPUs",
};

/// Options of NVIDIA's backend.
pub const OPTION: Code = Code {
    id: "PY074",
    severity: Severity::Warning,
    title: "an option of Triton's for NVIDIA's GPUs",
};

/// The target of a kernel.
pub const TARGET: Code = Code {
    id: "PY075",
    severity: Severity::Warning,
    title: "a target of Triton's is CUDA's",
};

/// The threads in a warp.
pub const WARP_SIZE: Code = Code {
    id: "PY076",
    severity: Severity::Note,
    title: "the threads in a warp as a number of CUDA's",
};

pub(super) const RULE: &str = "python-triton";

/// How many nodes of an expression are looked at.
pub(super) const REACH: usize = 256;
