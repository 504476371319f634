//! The name of the rule for what a GPU can do, and the codes of its findings.

use torchada_diagnostic::Code;

/// A call gives a compute capability, and the code compares the number where the port cannot see the comparison.
pub const CAPABILITY: Code = Code::warning("PY021", "a compute capability of CUDA's is asked for");

pub(super) const RULE: &str = "python-gpus";

/// The code asks a function whether the GPU is one of NVIDIA's.
pub const ASKS: Code = Code::warning("PY027", "a function is asked for an architecture of CUDA's");
