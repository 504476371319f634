//! The name of the rules for Triton, and the codes of its findings.

use torchada_diagnostic::Code;

/// A name of NVIDIA's backend.
pub const BACKEND_NAME: Code =
    Code::warning("PY072", "a name of Triton's that is made for NVIDIA's GPUs");

/// A launch has more warps than fit into a block on MUSA.
pub const WARPS: Code = Code::warning(
    "PY073",
    "more warps than a block holds on some of MUSA's GPUs",
);

/// Options of NVIDIA's backend.
pub const OPTION: Code = Code::warning("PY074", "an option of Triton's for NVIDIA's GPUs");

/// The target of a kernel.
pub const TARGET: Code = Code::warning("PY075", "a target of Triton's is CUDA's");

/// The threads in a warp.
pub const WARP_SIZE: Code = Code::note("PY076", "the threads in a warp as a number of CUDA's");

pub(super) const RULE: &str = "python-triton";

/// How many nodes of an expression are looked at.
pub(super) const REACH: usize = 256;
